#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What holds of every report on any dump, whatever its rows stand for.

usage: report_laws.py LAW FOLDER...

tries one of these laws on all dumps in the folders:

sums      Values of rows, boxes, lines and stacks add up to the total; each is
          part of the cumulative value, which is part of the total.
profile   A report on a pprof profile that --proto wrote is that on the dump.
merge     Reports on two dumps do not depend on their order; totals add up.
base      A dump does not differ from itself; without another, two are that
          other; what grew and what shrank since another dump add up to the
          difference of the totals.

Runs $HEAPPROF; prints what does not hold and exits with 1. Unless
$HEAPPROF_FULL is set, each dump is tried with one kind of rows besides
functions, the next dump with the next kind.
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

# All nodes and edges of a graph.
ALL = ("--nodecount=0", "--nodefraction=0", "--edgefraction=0", "--maxdegree=0")
GRANULARITIES = ("lines", "files", "addresses", "modules")
# Each dump with another one, in a short run.
rotation = itertools.cycle(GRANULARITIES)
problems: list[str] = []


def check(condition: bool, *what: object) -> None:
    if not condition:
        problems.append(": ".join(map(str, what)))


class Report(NamedTuple):
    status: int
    text: str
    messages: str


def run(*arguments: str) -> Report:
    command = [os.environ["HEAPPROF"], *arguments, "--show_bytes"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Report(done.returncode, done.stdout, done.stderr)


class Values(NamedTuple):
    """What a report says, in bytes or objects."""

    total: int
    # Own and cumulative value of each row, or of each stack, which has one.
    rows: list[tuple[int, int]]


def numbers(regex: str, text: str) -> list[tuple[int, ...]]:
    """The groups of all matches; one that is absent is as the one before."""
    found = []
    for match in re.finditer(regex, text, re.M):
        values: list[int] = []
        for group in match.groups():
            values.append(int(group) if group else values[-1])
        found.append(tuple(values))
    return found


def first(regex: str, text: str) -> int:
    return numbers(regex, text)[0][0] if re.search(regex, text, re.M) else 0


def read_text(text: str) -> Values:
    row = r"^ *(-?\d+) +\S+% +\S+% +(-?\d+) +\S+% \S"
    return Values(first(r"^Total: (-?\d+) ", text), numbers(row, text))


def read_collapsed(text: str) -> Values:
    lines = text.splitlines()
    check(lines == sorted(set(lines)), "folded stacks are not sorted or merged")
    rows = [(v, v) for (v,) in numbers(r"^\S.* (-?\d+)$", text)]
    return Values(sum(value for value, _ in rows), rows)


def read_dot(text: str) -> Values:
    node = (
        r'^N\d+ \[label="(?:[^"\\]|\\.)*?(-?\d+) \(\S+%\)'
        r'(?:\\rof (-?\d+) \(\S+%\))?\\r"'
    )
    total = first(r'^digraph ".*; (-?\d+) \w+" ', text)
    return Values(total, numbers(node, text))


def check_edges(text: str, what: str) -> None:
    rows = read_dot(text).rows
    edge = r'^N(\d+) -> N(\d+) \[label=" (\d+)"'
    for caller, callee, value in numbers(edge, text):
        least = min(rows[caller - 1][1], rows[callee - 1][1])
        check(value <= least, f"{what}: edge of {value}, node of {least}")


def read_tree(text: str) -> Values:
    row = r"^ *(-?\d+)B? +\S+% +\S+% +(-?\d+)B? +\S+% +\| \S"
    total = r"^Showing nodes accounting for \S+, \S+% of (-?\d+)B? total"
    return Values(first(total, text), numbers(row, text))


def read_traces(text: str) -> Values:
    rows = [(v, v) for (v,) in numbers(r"^-+\+-+\n *(-?\d+)B? +\S", text)]
    return Values(sum(value for value, _ in rows), rows)


def read_callgrind(text: str) -> Values:
    lines = re.sub(r"^calls=.*\n\d+ \d+$", "", text, flags=re.M)
    rows = [(v, v) for (v,) in numbers(r"^\d+ (\d+)$", lines)]
    return Values(first(r"^summary: (\d+)$", text), rows)


def read_threads(text: str) -> Values:
    rows = [(v, v) for (v,) in numbers(r"^ +\d+ +(\d+)B? ", text)]
    return Values(sum(value for value, _ in rows), rows)


READERS: dict[str, Callable[[str], Values]] = {
    "text": read_text,
    "collapsed": read_collapsed,
    "dot": read_dot,
    "tree": read_tree,
    "peek=.": read_tree,
    "traces": read_traces,
    "callgrind": read_callgrind,
    "threads": read_threads,
}
# One run makes these, as their names choose them.
IN_FILES = {"text": "txt", "collapsed": "collapsed", "dot": "dot"}
WITH_STACKS = ("text", "collapsed", "dot", "tree", "traces")


def reports(names: tuple[str, ...], *arguments: str) -> dict[str, str]:
    """Reports by name; those of IN_FILES in any case."""
    texts = {}
    with tempfile.TemporaryDirectory() as scratch:
        paths = {name: f"{scratch}/a.{end}" for name, end in IN_FILES.items()}
        outputs = [word for path in paths.values() for word in ("-o", path)]
        done = run(*outputs, *ALL, *arguments)
        check(done.status == 0, arguments, done.messages)
        for name, path in paths.items():
            texts[name] = pathlib.Path(path).read_text()
    for name in names:
        if name not in IN_FILES:
            done = run(f"--{name}", *arguments)
            check(done.status == 0, name, arguments, done.messages)
            texts[name] = done.text
    return texts


def is_sampled(dump: str) -> bool:
    """Then values are no integers, and each is cut when it is printed."""
    with open(dump, encoding="utf-8", errors="replace") as file:
        return file.readline() != "heap_v2/1\n"


def check_values(values: Values, total: int, sampled: bool, what: str) -> None:
    slack = len(values.rows) if sampled else 0
    check(total > 0, what, "a total of 0")
    check(values.rows != [], what, "no values")
    check(abs(values.total - total) <= slack, what, values.total, "not", total)
    flat = sum(own for own, _ in values.rows)
    check(abs(flat - total) <= slack, what, "adds up to", flat, "not", total)
    for own, cumulative in values.rows:
        check(0 <= own <= cumulative <= total, what, own, cumulative, total)


def check_list(dump: str, text: str, sampled: bool) -> None:
    """The lines of all routines add up to what has a function."""
    total = read_text(text).total
    unknown = sum(v for (v,) in numbers(r"^ *(\d+) .*\+0x[0-9a-f]+$", text))
    routines = run("--list=.", dump).text.split("ROUTINE =")[1:]
    sum_of_all = 0
    for routine in routines:
        ((own, cumulative),) = numbers(r"^ *(\d+) +(\d+) Total B", routine)
        lines = numbers(
            r"^ *(\d+) +(\d+) +\d+:", re.sub(r"(?<= )\.(?= )", "0", routine)
        )
        slack = len(lines) if sampled else 0
        what = f"{dump} --list {routine[:200]}"
        check(0 <= own <= cumulative <= total, what)
        check(abs(sum(flat for flat, _ in lines) - own) <= slack, what)
        check(max(value for _, value in lines) <= cumulative, what)
        sum_of_all += own
    slack = len(routines) if sampled else 0
    check(
        abs(sum_of_all - (total - unknown)) <= slack,
        f"{dump} --list: {sum_of_all} of {total - unknown}",
    )


def check_sums(dump: str, _: str) -> None:
    sampled = is_sampled(dump)
    table = run("--text", dump).text
    full = os.environ.get("HEAPPROF_FULL")
    for granularity in GRANULARITIES if full else [next(rotation)]:
        check_reports(dump, f"--{granularity}", WITH_STACKS)
    names = (*WITH_STACKS, "peek=.", "callgrind")
    if not sampled:
        names += ("threads",)  # whose estimates do not add up otherwise
    for metric in ("inuse_space", "alloc_objects"):
        check_reports(dump, f"--{metric}", names)
    check_list(dump, table, sampled)
    info = run("info", "--json", dump).text
    in_info = first(r'"inuse_space": \{\s+"value": (\d+)', info)
    total = read_text(table).total
    check(in_info == total, f"{dump} info: {in_info}, not {total}")


def check_reports(dump: str, option: str, names: tuple[str, ...]) -> None:
    texts = reports(names, option, dump)
    total = read_text(texts["text"]).total
    for name, text in texts.items():
        what = f"{dump} {option} --{name}"
        check_values(READERS[name](text), total, is_sampled(dump), what)
    # In a graph of everything are all rows of the table, and no others.
    rows = [sorted(READERS[name](texts[name]).rows) for name in ("text", "dot")]
    check(rows[0] == rows[1], f"{dump} {option}: graph and table differ")
    peek = texts.get("peek=.", texts["tree"])
    check(texts["tree"] == peek, f"{dump} {option}: --peek=.")
    check_edges(texts["dot"], f"{dump} {option}")


def check_profile(dump: str, _: str) -> None:
    # Values in a pprof profile are integers, and functions have no address that
    # would tell overloads apart.
    options = ("--names=full",)
    with tempfile.TemporaryDirectory() as scratch:
        if is_sampled(dump):
            header, _, rest = pathlib.Path(dump).read_text().partition("\n")
            dump = f"{scratch}/whole.heap"
            pathlib.Path(dump).write_text(f"heap_v2/1\n{rest}")
        profile = f"{scratch}/dump.pb.gz"
        run("--proto", "-o", profile, dump)
        names = WITH_STACKS + ("callgrind",)
        expected = reports(names, *options, dump)
        for name, text in reports(names, *options, profile).items():
            check(text == expected[name], f"{dump} --{name}: --proto differs")


def total_of(*arguments: str) -> int:
    return read_text(run("--text", *arguments).text).total


def check_merge(dump: str, other: str) -> None:
    names = WITH_STACKS + ("callgrind", "threads", "list=.")
    one = reports(names, dump, other)
    totals = [total_of(dump), total_of(other), total_of(dump, other)]
    slack = 1 if is_sampled(dump) or is_sampled(other) else 0
    error = totals[0] + totals[1] - totals[2]
    check(abs(error) <= slack, f"{totals}: {dump} {other}")
    # The first program is in the titles, and stands for copies of itself.
    title = r"^(cmd:|c?ob=|digraph|Legend).*$"
    for name, text in reports(names, other, dump).items():
        if name == "callgrind" and (is_sampled(dump) or is_sampled(other)):
            continue  # what is cut off a value is added to the next
        texts = [re.sub(title, "", t, flags=re.M) for t in (text, one[name])]
        check(texts[0] == texts[1], f"{name} depends on order", dump, other)


def check_base(dump: str, other: str) -> None:
    for name, read in READERS.items():
        done = run(f"--{name}", "--base", dump, dump)
        empty = done.status == 1 and name in ("dot", "peek=.")
        check(done.status == 0 or empty, name, done.messages)
        values = read(done.text)
        differing = [own for own, _ in values.rows if own != 0]
        check(not differing, f"{dump} --{name} differs from itself")
    twice = run("--collapsed", "--base", dump, dump, dump).text
    once = run("--collapsed", dump).text
    check(twice == once, f"{dump} twice without itself")
    before, now = total_of(other), total_of(dump)
    # Of sampled dumps, what is below a byte is cut off each value, also of a
    # stack that shrank and is not shown.
    stacks = len(f"{once}{run('--collapsed', other).text}".splitlines())
    slack = stacks + 1 if is_sampled(dump) or is_sampled(other) else 0
    # A graph leaves out what holds nothing with what it calls, whatever it
    # holds itself.
    for name in ("text", "traces", "collapsed", "callgrind"):
        done = run(f"--{name}", "--base", other, dump)
        said = r"what shrank is not in the output: (\d+) bytes"
        shrunk = first(said, done.messages)
        values = READERS[name](done.text)
        grown = sum(own for own, _ in values.rows)
        check(
            abs(grown - shrunk - (now - before)) <= slack,
            f"{dump} --{name} --base {other}: {grown} - {shrunk}",
        )


LAWS = {
    "sums": check_sums,
    "profile": check_profile,
    "merge": check_merge,
    "base": check_base,
}


def main() -> int:
    law, *folders = sys.argv[1:]
    dumps = sorted(str(p) for f in folders for p in pathlib.Path(f).iterdir())
    check(len(dumps) >= 15, f"only {len(dumps)} dumps")
    previous = dumps[-1]
    for dump in dumps:
        LAWS[law](dump, previous)
        previous = dump
    print("\n".join(problems[:40]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
