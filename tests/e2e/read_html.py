#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads an HTML report, and checks what its format demands.

usage: read_html.py MODE FILE [NAME]

MODE      prints
  totals    "METRIC VALUE" of the new side; "METRIC VALUE BASE" in a comparison
  folded    the stacks of metric NAME, as heapprof --collapsed does; in a
            comparison, with both values, base first
  short     the short names of functions, sorted
  table     "SELF TOTAL NAME" for each row of table NAME, sorted
  bounds    "LOWER UPPER NAME" of the totals of table NAME that have bounds
  threads   "VALUE UID NAME LOWER UPPER" for each thread, in the metric NAME;
            those without error bars have no bounds
  dumps     "VALUE NAME" for each dump, in the metric NAME
  source    "SELF TOTAL NUMBER LINE" for the lines of the source of the
            function NAME
  text      what the file says without scripts: its text

Exits with 1 if the file breaks a rule, and says which.
"""

import base64
import gzip
import hashlib
import html.parser
import json
import re
import sys
from collections.abc import Iterator
from itertools import accumulate


def expect(holds: bool, rule: str) -> None:
    if not holds:
        sys.exit(f"HTML report: {rule}")


class Page(html.parser.HTMLParser):
    """Collects the elements of the page that matter here."""

    VOID = {"meta", "br"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.parts: dict[str, list[str]] = {"script": [], "style": []}
        self.packed: dict[str, str] = {}
        self.policy = ""
        self.packed_id = ""  # of the open element, if it is packed

    def handle_starttag(self, tag: str, attributes: list) -> None:
        values = dict(attributes)
        for name, value in attributes:
            expect(not name.startswith("on"), "no element has a handler")
            expect(name not in ("src", "href", "style"), f"no element has {name}")
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        is_packed = values.get("type") == "application/octet-stream"
        self.packed_id = values["id"] if is_packed else ""
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in self.parts and not is_packed:
            self.parts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        expect(self.open and self.open.pop() == tag, f"</{tag}> has a start")

    def handle_data(self, data: str) -> None:
        tag = self.open[-1] if self.open else ""
        if self.packed_id and tag == "script":
            self.packed[self.packed_id] = self.packed.get(self.packed_id, "") + data
        elif tag in self.parts:
            self.parts[tag][-1] += data
        else:
            self.text.append(data)


def unpack(packed: str) -> bytes:
    return gzip.decompress(base64.b64decode(packed, validate=True))


def source_of(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def check_policy(page: Page) -> None:
    for tag, parts in page.parts.items():
        expect(len(parts) == 1, f"the page has one {tag}")
        expect(f"'{source_of(parts[0])}'" in page.policy, f"the policy allows its {tag}")
    expect(page.policy.count("sha256-") == len(page.parts), "the policy allows no other")
    program = unpack(page.packed["program"]).decode()
    expect(program.startswith("/* SPDX"), "the packed script says what it is")
    expect(source_of(program) in page.parts["script"][0], "only this script is loaded")
    expect("default-src 'none'" in page.policy, "the policy forbids the rest")
    expect("unsafe" not in page.policy, "the policy has no exception")


def numbers(column: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in column:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0
    expect(shift == 0, "the last number of a column is whole")


class Report:
    def __init__(self, page: Page) -> None:
        block = unpack(page.packed["data"])
        start = len(block) - 4 - int.from_bytes(block[-4:], "little")
        self.json = json.loads(block[start:-4])
        at = 0
        self.columns = {}
        for name, kind, count, length in self.json["columns"]:
            expect(name not in self.columns, f"{name} occurs once")
            expect(kind in "ust", f"{name} has a kind")
            column = block[at : at + length]
            if kind == "t":
                values = column.decode().split("\n")
                expect(values.pop() == "", f"each text of {name} has its end")
            else:
                values = list(numbers(column))
            expect(len(values) == count, f"{name} has its values")
            at += length
            if kind == "s":
                values = [v >> 1 ^ -(v & 1) for v in values]
            self.columns[name] = values
        expect(at == start, "the columns are all of the block")
        self.is_comparison = self.json["is_comparison"]
        self.stacks = self.read_stacks()
        self.check_labels()

    def read_stacks(self) -> list[list[int]]:
        """Returns the labels from the root to each node."""
        labels, up = self.columns["node.label"], self.columns["node.up"]
        expect(len(labels) == len(up) and up[0] == 0, "the tree has a root")
        placed = set(accumulate(self.columns["code.node"]))
        stacks: list[list[int]] = [[]]
        path: list[int] = []
        for node, (label, levels) in enumerate(zip(labels[1:], up[1:]), 1):
            expect(levels <= len(path), "a node has a parent")
            before = path[len(path) - levels :]
            del path[len(path) - levels :]
            # Calls of one function in different files have the same label.
            expect(not before or before[0] < label or
                   (before[0] == label and node in placed),
                   "nodes are in the order of their labels")
            path.append(label)
            stacks.append(list(path))
        return stacks

    def values(self, *columns: str) -> dict[tuple[int, ...], list[int]]:
        """Returns the sums of columns by stack."""
        sums: dict[tuple[int, ...], list[int]] = {}
        for node, stack in enumerate(self.stacks):
            of_stack = sums.setdefault(tuple(stack), [0] * len(columns))
            for i, column in enumerate(columns):
                of_stack[i] += self.columns[column][node]
        return sums

    def check_labels(self) -> None:
        self.labels = self.columns["label.name"]
        self.short_names = self.columns["label.short_name"]
        count = len(self.labels)
        expect(len(self.short_names) == count, "short names are of labels")
        for name, limit in (
            ("module", len(self.json["modules"])),
            ("file", len(self.json["files"])),
            ("flags", 1),
            ("line", 1 << 32),
        ):
            values = self.columns["label." + name]
            expect(len(values) == count, f"each label has its {name}")
            expect(all(0 <= v <= limit for v in values), f"label.{name} is known")

    def metric(self, name: str) -> dict:
        [metric] = [m for m in self.json["metrics"] if m["name"] == name]
        return metric

    def row_names(self, table: str) -> list[str]:
        def texts(key: str, name: str) -> list[str]:
            known = ["", *(self.labels if name == "labels" else self.json[name])]
            return [known[number] for number in self.columns[f"{table}.{key}"]]

        if table in ("files", "modules"):
            return texts(table[:-1], table)
        names = texts("label", "labels")
        if table == "lines":
            places = zip(texts("file", "files"), self.columns["lines.line"])
            names = [
                name and f"{name} {file or '??'}:{line}"
                for name, (file, line) in zip(names, places, strict=True)
            ]
        for row, name in self.json["names"][table].items():
            expect(names[int(row)] == "", "a row has one name")
            names[int(row)] = name
        expect("" not in names, "each row has a name")
        return names

    def slice_total(self, prefix: str) -> int:
        nodes = self.columns[prefix + "node"]
        values = self.columns[prefix + "self"]
        expect(sum(nodes) < len(self.stacks), "a slice has nodes of the tree")
        expect(len(nodes) == len(values), "each node of a slice has a value")
        return sum(values)


def print_totals(report: Report) -> None:
    sides = ("self.", "base.") if report.is_comparison else ("self.",)
    for metric in report.json["metrics"]:
        name = metric["name"]
        print(name, *(sum(report.columns[side + name]) for side in sides))


def print_folded(report: Report, metric: str) -> None:
    names = [name.replace(";", ":") for name in report.labels]
    sides = ("self.", "base." if report.is_comparison else "self.")
    sums = report.values(*(side + metric for side in sides))
    for stack, (value, before) in sums.items():
        if value == before == 0:
            continue
        both = f"{before} {value}" if report.is_comparison else value
        print(";".join(names[label] for label in stack), both)


def print_short_names(report: Report) -> None:
    pairs = zip(report.short_names, report.labels)
    print("\n".join(sorted({short or name for short, name in pairs})))


def print_table(report: Report, table: str) -> None:
    metric = report.json["metrics"][report.json["metric"]]["name"]
    prefix = f"{table}.{metric}."
    values = [report.columns[prefix + part] for part in ("self", "total")]
    if report.is_comparison:
        bases = [report.columns[f"{prefix}base_{p}"] for p in ("self", "total")]
        values = [[a - b for a, b in zip(*both)] for both in zip(values, bases)]
    rows = zip(*values, report.row_names(table), strict=True)
    print("\n".join(sorted(f"{a} {b} {name}" for a, b, name in rows if a or b)))


def print_bounds(report: Report, table: str) -> None:
    metric = report.json["metrics"][report.json["metric"]]["name"]
    prefix = f"{table}.{metric}.bounds.total."
    row = 0
    names = report.row_names(table)
    for distance, lower, upper in zip(
        report.columns[prefix + "row"],
        report.columns[prefix + "lower"],
        report.columns[prefix + "upper"],
        strict=True,
    ):
        row += distance
        print(lower, upper, names[row])


def print_source(report: Report, name: str) -> None:
    metric = report.json["metrics"][report.json["metric"]]["name"]
    for i, source in enumerate(report.json["sources"]):
        if report.labels[source["label"] - 1] != name:
            continue
        values = [report.columns[f"source.{i}.{metric}.{p}"] for p in ("self", "total")]
        rows = zip(*values, source["lines"], strict=True)
        for number, (own, total, line) in enumerate(rows, source["first_line"]):
            print(own, total, number, line)


def main() -> None:
    mode, path, name = (sys.argv[1:] + [""])[:3]
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    expect(not page.open, "all elements end")
    check_policy(page)
    report = Report(page)
    if mode == "totals":
        print_totals(report)
    elif mode == "folded":
        print_folded(report, name)
    elif mode == "short":
        print_short_names(report)
    elif mode == "table":
        print_table(report, name)
    elif mode == "bounds":
        print_bounds(report, name)
    elif mode == "threads":
        for i, thread in enumerate(report.json["threads"]):
            total = report.slice_total(f"thread.{i}.{name}.")
            index = report.json["metrics"].index(report.metric(name))
            bounds = thread["intervals"][index] or []
            print(total, thread["uid"], thread["name"], *bounds)
    elif mode == "dumps":
        for i, dump in enumerate(report.json["dumps"]):
            print(report.slice_total(f"dump.{i}.{name}."), dump["name"])
    elif mode == "source":
        print_source(report, name)
    else:
        print(re.sub(r"\n+", "\n", "".join(page.text)))


if __name__ == "__main__":
    main()
