# SPDX-License-Identifier: Apache-2.0
"""Reads the outputs of a comparison that are documents of other formats; see
comparison_facts.py."""

import gzip
import json
import xml.etree.ElementTree as ElementTree

import check_pprof
import read_flamegraph
import read_html
from comparison_facts import (
    TOTAL, Facts, Rows, Stack, Stacks, Value, both, grown, stack_rows
)

def json_value(value: dict | int) -> Value:
    """Of a value with sides, or of a change alone."""
    if isinstance(value, int):
        return grown(value)
    before, after = value["before"]["value"], value["after"]["value"]
    return Value(before, after, value["change"]["value"])


def read_json(text: str, kind: str) -> Facts:
    document = json.loads(text)
    rows = Rows()
    rows.facts[TOTAL].append(json_value(document["shown"]))
    for row in document["rows"]:
        name = row["name"]
        rows.add(kind, "self", name, json_value(row["flat"]))
        rows.add(kind, "cumulative", name, json_value(row["cumulative"]))
    for thread in document["threads"]:
        value = json_value(thread["held"])
        rows.add("thread", "self", str(thread["uid"]), value)
    return rows.facts


def read_json_tree(text: str) -> Facts:
    rows = Rows()
    for row in json.loads(text)["tree"] if text else []:
        rows.add("function", "self", row["name"], json_value(row["flat"]))
        value = json_value(row["cumulative"])
        rows.add("function", "cumulative", row["name"], value)
    return rows.facts


def json_traces(text: str) -> Stacks:
    document = json.loads(text)
    names = [frame["name"] for frame in document["frames"]]
    return [(tuple(names[f] for f in trace["frames"][::-1]),
             json_value(trace["value"])) for trace in document["traces"]]


def json_paths(text: str, key: str) -> Stacks:
    paths = []
    path: list[str] = []
    for row in json.loads(text)[key] if text else []:
        del path[row["depth"]:]
        path.append(row.get("name", ""))
        if row["kind"] == "function":
            paths.append((tuple(path), json_value(row["value"])))
    return paths


def read_check(text: str, kind: str) -> Facts:
    document = json.loads(text)
    rows = Rows()
    total = document["total"]
    rows.facts[TOTAL].append(
        Value(total["before"], total["after"], total["change"]))
    measure = "self" if kind in ("stack", "thread") else "cumulative"
    seen = set()
    for finding in document["findings"]:
        value = Value(finding["before"], finding["after"], finding["change"])
        name = finding["entry"]["name"]
        if (finding["entry"]["key"], value) not in seen:  # of two rules
            rows.add(kind, measure, name, value)
        seen.add((finding["entry"]["key"], value))
    return rows.facts


def read_trend(text: str, kind: str, before: str, after: str) -> Facts:
    """The series of two dumps with these file names."""
    [series] = json.loads(text)["series"]
    names = [dump["path"].rpartition("/")[2] for dump in series["dumps"]]
    sides = names.index(before), names.index(after)

    def value(row: dict) -> Value:
        # Each is a sum of estimates, rounded.
        return both(*(row["values"][side] for side in sides), 1)

    rows = Rows()
    rows.facts[TOTAL].append(value(series["total"]))
    for row in series["rows"]:
        rows.add(kind, "self", row["name"], value(row))
    return rows.facts


def read_page(text: str, metric: str) -> Facts:
    """An HTML report."""
    page = read_html.Page()
    page.feed(text)
    report = read_html.Report(page)
    names = report.labels
    sums = report.values("base." + metric, "self." + metric)
    stacks = [(tuple(names[label] for label in stack), both(before, after))
              for stack, (before, after) in sums.items() if before or after]
    rows = Rows()
    rows.facts.update(stack_rows(stacks, is_total=True))
    for table in ("functions", "lines", "files", "modules"):
        for measure, part in (("self", "self"), ("cumulative", "total")):
            values = [report.columns[f"{table}.{metric}.{prefix}{part}"]
                      for prefix in ("base_", "")]
            for name, before, after in zip(report.row_names(table), *values):
                rows.add(table[:-1], measure, name, both(before, after))
    return rows.facts


def flames(text: str) -> Stacks:
    frames = read_flamegraph.Frames(ElementTree.fromstring(text))
    parents = frames.parents()
    paths: list[Stack] = [()]
    for i in range(1, len(parents)):
        paths.append((*paths[parents[i]], frames.name(i)))
    after, before = frames.self
    values = map(both, before, after)
    return [(path, value) for path, value in zip(paths, values)
            if value.before or value.after]


def speedscope(text: str, metric: str) -> Stacks:
    document = json.loads(text)
    names = [frame["name"] for frame in document["shared"]["frames"]]
    stacks = []
    for profile in document["profiles"]:
        name, _, side = profile["name"].partition(", ")
        if name != metric:
            continue
        sign = {"grew": 1, "shrank": -1}[side]
        for stack, weight in zip(profile["samples"], profile["weights"]):
            path = tuple(names[frame] for frame in stack)
            stacks.append((path, grown(sign * weight)))
    return stacks


class PprofProfile:
    """What --proto writes."""

    def __init__(self, data: bytes) -> None:
        self.checker = check_pprof.Checker(gzip.decompress(data))
        self.checker.check()
        read = check_pprof
        profile = self.checker.profile
        functions = [self.checker.strings[f.number("name")]
                     for f in profile.messages("function", read.FUNCTION)]
        # The names of each location, leaf first.
        self.locations = [
            tuple(functions[line.number("function_id") - 1]
                  for line in location.messages("line", read.LINE))
            for location in profile.messages("location", read.LOCATION)]

    def stacks(self, metric: str, error: float) -> Stacks:
        """The samples, each off by `error`; those of the base are negative."""
        read = check_pprof
        column = self.checker.types.index(metric)
        stacks = []
        for sample in self.checker.profile.messages("sample", read.SAMPLE):
            ids = read.numbers(sample.all("location_id"))
            path = tuple(n for i in ids for n in self.locations[i - 1])[::-1]
            value = read.signed(read.numbers(sample.all("value"))[column])
            labels = self.checker.check_labels(sample, "")
            is_base = any(label.key == "pprof::base" for label in labels)
            sides = (-value, 0) if is_base else (0, value)
            stacks.append((path, both(*sides, error)))
        return stacks

    def frame_names(self) -> list[str]:
        """Those of all frames, in an order that does not depend on them."""
        return [name for names in self.locations for name in names]
