#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Laws that hold for every report on any dump, whatever its rows stand for.

usage: report_laws.py LAW FOLDER...

tries one of these laws on all dumps in the folders:

totals    The whole numbers of an output add up to the total of the table, give
          or take 1: for a dump whose values are scaled and any metric, also
          for both sides of a comparison and after a round trip through a
          pprof profile.
sums      Values of rows, boxes, lines and stacks add up to the total; each is
          part of the cumulative value, which is part of the total.
trees     --callers and --callees are what the stacks of --traces say, and one
          call deep what --tree says.
profile   A report on a pprof profile that --proto wrote equals that on the dump.
merge     Reports on two dumps do not depend on their order; totals add up.
base      A dump does not differ from itself, nor from the mean of itself and
          itself; what grew and what shrank since another dump add up to the
          difference of the totals, and the largest change comes first; with
          the sides swapped, the same stacks change in the other direction.

Runs $HEAPPROF; prints what does not hold and exits with 1. Unless
$HEAPPROF_FULL is set, each dump is tried with one kind of rows besides
functions, the next dump with the next kind.
"""

import itertools
import json
import os
import pathlib
import random
import re
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

import check_pprof
import read_text_outputs
from reports import Report, is_sampled
from reports import run as run_heapprof

# All nodes and edges of a graph.
ALL = ("--nodecount=0", "--nodefraction=0", "--edgefraction=0", "--maxdegree=0")
GRANULARITIES = ("lines", "files", "addresses", "modules")
# Each dump with another one, in a short run.
rotation = itertools.cycle(GRANULARITIES)
random.seed(1)
problems: list[str] = []


def check(condition: bool, *what: object) -> None:
    if not condition:
        problems.append(": ".join(map(str, what)))


def write_profile(path: str, *arguments: str) -> None:
    run("--proto", "-o", path, *arguments)
    problems = check_pprof.problems_of(pathlib.Path(path).read_bytes())
    check(not problems, f"{path}: {problems[:1]}")


def run(*arguments: str) -> Report:
    in_bytes = [] if "--no-show_bytes" in arguments else ["--show_bytes"]
    return run_heapprof(*arguments, *in_bytes)


class Values(NamedTuple):
    """What a report says, in bytes or objects."""

    total: int
    # Own and cumulative value of each row, or of each stack, which has one.
    rows: list[tuple[int, int]]


def numbers(regex: str, text: str) -> list[tuple[int, ...]]:
    """The groups of all matches; an absent one equals the one before it."""
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
    row = r"^ *(-?\d+)(?: B)? +\S+% +\S+% +(-?\d+)(?: B)? +\S+% +\| \S"
    total = r"^Showing nodes accounting for .*, \S+% of (-?\d+)(?: B)? total"
    return Values(first(total, text), numbers(row, text))


def named_rows(text: str) -> list[tuple[str, ...]]:
    """Values and names of a table, or of the middle rows of tree blocks."""
    value = r"(-?\d+)(?: B)?"
    row = rf"^ *{value} +\S+% +\S+% +{value} +\S+% +(?:\| )?(\S.*)$"
    return sorted(re.findall(row, text, re.M))


def read_traces(text: str) -> Values:
    rows = [(v, v) for (v,) in numbers(r"^-+\+-+\n *(-?\d+)(?: B)? +\S", text)]
    return Values(sum(value for value, _ in rows), rows)


def read_callgrind(text: str) -> Values:
    lines = re.sub(r"^calls=.*\n\d+ \d+$", "", text, flags=re.M)
    rows = [(v, v) for (v,) in numbers(r"^\d+ (\d+)$", lines)]
    return Values(first(r"^summary: (\d+)$", text), rows)


def read_threads(text: str) -> Values:
    rows = [(v, v) for (v,) in numbers(r"^ +\d+ +(\d+)(?: B)? ", text)]
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
# One run writes these: the extensions choose the outputs.
IN_FILES = {"text": "txt", "collapsed": "collapsed", "dot": "dot"}
WITH_STACKS = ("text", "collapsed", "dot", "tree", "traces")


def reports(names: tuple[str, ...], *arguments: str) -> dict[str, str]:
    """The reports called `names`, and always those of IN_FILES, by name."""
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
    """The routines add up to all memory that has a function."""
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


def check_leaves(dump: str, table: str) -> None:
    """No allocator function holds anything: its caller does."""
    allocator = (
        r"^(operator new(\[\])?|(posix_mem|mem|aligned_)align|aligned_alloc"
        r"|(_rjem_)?(je_)?(m|c|re)alloc|_rjem_.*|prof_(backtrace|alloc|tctx).*"
        r"|i(m|r)alloc.*|.*libjemalloc.*|__rust_.*|__r(g|dl)_.*|.*newImpl"
        r"|<?alloc::alloc::.*|alloc::boxed::box_new_uninit"
        r"|.* as core::alloc::global::GlobalAlloc>.*)"
        r"(@[0-9a-f]+| \(inline\))?$"
    )
    for line in table.splitlines():
        own, _, _, _, _, name = line.split(None, 5)
        if own.isdigit() and int(own) > 0:
            check(not re.match(allocator, name), f"{dump}: {name} holds {own}")


def check_names(dump: str, table: str) -> None:
    """A name that --names full shows once is once in the table."""
    names = [line.split(None, 5)[5] for line in table.splitlines()]
    tag = re.compile(r"@[0-9a-f]+$")
    tagged = [tag.sub("", name) for name in names if tag.search(name)]
    full = run("--text", "--names=full", dump).text
    for name in set(tagged):
        function = rf" {re.escape(name)}(\(.*)?$"
        rows = len(re.findall(function, full, re.M))
        check(tagged.count(name) <= rows, f"{dump}: {name} has too many rows")


def check_sums(dump: str, _: str) -> None:
    sampled = is_sampled(dump)
    table = run("--text", dump).text
    check_leaves(dump, table.partition("\n")[2])
    check_names(dump, table.partition("\n")[2])
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
    # A graph without limits has all rows of the table, and no others.
    rows = [sorted(READERS[name](texts[name]).rows) for name in ("text", "dot")]
    check(rows[0] == rows[1], f"{dump} {option}: graph and table differ")
    # Both have the same names with the same values.
    rows = [named_rows(texts[name]) for name in ("text", "tree")]
    check(rows[0] == rows[1], f"{dump} {option}: tree and table differ")
    peek = texts.get("peek=.", texts["tree"])
    check(texts["tree"] == peek, f"{dump} {option}: --peek=.")
    check_edges(texts["dot"], f"{dump} {option}")


Paths = dict[tuple[str, ...], int]
ENDS = ("[no caller]", "[itself]")


def read_stacks(text: str) -> list[tuple[int, list[str]]]:
    """The stacks of --traces, leaf first."""
    stacks = []
    for block in re.split(r"^-+\+-+\n", text, flags=re.M):
        lines = re.findall(r"^.{13}(.*)$", block, re.M)
        if lines:
            stacks.append((first(r"\A *(-?\d+)", block), lines))
    return stacks


def paths_of(
    stacks: list[tuple[int, list[str]]], callers: bool, wanted: set[str]
) -> Paths:
    """The same, from stacks, by brute force."""
    # By stack: the position of each function's call that is nearest the root.
    outermost = [
        {
            name: len(names) - 1 - names[::-1].index(name)
            for name in wanted & set(names)
        }
        for _, names in stacks
    ]
    choose = min if callers else max
    roots = {choose(where, key=where.__getitem__) for where in outermost if where}
    paths: Paths = {}
    for (value, names), where in zip(stacks, outermost):
        for name in roots & where.keys():
            at = where[name]
            way = names[at:] if callers else names[at::-1]
            way = [key for key, _ in itertools.groupby(way)]
            for end in range(1, len(way) + 1):
                path = tuple(way[:end])
                paths[path] = paths.get(path, 0) + value
    # Stacks that end where others continue.
    mark = ENDS[0] if callers else ENDS[1]
    for path, value in list(paths.items()):
        below = [v for p, v in paths.items() if p[:-1] == path]
        if below and sum(below) != value:
            paths[(*path, mark)] = value - sum(below)
    return paths


def check_neighbours(tree: str, paths: Paths, callers: bool, what: str) -> None:
    """Where functions do not call each other, the first level is the same."""
    line = r"^ *(-?\d+)(?: B)? +\S+% \|   (.*)$"
    for block in re.split(r"^-+\+-+\n", tree, flags=re.M):
        middle = re.search(r"^.* +(-?\d+)(?: B)? +\S+% {16}\| (.*)$", block, re.M)
        if middle is None or (middle[2],) not in paths:
            continue
        parts = block[: middle.start()], block[middle.end() :]
        found = re.findall(line, parts[0 if callers else 1], re.M)
        neighbours = {name: int(value) for value, name in found}
        if sum(neighbours.values()) > int(middle[1]):
            continue
        ours = {
            path[1]: value
            for path, value in paths.items()
            if path[:-1] == (middle[2],) and path[1] not in ENDS
        }
        check(ours == neighbours, what, middle[2], ours, neighbours)


def check_trees(dump: str, _: str) -> None:
    if is_sampled(dump):
        return
    full = os.environ.get("HEAPPROF_FULL")
    others = GRANULARITIES if full else [next(rotation)]
    for option in ("--functions", *(f"--{name}" for name in others)):
        stacks = read_stacks(run("--traces", option, dump).text)
        check(stacks != [], dump, option, "no stacks")
        tree = run("--tree", option, dump).text
        labels = {name for _, names in stacks for name in names}
        choices = [(".", labels)]
        plain = sorted({name.removesuffix(" (inline)") for name in labels})
        for name in plain if full else random.sample(plain, 2):
            both = {name, f"{name} (inline)"}
            choices.append((f"^(?:{'|'.join(map(re.escape, both))})$", both))
        for pattern, wanted in choices:
            check_call_trees(dump, option, pattern, wanted, stacks, tree)


def check_call_trees(
    dump: str,
    option: str,
    pattern: str,
    wanted: set[str],
    stacks: list[tuple[int, list[str]]],
    tree: str,
) -> None:
    for name in ("callers", "callees"):
        what = f"{dump} {option} --{name}={pattern}"
        report = run(f"--{name}={pattern}", "--nodefraction=0", option, dump)
        paths = dict(read_text_outputs.tree_rows(report.text))
        expected = paths_of(stacks, name == "callers", wanted)
        check(expected != {}, what, "nothing")
        for path in paths.keys() | expected.keys():
            values = paths.get(path), expected.get(path)
            check(values[0] == values[1], what, path, *values)
        if option == "--functions":
            check_neighbours(tree, paths, name == "callers", what)


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
        write_profile(profile, dump)
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
    # Titles name the first program, which also stands for copies of itself.
    title = r"^(cmd:|c?ob=|digraph|Legend).*$"
    for name, text in reports(names, other, dump).items():
        if name == "callgrind" and (is_sampled(dump) or is_sampled(other)):
            continue  # the fraction of a value is carried to the next
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
    check(not twice, f"{dump} differs from the mean of two of itself")
    once = run("--collapsed", dump).text
    before, now = total_of(other), total_of(dump)
    # In sampled dumps, each value loses its fraction of a byte, even the value
    # of a stack that shrank and is not shown.
    stacks = len(f"{once}{run('--collapsed', other).text}".splitlines())
    slack = stacks + 1 if is_sampled(dump) or is_sampled(other) else 0
    # A graph leaves out functions whose cumulative value is 0, whatever they
    # hold themselves.
    for name in ("text", "traces", "collapsed", "callgrind"):
        done = run(f"--{name}", "--base", other, dump)
        said = r"what shrank is not in the output: (\d+) B"
        shrunk = first(said, done.messages)
        values = READERS[name](done.text)
        grown = sum(own for own, _ in values.rows)
        check(
            abs(grown - shrunk - (now - before)) <= slack,
            f"{dump} --{name} --base {other}: {grown} - {shrunk}",
        )
    check_order(dump, other)
    forth, back = both_sides(other, dump), both_sides(dump, other)
    swapped = {stack: (new, old) for stack, (old, new) in back.items()}
    check(forth == swapped, f"{dump} and {other} swapped")
    check(
        (before, now) == tuple(map(sum, zip(*forth.values(), strict=True))),
        f"totals of {other} and {dump} in two columns",
    )


def both_sides(base: str, new: str) -> dict[str, tuple[int, int]]:
    """The values of each stack on both sides of a comparison."""
    text = run("--collapsed", "--two-column", "--base", base, new).text
    rows = (line.rsplit(" ", 2) for line in text.splitlines())
    return {stack: (int(old), int(now)) for stack, old, now in rows}


def check_order(dump: str, other: str) -> None:
    """The largest difference comes first, and zero has no minus sign."""
    compared = ("--base", other, dump)
    for column, options in ((0, ()), (1, ("--cum",))):
        rows = read_text(run("--text", *options, *compared).text).rows
        sizes = [abs(row[column]) for row in rows]
        check(sizes == sorted(sizes, reverse=True), compared, options, sizes)
    for name in ("text", "tree", "traces", "threads", "list=."):
        text = run(f"--{name}", "--no-show_bytes", *compared).text
        found = re.search(r"^.*-0(\.0)?( |%|$).*$", text, re.M)
        check(not found, compared, name, found)


METRICS = ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects")
metrics = itertools.cycle(METRICS)


def scaled(dump: str, folder: str, period: int) -> str:
    """The dump as if it were sampled: its values are not integers."""
    if is_sampled(dump):
        return dump
    header, _, rest = pathlib.Path(dump).read_text().partition("\n")
    path = f"{folder}/{period}.{pathlib.Path(dump).name}"
    pathlib.Path(path).write_text(f"heap_v2/{period}\n{rest}")
    return path


def check_totals(dump: str, other: str) -> None:
    full = os.environ.get("HEAPPROF_FULL")
    with tempfile.TemporaryDirectory() as folder:
        dump, other = scaled(dump, folder, 65536), scaled(other, folder, 65536)
        for metric in METRICS if full else [next(metrics)]:
            check_total(dump, f"--{metric}", folder)
            check_total_of_sides(dump, other, f"--{metric}", folder)


def check_near(total: int, expected: int, *what: object) -> None:
    check(abs(total - expected) <= 1, *what, total, "not", expected)


def check_total(dump: str, metric: str, folder: str) -> None:
    total = total_of(metric, dump)
    check(total > 0, dump, metric, "a total of 0")
    for name in ("collapsed", "traces", "callgrind"):
        rows = READERS[name](run(f"--{name}", metric, dump).text).rows
        check_near(sum(own for own, _ in rows), total, dump, metric, name)
    for name in ("proto", "raw"):
        again = f"{folder}/again"
        run(f"--{name}", "-o", again, dump)
        check_near(total_of(metric, again), total, dump, metric, name)
        info = json.loads(run("info", "--json", again).text)["totals"]
        check_near(int(info[metric[2:]]["value"]), total, dump, metric, "info")


def check_total_of_sides(
    dump: str, other: str, metric: str, folder: str
) -> None:
    now, before = total_of(metric, dump), total_of(metric, other)
    sides = ("--base", other, dump)
    columns = run("--collapsed", "--two-column", metric, *sides).text
    pairs = numbers(r" (\d+) (\d+)$", columns)
    what = (dump, metric, "--base", other)
    check_near(sum(a for a, _ in pairs), before, *what, "before")
    check_near(sum(b for _, b in pairs), now, *what, "now")
    write_profile(f"{folder}/sides", *sides)
    grown = total_of(metric, *sides)
    check_near(total_of(metric, f"{folder}/sides"), grown, *what, "proto")


LAWS = {
    "totals": check_totals,
    "sums": check_sums,
    "trees": check_trees,
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
