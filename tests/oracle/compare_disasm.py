#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares heapprof's --disasm with the installed jeprof's, line by line.

usage: compare_disasm.py [--pattern RE] [--base FILE] --binary BINARY DUMP

Fails if a line differs after what RULES lists.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import jeprof_rules
from compare_jeprof import JEMALLOC

# What jeprof does otherwise, and why ours differs. Each is a function below.
RULES = {
    "undiscriminated": "jeprof takes a line with a discriminator for none and"
    " stays on the line before; its objdump is made to print none",
    "sorted": "jeprof sorts by library and name, ours by value",
    "once": "jeprof lists the functions of a program at fixed addresses twice",
    "apart": "ours has full names where several functions share a short one",
    "bounded": "jeprof continues past a symbol's end, to the next symbol",
    "aligned": "jeprof puts the shortest instructions to the right",
    "untyped": "jeprof leaves return types in the names of operands",
    "called": "jeprof's short names lose the '()' of a call operator",
    "cut": "jeprof cuts long file names",
    "direct": "ours have no '..' in paths",
    "recursive": "jeprof counts a stack for each instruction of a function"
    " that it has, ours once",
    "nearest": "objdump calls data after the symbol before it, whose size it"
    " does not look at",
    "found": "jeprof says nothing of lines whose source is missing, ours what"
    " they hold",
    "plain": "ours says where inlined code is inlined, also if the file stays",
    "nowhere": "jeprof takes code without a line for that of the line before",
    "joined": "jeprof takes neighbours for one line if only the numbers of"
    " their lines are equal",
}


class Line(NamedTuple):
    number: str  # of the line; or the address of an instruction
    flat: int
    cumulative: int
    text: str


class Block(NamedTuple):
    file: str
    line: Line | None
    code: list[Line]


class Routine(NamedTuple):
    name: str
    total: str
    blocks: list[Block]

    def start(self) -> int:
        return int(self.blocks[0].code[0].number, 16)


def value(text: str) -> int:
    return 0 if text == "." else int(text)


def parse(text: str) -> list[Routine]:
    routines: list[Routine] = []
    file = ""
    lines = iter(text.splitlines())
    for line in lines:
        if match := re.fullmatch(r"ROUTINE =+ (.*)", line):
            routines.append(Routine(match[1], next(lines), []))
            file = ""
            continue
        blocks = routines[-1].blocks
        if match := re.fullmatch(r"-{20} (.*)", line):
            file = match[1]
            continue
        match = re.fullmatch(r" *(\S+) +(\S+) (.{5}):(.*)", line)
        if match:
            row = Line(match[3].strip(), value(match[1]), value(match[2]),
                       match[4].strip())
            blocks.append(Block(file, row, []))
            continue
        match = re.fullmatch(r" *(\S+) +(\S+)    ( *[0-9a-f]+): (.*)", line)
        assert match, line
        if not blocks or blocks[-1].file != file:
            blocks.append(Block(file, None, []))
        blocks[-1].code.append(
            Line(match[3].strip(), value(match[1]), value(match[2]), match[4])
        )
    return routines


def once(routines: list[Routine]) -> list[Routine]:
    return list({routine.start(): routine for routine in routines}.values())


def sorted_by_start(routines: list[Routine]) -> list[Routine]:
    return sorted(routines, key=Routine.start)


def bounded(routine: Routine, last: int) -> Routine:
    """Without the instructions after `last`, which hold nothing."""
    blocks = []
    for block in routine.blocks:
        code = []
        for line in block.code:
            if int(line.number, 16) <= last:
                code.append(line)
            else:
                assert line.flat == line.cumulative == 0, line
        if code:
            blocks.append(block._replace(code=code))
    return routine._replace(blocks=blocks)


def aligned(routine: Routine) -> Routine:
    return routine._replace(blocks=[
        block._replace(code=[
            line._replace(text=untyped(nearest(line.text.strip())))
            for line in block.code
        ])
        for block in routine.blocks
    ])


def untyped(text: str) -> str:
    return re.sub(r"<[^<>]*\s(\w+::[^<>]*)>$", r"<\1>", text)


def called(text: str) -> str:
    return text.replace("operator()", "operator")


def apart(name: str) -> str:
    return jeprof_rules.short(called(name))


def plain(file: str) -> str:
    return re.sub(r" \(.* inlined at .*\)$", "", file)


def cut(file: str) -> str:
    file = file.removeprefix("./")
    return file if len(file) < 58 else "..." + file[-55:]


def nowhere(blocks: list[Block]) -> list[Block]:
    last: Block | None = None
    placed = []
    for block in blocks:
        if block.line is None and last is not None and last.line is not None:
            line = last.line._replace(
                flat=sum(code.flat for code in block.code),
                cumulative=sum(code.cumulative for code in block.code),
            )
            block = Block(last.file, line, block.code)
        placed.append(block)
        last = block
    return placed


def joined(blocks: list[Block]) -> list[Block]:
    merged: list[Block] = []
    for block in blocks:
        last = merged[-1].line if merged else None
        if last and block.line and last.number == block.line.number:
            merged[-1] = merged[-1]._replace(
                line=last._replace(
                    flat=last.flat + block.line.flat,
                    cumulative=last.cumulative + block.line.cumulative,
                ),
                code=merged[-1].code + block.code,
            )
        else:
            merged.append(block)
    return merged


def normal_ours(routine: Routine) -> Routine:
    blocks = joined(nowhere([
        block._replace(file=cut(plain(block.file)), code=[
            line._replace(text=nearest(called(line.text)))
            for line in block.code
        ])
        for block in routine.blocks
    ]))
    return routine._replace(name=apart(routine.name), blocks=blocks)


def direct(routine: Routine, ours: Routine) -> Routine:
    """With our path of a file whose path leads up and down."""
    blocks = []
    for block in routine.blocks:
        _, dots, end = block.file.rpartition("/../")
        for file in {b.file for b in ours.blocks if dots}:
            if file.endswith(f"/{end}"):
                block = block._replace(file=file)
        blocks.append(block)
    return routine._replace(blocks=blocks)


def normal_theirs(routine: Routine, ours: Routine) -> Routine:
    last = int(ours.blocks[-1].code[-1].number, 16)
    return aligned(bounded(direct(routine, ours), last))


def nearest(text: str) -> str:
    """Without the name of code after a symbol that is not a function."""
    return re.sub(r"(# [0-9a-f]+) <\S+\+0x[0-9a-f]+>$", r"\1", text)


def recursive(routine: Routine) -> Routine:
    """With the sum of the instructions, and then without the percentage."""
    flat, cumulative = routine.total.split()[:2]
    added = sum(line.cumulative for b in routine.blocks for line in b.code)
    if added == int(cumulative):
        return routine
    return routine._replace(total=f"{flat} {added}")


def found_rows(routine: Routine) -> list[str]:
    """A row for each line of the report, except those of missing sources."""
    found = [routine.name, routine.total]
    for block in routine.blocks:
        found += [
            f"{block.file} {line}" for line in (block.line, *block.code)
            if line is not None and line.text
        ]
    return found


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def undiscriminated(folder: str) -> str:
    """The path of an objdump that prints no discriminators."""
    script = pathlib.Path(folder, "objdump")
    script.write_text(
        "#!/bin/bash\nset -o pipefail\n"
        "objdump \"$@\" | sed 's/ (discriminator [0-9]*)$//'\n"
    )
    script.chmod(0o755)
    return str(script)


def compare(ours: list[Routine], theirs: list[Routine]) -> int:
    ours = sorted_by_start(ours)
    theirs = sorted_by_start(once(theirs))
    different = 0
    for our, their in itertools.zip_longest(ours, theirs):
        if our is None or their is None:
            print("only in", "jeprof:" if our is None else "heapprof:",
                  (our or their).name)
            different += 1
            continue
        our = recursive(normal_ours(our))
        their = normal_theirs(their, our)
        if "%" not in our.total:
            total = " ".join(their.total.split()[:2])
            their = their._replace(total=total)
        pairs = itertools.zip_longest(found_rows(our), found_rows(their))
        for our_row, their_row in pairs:
            if our_row != their_row:
                print(f"jeprof:   {their_row}\nheapprof: {our_row}\n")
                different += 1
    print(f"{len(ours)} functions, {different} lines differ")
    return different


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="demo::|^main")
    parser.add_argument("--base")
    parser.add_argument("--binary", required=True)
    parser.add_argument("dump")
    args = parser.parse_args()
    options = ["--show_bytes", f"--disasm={args.pattern}"]
    if args.base:
        options.append(f"--base={args.base}")
    files = [args.binary, args.dump]
    ours = parse(run(os.environ["HEAPPROF"], *options, *files))
    with tempfile.TemporaryDirectory() as folder:
        tools = f"--tools=objdump:{undiscriminated(folder)},/usr/bin/"
        theirs = parse(
            run("jeprof", tools, f"--exclude={JEMALLOC}", *options, *files)
        )
    return 1 if compare(ours, theirs) or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
