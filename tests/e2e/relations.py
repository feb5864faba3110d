#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Relations between reports, tried on random dumps with random options.

usage: relations.py FOLDER [RELATION SEED]

The dumps have stacks of the dumps in FOLDER, with random numbers, threads,
sizes and sampling periods. No relation needs to know the right numbers:

focus     --focus leaves what the cumulative value of a function says, with the
          same bounds; with --ignore, the rest is left.
threads   --thread=UID shows what the row of that thread says.
groups    The groups add up to the total, and each is what --focus leaves of it.
sizes     --sizes --base shows the differences of --sizes.
compare   A comparison has the values, bounds and numbers of samples of both
          dumps' own reports; with the sides swapped, changes are mirrored.
trend     A series has the values and bounds of each dump's own report.
baseline  check with a saved baseline says what it says with its dumps.
order     The order of the stacks in a dump and --jobs make no difference.

Runs $HEAPPROF; prints what does not hold, with the seed that repeats it, and
exits with 1. With $HEAPPROF_FULL, there are many more cases.
"""

import collections
import copy
import json
import os
import pathlib
import random
import re
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

from reports import Report
from reports import run as run_heapprof

CASES = 300 if "HEAPPROF_FULL" in os.environ else 6
PROGRAMS = ("warehouse.gcc-O2-static", "inlining.gcc-O2", "inlining.gcc-O0",
            "threads.gcc-O2", "shared_main.gcc-O2")
SIZES = (16, 48, 112, 512, 4096, 16384, 65536, 163840, 8 << 20)
PERIODS = (1, 1 << 16, 1 << 19)
NAMES = ("worker", "worker", "", "net:io [2]", "a;b")
PATTERNS = ("main", "demo::", "Hold", "Put$", "[02468]$", "^_")


class Broken(Exception):
    """A relation does not hold."""


def expect(condition: bool, *what: object) -> None:
    if not condition:
        raise Broken(", ".join(map(str, what))[:1000])


class Counts(NamedTuple):
    """What a line of a dump says, of live and of all objects."""

    objects: int
    size: int
    freed: int

    def __str__(self) -> str:
        every = self.objects + self.freed
        return (f"{self.objects}: {self.objects * self.size} "
                f"[{every}: {every * self.size}]")


class Dump:
    """A heap dump: the counts of threads by stack. Its stacks and its memory
    map are those of a real one."""

    def __init__(self, rng: random.Random, real: str) -> None:
        stacks, mark, maps = real.partition("\nMAPPED_LIBRARIES:")
        self.maps = mark + maps
        self.known = re.findall(r"^@( 0x.*)$", stacks, re.M)
        self.period = rng.choice(PERIODS)
        self.threads = rng.choice((1, 2, 12))
        self.stacks: dict[str, dict[int, Counts]] = {}
        self.grow(rng, rng.choice((2, 8, 40)))

    def grow(self, rng: random.Random, count: int) -> None:
        for stack in rng.sample(self.known, min(count, len(self.known))):
            self.add(rng, stack)

    def add(self, rng: random.Random, stack: str) -> None:
        """Also without its first frame, which is one of the allocator, for
        objects of another size."""
        size = rng.choice(SIZES)
        self.stacks[stack] = {
            thread: Counts(rng.choice((0, 1, 2, 5, 40)), size, 3)
            for thread in range(self.threads) if thread == 0
            or rng.random() < 0.5}
        frames = stack.split()
        if len(frames) > 4 and rng.random() < 0.3:
            self.add(rng, " " + " ".join(frames[1:]))

    def later(self, rng: random.Random) -> "Dump":
        """Returns another dump of the program."""
        dump = copy.copy(self)
        dump.stacks = {stack: counts for stack, counts in self.stacks.items()
                       if rng.random() < 0.8}
        dump.grow(rng, 3)
        return dump

    def text(self, rng: random.Random) -> str:
        stacks = list(self.stacks.items())
        rng.shuffle(stacks)
        totals: dict[str, list[int]] = collections.defaultdict(lambda: [0] * 4)
        lines = []
        for stack, threads in stacks:
            sums = [0] * 4
            rows = []
            for thread, counts in threads.items():
                rows.append(f"  t{thread}: {counts}")
                numbers = map(int, re.findall(r"\d+", str(counts)))
                for i, number in enumerate(numbers):
                    sums[i] += number
                    totals["t*"][i] += number
                    totals[f"t{thread}"][i] += number
            lines += [f"@{stack}", row("t*", sums), *rows]
        head = [f"heap_v2/{self.period}"]
        head += [f"{row(name, totals[name])} {name_of(name)}".rstrip()
                 for name in sorted(totals)]
        return "\n".join(head + lines) + "\n" + self.maps


def row(name: str, sums: list[int]) -> str:
    return "  {}: {}: {} [{}: {}]".format(name, *sums)


def name_of(thread: str) -> str:
    return "" if thread == "t*" else NAMES[int(thread[1:]) % len(NAMES)]


class Case:
    """The choices of one case, and the folder for its files."""

    def __init__(self, seed: str, dumps: pathlib.Path, folder: str) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        real = dumps / f"{self.rng.choice(PROGRAMS)}.heap"
        self.first = Dump(self.rng, real.read_text())
        self.metric = "--" + self.rng.choice(
            ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects"))
        self.rows = "--" + self.rng.choice(("functions", "lines", "modules"))

    def write(self, dump: Dump, name: str) -> str:
        path = f"{self.folder}/{name}.heap"
        pathlib.Path(path).write_text(dump.text(self.rng))
        os.utime(path, (1.7e9, 1.7e9))
        return path

    def two(self) -> tuple[str, str]:
        return (self.write(self.first, "a"),
                self.write(self.first.later(self.rng), "b"))


def run(*arguments: str) -> Report:
    return run_heapprof(*arguments, "--quiet")


def read(*arguments: str) -> dict[str, Any]:
    done = run("--json", *arguments)
    expect(done.status == 0 or "nothing" in done.messages or done.text == "",
           arguments, done.messages)
    return json.loads(done.text) if done.text else {
        "shown": {"value": 0, "interval": None, "samples": 0}, "rows": []}


def expect_near(a: float, b: float, slack: float, *what: object) -> None:
    expect(abs(a - b) <= slack, *what, f"{a} is not {b}")


def expect_same(a: dict[str, Any], b: dict[str, Any], *what: object) -> None:
    """Values and bounds, give or take 1; an empty value may have other bounds,
    which depend on all threads."""
    expect_near(a["value"], b["value"], 1, *what)
    if a["value"] == 0:
        return
    expect(not a["interval"] == (not b["interval"]), *what, "bounds")
    expect(a.get("samples") == b.get("samples"), *what, a, b)
    if a["interval"]:
        for bound in ("lower", "upper"):
            # Samples that threads with one seed missed count in the upper one,
            # and depend on all threads of the report.
            slack = 2 + (a["interval"]["upper"] / 4 if bound == "upper" else 0)
            expect_near(a["interval"][bound], b["interval"][bound], slack,
                        *what, bound)


def check_focus(case: Case) -> None:
    path, _ = case.two()
    pattern = case.rng.choice(PATTERNS)
    whole = read(case.metric, path)["shown"]["value"]
    parts = [read(case.metric, f"--{option}={pattern}", path)["shown"]["value"]
             for option in ("focus", "ignore")]
    expect_near(sum(parts), whole, 1, "with and without", pattern)
    report = read(case.metric, "--names=full", path)
    rows = report["rows"]
    for function in case.rng.sample(rows, min(3, len(rows))):
        name = function["name"].removesuffix(" (inline)")
        if sum(name in other["name"] for other in rows) == 1:
            left = read(case.metric, f"--focus=^{re.escape(name)}$", path)
            expect_same(left["shown"], function["cumulative"], name)


def check_threads(case: Case) -> None:
    path, _ = case.two()
    for thread in read(case.metric, path)["threads"]:
        shown = read(case.metric, f"--thread={thread['uid']}", path)["shown"]
        expect_same(shown, thread["held"], "thread", thread["uid"])


def check_groups(case: Case) -> None:
    path, _ = case.two()
    groups = pathlib.Path(case.folder) / "groups.toml"
    groups.write_text("".join(
        f"[[groups]]\nname = 'g{i}'\nfunction = '{pattern}'\n"
        for i, pattern in enumerate(case.rng.sample(PATTERNS, 2))))
    option = f"--groups={groups}"
    report = read(case.metric, option, path)
    rows = report["rows"]
    expect_near(sum(group["flat"]["value"] for group in rows),
                report["shown"]["value"], len(rows), "groups")
    for group in rows:
        root = re.escape(f"[{group['name'].strip('[]')}]")
        left = read(case.metric, option, "--functions", f"--focus=^{root}$",
                    path)
        expect_same(left["shown"], group["flat"], group["name"])


def sizes(*arguments: str) -> dict[str, int]:
    text = run("--sizes", "--show_bytes", *arguments).text
    found = re.findall(r"^ *(\S+ \S+) +(-?\d+)(?: B)? +\S+% ", text, re.M)
    return {size: int(value) for size, value in found}


def check_sizes(case: Case) -> None:
    before, after = case.two()
    old, new = sizes(before), sizes(after)
    changes = sizes("--base", before, after)
    for size in old.keys() | new.keys() | changes.keys():
        expect_near(changes.get(size, 0), new.get(size, 0) - old.get(size, 0),
                    2, "objects of", size)


def check_compare(case: Case) -> None:
    before, after = case.two()
    options = (case.metric, case.rows, "--names=full")
    change = read(*options, "--base", before, after)
    mirrored = read(*options, "--base", after, before)
    if not change["rows"]:
        return
    for side, path in (("before", before), ("after", after)):
        own = read(*options, path)
        expect_same(change["shown"][side], own["shown"], side)
        rows = {row["name"].replace(" (inline)", ""): row
                for row in own["rows"]}
        inlined = len(rows) < len(own["rows"])
        for changed in change["rows"]:
            if changed["name"] in rows and not inlined:
                for value in ("flat", "cumulative"):
                    expect_same(changed[value][side],
                                rows[changed["name"]][value], side,
                                changed["name"], value)
    other = {row["name"]: row["flat"] for row in mirrored["rows"]}
    for changed in change["rows"]:
        there = changed["flat"]["change"]
        back = other[changed["name"]]["change"]
        expect_near(there["value"], -back["value"], 1, changed["name"])
        if there["interval"]:
            expect_near(there["interval"]["upper"], -back["interval"]["lower"],
                        2, changed["name"], "mirrored")


def check_trend(case: Case) -> None:
    dump, paths = case.first, []
    for i in range(5):
        paths.append(case.write(dump, f"app.7.{i}.i{i}"))
        dump = dump.later(case.rng)
    done = run("trend", "--json", "--by=function", "--per=dump", *paths)
    expect(done.status == 0, done.messages)
    series, = json.loads(done.text)["series"]
    for i, path in enumerate(paths):
        report = read("--names=full", path)
        own = collections.defaultdict(list)
        for function in report["rows"]:
            own[function["function"]].append(function["flat"])
        pairs = [(series["total"], report["shown"])]
        pairs += [(row, own[row["key"]][0]) for row in series["rows"]
                  if len(own[row["key"]]) == 1]
        for row_of_series, value in pairs:
            interval = value["interval"] and {
                bound: row_of_series[bound][i] for bound in ("lower", "upper")}
            expect_same(value, {**value, "value": row_of_series["values"][i],
                                "interval": interval},
                        row_of_series["name"], "in dump", i)


def check_baseline(case: Case) -> None:
    before, after = case.two()
    saved = f"{case.folder}/base.pb.gz"
    done = run("check", "--allow-empty", "--save-baseline", saved, before)
    expect(done.status == 0, done.messages)
    results = []
    for base in (before, saved):
        done = run("check", "--format=json", "--max-growth=0", "--own=none",
                   "--max-total-growth=0", "--noise=point", "--allow-empty",
                   "--require-symbols=0", case.metric, "--base", base, after)
        expect(done.status in (0, 1), done.messages)
        results.append(json.loads(done.text))
    expect(results[0]["verdict"] == results[1]["verdict"], "verdict")
    for part in ("total", *range(len(results[0]["findings"]))):
        a, b = (result["total"] if part == "total"
                else result["findings"][part] for result in results)
        expect_near(a["change"], b["change"], 2, part)
        if a["interval"]:
            expect_near(a["interval"]["lower"], b["interval"]["lower"],
                        3 + 1e-6 * abs(a["change"]), part)


def check_order(case: Case) -> None:
    options = (case.rng.choice(("--text", "--traces", "--collapsed",
                                "--ndjson", "--threads", "--tree")),
               case.metric, case.rows)
    texts = [run(*options, case.write(case.first, "a")).text,
             run(*options, "--jobs=1", case.write(case.first, "a")).text]
    expect(texts[0] == texts[1], options)


RELATIONS: dict[str, Callable[[Case], None]] = {
    name.removeprefix("check_"): function
    for name, function in list(globals().items()) if name.startswith("check_")}


def failure(dumps: pathlib.Path, relation: str, seed: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            RELATIONS[relation](Case(f"{relation} {seed}", dumps, folder))
        except Broken as broken:
            return f"{relation} {seed}: {broken}"
    return ""


def main() -> int:
    dumps = pathlib.Path(sys.argv[1])
    cases = [(relation, str(seed)) for relation in RELATIONS
             for seed in range(CASES)]
    if len(sys.argv) > 2:
        cases = [(sys.argv[2], sys.argv[3])]
    failures = list(filter(None, (failure(dumps, *case) for case in cases)))
    print("\n".join(failures[:40]))
    print(f"{len(cases)} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
