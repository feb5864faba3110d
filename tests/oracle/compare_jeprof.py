#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares heapprof with the installed jeprof on one dump.

usage: compare_jeprof.py [OPTION...] --binary BINARY DUMP

Fails if the totals differ or if a row differs in a way that jeprof_rules.py
does not list.

--modes MODE...    text, cum, inuse_objects, alloc_space, drop_negative,
                   lines, files, addresses, collapsed; by default the first
                   and the last
--lines FILE       also compares with the options of each line of FILE; a line
                   that ends in "# empty" must give a report without rows
--joined DIR       stripped files with their debug information (join_debug.sh)
--addr2line FILE   what jeprof runs, where binutils' cannot read a program
--limit PERCENT    most rows, and most bytes, that may differ in any way
--period N         compares a copy of the dump with this sampling period
--base             subtracts a changed copy of the dump
--add              adds a changed copy of the dump
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter

import jeprof_places
import jeprof_rules
from jeprof_rules import Symbols

MODES = {
    "text": ["--text", "--show_bytes"],
    "cum": ["--text", "--show_bytes", "--cum"],
    "inuse_objects": ["--text", "--inuse_objects"],
    "alloc_space": ["--text", "--show_bytes", "--alloc_space"],
    "drop_negative": ["--text", "--show_bytes", "--drop_negative"],
    "lines": ["--text", "--show_bytes", "--lines"],
    "files": ["--text", "--show_bytes", "--files"],
    "addresses": ["--text", "--show_bytes", "--addresses"],
    "collapsed": ["--collapsed"],
}
PLACES = ("--lines", "--files", "--addresses")
EMPTY = "# empty"
# jemalloc's own functions that jeprof 5.3.0 does not know: it would take them
# for those that hold the memory. In Debian's library, which has no symbols,
# all of them are "malloc_usable_size", the last one that it exports.
JEMALLOC = (
    r"^(prof_backtrace_impl|je_prof_backtrace|je_prof_tctx_create"
    r"|je_malloc_default|void\* fallback_impl|malloc_usable_size)$"
)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
    return done.stdout


def without_jemalloc(arguments: list[str]) -> list[str]:
    """The arguments that make jeprof leave out jemalloc's functions, too."""
    excluded = [JEMALLOC]
    others = []
    for argument in arguments:
        option, _, value = argument.partition("=")
        if option == "--exclude":
            excluded.append(value)
        else:
            others.append(argument)
    return [*others, f"--exclude={'|'.join(excluded)}"]


def nm_symbols(file: str) -> list[jeprof_rules.Symbol]:
    listing = run("nm", "-n", "--demangle", file)
    if not listing:
        listing = run("nm", "-D", "-n", "--demangle", file)
    lines = re.findall(r"^([0-9a-f]+) \S (.+)$", listing, re.M)
    return [(int(start, 16), name) for start, name in lines]


class Comparison:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.files = sorted(
            set(re.findall(r" r-xp .* (/.+)$", self.dump_text(), re.M))
        )
        self.symbols = Symbols(self.load_symbols)
        self.kinds: Counter = Counter()

    def dump_text(self) -> str:
        return pathlib.Path(self.options.dump).read_text(errors="replace")

    def modules(self) -> list[str]:
        return [os.path.basename(file) for file in self.files]

    def load_symbols(self, module: str) -> list[jeprof_rules.Symbol]:
        for file in self.files:
            if os.path.basename(file) == module:
                joined = f"{self.options.joined}{file}"
                return nm_symbols(joined if os.path.exists(joined) else file)
        return []

    def files_compared(self) -> list[str]:
        files = [self.options.binary, self.options.dump]
        if self.options.base:
            files.append(f"--base={self.options.base}")
        if self.options.add:
            files.append(self.options.add)
        return files

    def jeprof(self, arguments: list[str]) -> str:
        command = ["jeprof"]
        if self.options.joined:
            command.append(f"--lib_prefix={self.options.joined}")
        if self.options.addr2line:
            tools = [f"addr2line:{self.options.addr2line}"]
            tools += [f"{t}:/usr/bin/{t}" for t in ("nm", "objdump", "c++filt")]
            command.append(f"--tools={','.join(tools)}")
        return run(*command, *without_jemalloc(arguments), *self.files_compared())

    def heapprof(self, arguments: list[str]) -> str:
        return run(os.environ["HEAPPROF"], *arguments, *self.files_compared())

    def is_sampled(self) -> bool:
        with open(self.options.dump, encoding="utf-8", errors="replace") as f:
            return f.readline() != "heap_v2/1\n"

    def problems(self, mode: str, arguments: list[str]) -> list[str]:
        """What is wrong with our report, in lines for people."""
        ours, theirs = self.heapprof(arguments), self.jeprof(arguments)
        if "--collapsed" in arguments:
            differences = jeprof_rules.compare_stacks(
                jeprof_rules.parse_collapsed(ours),
                jeprof_rules.parse_collapsed(theirs),
                self.symbols,
                self.modules(),
                carried=1 if self.is_sampled() else 0,
            )
            problems = []
        else:
            differences, problems = self.compare_tables(
                mode, arguments, ours, theirs
            )
        self.kinds.update(d.kind for d in differences if d.kind is not None)
        for kind, our_name, their_name in differences:
            if kind is None:
                problems.append(f"ours {our_name!r}, jeprof's {their_name!r}")
        return problems

    def compare_tables(
        self, mode: str, arguments: list[str], ours: str, theirs: str
    ) -> tuple[list[jeprof_rules.Difference], list[str]]:
        tables = jeprof_rules.split_text(ours)
        their_tables = jeprof_rules.split_text(theirs)
        if len(tables) != len(their_tables):
            return [], [f"{len(tables)} tables, jeprof {len(their_tables)}"]
        differences, problems = [], []
        for table, their_table in zip(tables, their_tables):
            some, others = self.compare_text(
                mode, arguments, table, their_table
            )
            differences += some
            problems += others
        rows = [row for t in tables for row in jeprof_rules.parse_text(t)[1]]
        if bool(rows) == mode.endswith(EMPTY):
            problems.append(f"{len(rows)} rows")
        return differences, problems

    def compare_text(
        self, mode: str, arguments: list[str], ours: str, theirs: str
    ) -> tuple[list[jeprof_rules.Difference], list[str]]:
        problems = []
        total, rows = jeprof_rules.parse_text(ours)
        their_total, their_rows = jeprof_rules.parse_text(theirs)
        is_same = total == their_total
        if self.options.base:
            is_same = jeprof_rules.near_total(total, their_total)
            rows = jeprof_rules.with_their_rounding(rows, their_rows)
        if not is_same:
            problems.append(f"{total!r}, jeprof says {their_total!r}")
        places = [a for a in arguments if a in PLACES]
        if places:
            differences = jeprof_places.compare_places(
                rows,
                their_rows,
                places[0].lstrip("-"),
                self.symbols,
                self.modules(),
            )
        else:
            differences = jeprof_rules.compare_rows(
                rows, their_rows, self.symbols, self.modules()
            )
            if rows:
                problems += self.check_limit(mode, rows, their_rows)
        return differences, problems

    def check_limit(self, mode: str, rows: list, their_rows: list) -> list[str]:
        shares = jeprof_rules.share_that_differs(rows, their_rows)
        print(
            f"{mode}: {len(rows)} rows, {shares[0]:.2f} % of them and"
            f" {shares[1]:.2f} % of the total differ from jeprof's"
        )
        limit = self.options.limit
        if limit is None or max(shares) <= limit:
            return []
        return [f"more than {limit} % of the rows or of the total differ"]


def write(directory: str, name: str, text: str) -> str:
    path = pathlib.Path(directory) / name
    path.write_text(text)
    return str(path)


def resampled(dump: str, period: int) -> str:
    return re.sub(r"^heap_v2/\d+", f"heap_v2/{period}", dump)


def changed(dump: str) -> str:
    """A dump without a third of the stacks, and with another third doubled."""
    header, *records = re.split(r"^(?=@)", dump, flags=re.M)
    # The memory map follows the last record.
    records[-1], end = records[-1].split("\n\n", 1)
    for i, record in enumerate(records):
        if i % 3 == 0:
            records[i] = ""
        elif i % 3 == 1:
            records[i] = re.sub(
                r"^(  t\S+ )(\d+): (\d+)",
                lambda m: f"{m[1]}{2 * int(m[2])}: {2 * int(m[3])}",
                record,
                flags=re.M,
            )
    return header + "".join(records) + "\n\n" + end


def read_lines(path: str | None) -> dict[str, list[str]]:
    """The lines of options in a file, each with its list of arguments."""
    if path is None:
        return {}
    lines = pathlib.Path(path).read_text().splitlines()
    return {
        line: shlex.split(line, comments=True)
        for line in lines
        if line and not line.startswith("#")
    }


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--joined", default="")
    parser.add_argument("--addr2line")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--period", type=int)
    parser.add_argument("--base", action="store_true")
    parser.add_argument("--add", action="store_true")
    parser.add_argument("--lines")
    parser.add_argument("--binary", required=True)
    parser.add_argument(
        "--modes", nargs="*", choices=MODES, default=["text", "collapsed"]
    )
    parser.add_argument("dump")
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        text = pathlib.Path(options.dump).read_text(errors="replace")
        if options.period:
            text = resampled(text, options.period)
            options.dump = write(scratch, "resampled.heap", text)
        if options.base:
            options.base = write(scratch, "base.heap", changed(text))
        if options.add:
            options.add = write(scratch, "second.heap", changed(text))
        comparison = Comparison(options)
        failed = False
        command_lines = {mode: MODES[mode] for mode in options.modes}
        command_lines |= read_lines(options.lines)
        for mode, arguments in command_lines.items():
            for problem in comparison.problems(mode, arguments):
                print(f"{mode}: {problem}")
                failed = True
    for kind, count in sorted(comparison.kinds.items()):
        print(f"accepted: {kind} ({count})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
