#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares heapprof with jeprof on random command lines.

usage: random_command_lines.py COUNT SEED DUMP,DUMP...

Each line has an output, a metric, filters, perhaps a base, a thread or a second
dump of the same process, which are separated by commas. The dumps are
symbolized, so names are the same and no tools are run.
Reports must be equal line by line but for what ACCEPTED lists. Prints the lines
that differ; exits with 1 if there are any.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
from collections import Counter

ACCEPTED = {
    "call operator": 'jeprof cuts all parentheses: "operator" is our'
    ' "operator()", and rows of equal size are in the order of their names',
    "folded stacks": "jeprof's are in no order, may repeat, may hold 0 or less,"
    ' and have the addresses of symbols and "[inline]" in names; of a sampled'
    " dump, it cuts the fraction off each line, which we add to the next stack",
}
PATTERNS = (
    "main", "^main$", "demo::", "Hold", "parse", "std::", "_start", "Rec",
    "lambda", "operator", "basic_string", "0040", "^0000", "x|y", "(?i)MAIN",
    "[A-Z]", "inline", r"\bf", "grow", "Handle", "worker", ".", "^$",
)  # fmt: skip


def random_line(dumps: list[str]) -> list[str]:
    def sometimes(probability: float, argument: str) -> list[str]:
        return [argument] if random.random() < probability else []

    text = random.random() < 0.75
    metrics = ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects")
    line = ["--text" if text else "--collapsed"]
    line += sometimes(0.8, f"--{random.choice(metrics)}")
    line += sometimes(0.6, "--show_bytes")
    line += sometimes(0.4 if text else 0, "--cum")
    for option in ("focus", "ignore", "retain", "exclude"):
        line += sometimes(0.25, f"--{option}={random.choice(PATTERNS)}")
    line += sometimes(0.2, "--drop_negative")
    line.append(random.choice(dumps))
    kind = random.random()
    if kind < 0.25:
        line.append(f"--base={random.choice(dumps)}")
    elif kind < 0.45 and text:
        line.append(f"--thread={random.choice('0123*')}")
    elif kind > 0.85:
        line.append(random.choice(dumps))
    return line


def text_lines(report: str) -> list[str]:
    """The lines of a table; rows sorted, without running sums and "-0.0"."""
    report = re.sub(r" -0\.0(?=[% ])", "  0.0", report)
    lines = report.replace("operator()", "operator").splitlines()
    tables: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("Total"):
            tables.append([line])
        else:
            row = r"( *\S+ +\S+) +\S+( +\S+ +\S+ .*)"
            tables[-1].append(re.sub(row, r"\1\2", line))
    return [line for t in tables for line in t[:1] + sorted(t[1:])]


def folded_lines(report: str) -> tuple[Counter, Counter]:
    """The values of stacks, and how many lines they were added up from."""
    sums: Counter = Counter()
    counts: Counter = Counter()
    for line in re.sub(r"<[0-9a-f]{16}>|\[inline\]", "", report).splitlines():
        stack, _, value = line.rpartition(" ")
        sums[stack] += int(value)
        counts[stack] += 1
    return +sums, counts


def is_sampled(line: list[str]) -> bool:
    """True if values of a dump on the command line are no integers."""
    files = (word.removeprefix("--base=") for word in line)
    return any(
        "\nheap_v2/1\n" not in pathlib.Path(file).read_text()
        for file in files
        if file.endswith(".raw")
    )


def by_name(lines: list[str]) -> list[tuple[str, list[str], list[str]]]:
    """Lines of a table without running sums: name, values, percentages."""
    rows = []
    for line in lines:
        words = line.split(maxsplit=4)
        if line.startswith("Total"):
            rows.append(("", [words[-2]], []))
        else:
            rows.append((words[4], [words[0], words[2]], [words[1], words[3]]))
    return sorted(rows, key=lambda row: (row[0], row[2], row[1]))


def are_near(ours: list[str], theirs: list[str]) -> bool:
    """True if bytes and objects differ by at most 1.

    jeprof rounds the difference, we round each side.
    """

    def is_near(a: str, b: str) -> bool:
        return a == b if "." in a else abs(int(a) - int(b)) <= 1

    rows, their_rows = by_name(ours), by_name(theirs)
    return len(rows) == len(their_rows) and all(
        row[::2] == other[::2]
        and all(is_near(a, b) for a, b in zip(row[1], other[1]))
        for row, other in zip(rows, their_rows)
    )


def differ(line: list[str], ours: str, theirs: str) -> bool:
    has_base = any(word.startswith("--base=") for word in line)
    if line[0] == "--text" and has_base and is_sampled(line):
        return not are_near(text_lines(ours), text_lines(theirs))
    if line[0] == "--text":
        return text_lines(ours) != text_lines(theirs)
    our_stacks, _ = folded_lines(ours)
    their_stacks, counts = folded_lines(theirs)
    if not is_sampled(line):
        return our_stacks != their_stacks
    return any(
        not 0 <= our_stacks[stack] - their_stacks[stack] <= max(1, counts[stack])
        for stack in our_stacks | their_stacks
    )


def report_of(program: str, *line: str) -> str:
    done = subprocess.run(
        [program, *line], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(line)}: {done.stderr}")
    return done.stdout


def main(count: str, seed: str, *dumps: str) -> int:
    random.seed(int(seed))
    failed = rows = 0
    for _ in range(int(count)):
        line = random_line(random.choice(dumps).split(","))
        theirs = report_of("jeprof", *line)
        ours = report_of(os.environ["HEAPPROF"], "--quiet", *line)
        rows += ours.count("\n")
        if differ(line, ours, theirs):
            failed += 1
            print(f"{' '.join(line)}\n  ours:   {ours}\n  jeprof: {theirs}")
    print(f"{count} command lines, {rows} lines of reports")
    return 1 if failed or rows < int(count) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
