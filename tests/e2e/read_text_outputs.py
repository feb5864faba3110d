# SPDX-License-Identifier: Apache-2.0
"""Reads the outputs of a comparison that are text; see comparison_facts.py."""

import collections
import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator

from comparison_facts import (
    TOTAL, Facts, Key, Rows, Stack, Stacks, Value, both, grown, plain
)

MIB = 2**20
UNITS = {"B": 1, "KiB": 2**10, "MiB": MIB, "GiB": 2**30}


def read_text(text: str, kind: str) -> Facts:
    """jeprof's table, in bytes or in MB."""
    rows = Rows()
    is_rounded = re.search(r"^(?:Total:)? *-?\d+\.\d ", text) is not None
    scale = MIB if is_rounded else 1
    error = 0.0501 * scale if is_rounded else 0
    if found := re.search(r"^Total: (\S+) \w+", text, re.M):
        rows.facts[TOTAL].append(grown(float(found[1]) * scale, error))
    row = r"^ *(-?[\d.]+) +\S+% +\S+% +(-?[\d.]+) +\S+% (.*)$"
    for own, cumulative, name in re.findall(row, text, re.M):
        rows.add(kind, "self", name, grown(float(own) * scale, error))
        value = grown(float(cumulative) * scale, error)
        rows.add(kind, "cumulative", name, value)
    return rows.facts


def read_tree(text: str, kind: str) -> Facts:
    """--tree and --peek, with the calls between functions."""
    rows = Rows()
    value = r"([+-]?\d+)(?: B)?"
    if total := re.search(rf"% of {value} total", text):
        rows.facts[TOTAL].append(grown(int(total[1])))
    for block in re.split(r"^-+\+-+\n", text, flags=re.M):
        row = re.search(
            rf"^ *{value} +\S+% +\S+% +{value} +\S+% +\| (.*)$", block, re.M)
        if row is None:
            continue
        rows.add(kind, "self", row[3], grown(int(row[1])))
        rows.add(kind, "cumulative", row[3], grown(int(row[2])))
        for call in re.finditer(rf"^ *{value} +\S+% \|   (.*)$", block, re.M):
            ends = (call[2], row[3])
            if call.start() > row.start():
                ends = ends[::-1]
            name = " -> ".join(map(plain, ends))
            rows.facts[Key("call", "cumulative", name)] = [grown(int(call[1]))]
    return rows.facts


def read_dot(text: str, kind: str) -> Facts:
    rows = Rows()
    if total := re.search(r'^digraph ".*; (-?\d+) \w+" ', text, re.M):
        rows.facts[TOTAL].append(grown(int(total[1])))
    node = (
        r'^N(\d+) \[label="(?:[^"\\]|\\.)*?(-?\d+) \(\S+%\)'
        r'(?:\\rof (-?\d+) \(\S+%\))?\\r",tooltip="((?:[^"\\]|\\.)*)"')
    names = {}
    for number, own, cumulative, name in re.findall(node, text, re.M):
        name = html.unescape(re.sub(r"\\(.)", r"\1", name))
        names[number] = plain(name)
        rows.add(kind, "self", name, grown(int(own)))
        rows.add(kind, "cumulative", name, grown(int(cumulative or own)))
    edge = r'^N(\d+) -> N(\d+) \[label=" (-?\d+)"'
    for caller, callee, value in re.findall(edge, text, re.M):
        if caller == callee:
            continue
        name = f"{names[caller]} -> {names[callee]}"
        rows.add("call", "cumulative", name, grown(int(value)))
    return rows.facts


def read_list(text: str) -> Facts:
    """The functions and lines of --list; '.' stands for 0."""
    rows = Rows()
    for routine in text.split("ROUTINE ====")[1:]:
        name, file = re.match(r"=* (.*) in (.*)\n", routine).groups()
        numbers = r"^ *(\S+) +(\S+)"
        total = re.search(rf"{numbers} Total ", routine, re.M)
        lines = re.findall(rf"{numbers} +(\d+):", routine, re.M)
        for kind, entity, values in (
                ("function", name, total.groups()),
                *(("line", f"{name} {file}:{line}", values)
                  for *values, line in lines)):
            for measure, value in zip(("self", "cumulative"), values):
                change = 0 if value == "." else int(value)
                rows.add(kind, measure, entity, grown(change))
    return rows.facts


def traces(text: str) -> Stacks:
    """The stacks of --traces, with the marks of their frames."""
    stacks = []
    for block in re.split(r"^-+\+-+\n", text, flags=re.M):
        if row := re.match(r" *([+-]?\d+)(?: B)? +(\S.*)\n", block):
            callers = re.findall(r"^ {13}(.*)$", block[row.end():], re.M)
            stack = (*callers[::-1], row[2])
            stacks.append((stack, grown(int(row[1]))))
    return stacks


def columns(text: str) -> Stacks:
    """The stacks of --collapsed --two-column."""
    stacks = []
    for line in text.splitlines():
        stack, before, after = line.rsplit(" ", 2)
        value = both(int(before), int(after))
        stacks.append((tuple(stack.split(";")), value))
    return stacks


def counts(text: str) -> list[tuple[Stack, int]]:
    """The stacks of --collapsed, which has only those that grew if there is a
    base."""
    lines = (line.rsplit(" ", 1) for line in text.splitlines())
    return [(tuple(stack.split(";")), int(value)) for stack, value in lines]


def read_threads(text: str) -> Facts:
    rows = Rows()
    row = r"^ +(\d+) +(-?\d+)(?: B)? +\S+ +\S+ +\S+ "
    for uid, value in re.findall(row, text, re.M):
        rows.add("thread", "self", uid, grown(int(value)))
    return rows.facts


def read_thread_tables(text: str) -> Facts:
    """A table for each thread, whose own values are what the thread holds."""
    rows = Rows()
    for table in re.split(r"^Total \(", text, flags=re.M)[1:]:
        uid, _, lines = table.partition(")")
        table = read_text(lines.partition("\n")[2], "function")
        own = sum(v.change for key, values in table.items()
                  if key.measure == "self" for v in values)
        rows.add("thread", "self", uid[1:], grown(own))
    return rows.facts


def tree_rows(text: str) -> Iterator[tuple[Stack, int]]:
    """Path and value of each row of --callers or --callees, roots first."""
    last: list[Stack] = []  # path of the last row, by level
    row = r"^ *([+-]?\d+)(?: B)? +\S+%  ((?:  )*)(- )?(.*)$"
    for value, indentation, branch, name in re.findall(row, text, re.M):
        level = len(indentation) // 2 + bool(branch)
        above = last[level - 1 if branch else level] if level else ()
        del last[level:]
        last.append((*above, name))
        yield last[level], int(value)


def call_paths(text: str) -> Stacks:
    """The paths of a tree, without stacks that end there, and the rest."""
    return [(path, grown(value)) for path, value in tree_rows(text)
            if not path[-1].startswith("[")]


def read_callgrind(text: str) -> Facts:
    """What each function itself has grown by."""
    names: dict[str, str] = {}
    own: dict[str, int] = collections.defaultdict(int)
    function = ""
    is_call = False
    for line in text.splitlines():
        if name := re.match(r"c?fn=(\(\d+\))(?: (.*))?", line):
            names.setdefault(name[1], name[2])
            if line.startswith("fn="):
                function = names[name[1]]
        elif line.startswith("calls="):
            is_call = True  # the next line has its cost
        elif cost := re.fullmatch(r"\d+ (\d+)", line):
            if not is_call:
                own[function] += int(cost[1])
            is_call = False
    rows = Rows()
    for function, value in own.items():
        rows.add("function", "growth", function, grown(value))
    return rows.facts


ANSI = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(command: list[str]) -> str:
    """What a wide terminal shows."""
    parent, child = pty.openpty()
    rows_and_columns = struct.pack("HHHH", 50, 4000, 0, 0)
    fcntl.ioctl(child, termios.TIOCSWINSZ, rows_and_columns)
    process = subprocess.Popen(
        command, stdin=child, stdout=child, stderr=subprocess.DEVNULL)
    os.close(child)
    blocks = []
    try:
        while block := os.read(parent, 65536):
            blocks.append(block)
    except OSError:  # nobody writes to it any more
        pass
    os.close(parent)
    process.wait()
    return b"".join(blocks).decode()


def size(text: str) -> tuple[float, float]:
    """'3.6 MiB' or '+4.0 ± 1.2 MiB': the value, and half of its last digit."""
    if text in ("new", "gone"):
        return 0, 0
    found = re.fullmatch(
        r"([+-]?[\d.]+)(?: ± <?[\d.]+| \(.* to .*\))?(?: (\w+))?", text)
    if found is None:
        raise ValueError(f"not a size: {text}")
    scale = UNITS[found[2] or "B"]
    digits = len(found[1].partition(".")[2])
    is_whole = scale == 1 and digits == 0
    error = 0 if is_whole else 0.501 * scale / 10**digits
    return float(found[1]) * scale, error


def read_terminal(text: str, kind: str, measure: str) -> Facts:
    """The comparison on a terminal, with all of its rows."""
    rows = Rows()
    is_table = False
    for line in ANSI.sub("", text).replace("\r", "").splitlines():
        cells = re.split(r" {2,}", line.strip())
        if cells[:3] == ["before", "after", "change"]:
            is_table = True
        elif not line or line.startswith("Next:"):
            is_table = False
        elif is_table and len(cells) >= 5 and cells[3].endswith("%"):
            parts = [size(cell) for cell in cells[:3]]
            values = [value for value, _ in parts]
            error = max(error for _, error in parts)
            name = cells[4]
            if name == "total":
                rows.facts[TOTAL].append(Value(*values, error))
            else:
                rows.add(kind, measure, name, Value(*values, error))
    return rows.facts


