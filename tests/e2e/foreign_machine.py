# SPDX-License-Identifier: Apache-2.0
"""Writes a dump of a program that this machine cannot run, and what
llvm-symbolizer says of it.

usage: foreign_machine.py BINARY DUMP EXPECTED

Every instruction after a call becomes a stack of one frame, at a runtime
address as if the kernel had put the program at a place of its choice. EXPECTED
gets the folded stacks that heapprof must print.
"""

import re
import subprocess
import sys

BASE = 0xAAAA_0000_0000


def run(*command: str, text: str = "") -> str:
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=True
    ).stdout


def return_addresses(binary: str) -> list[int]:
    """The addresses after all calls that llvm-objdump finds."""
    listing = run("llvm-objdump-19", "-d", "--no-show-raw-insn", binary)
    lines = re.findall(r"^ *([0-9a-f]+):\s+(\S+)", listing, re.M)
    return [
        int(after[0], 16)
        for (_, name), after in zip(lines, lines[1:])
        if name in ("bl", "blr", "callq", "call")
    ]


def segments(binary: str) -> tuple[bool, list[tuple[int, int, int, bool]]]:
    """True if the program is position-independent; its PT_LOAD segments."""
    header = run("readelf", "-hlW", binary)
    loads = re.findall(
        r"LOAD\s+(\S+) (\S+) \S+ (\S+) \S+ (.{3})", header
    )
    return "EXEC (" not in header, [
        (int(o, 16), int(a, 16), int(s, 16), "E" in f) for o, a, s, f in loads
    ]


def main(binary: str, dump: str, expected: str) -> None:
    movable, loads = segments(binary)
    base = BASE if movable else 0
    calls = return_addresses(binary)
    assert len(calls) >= 8, calls
    total = sum(4096 * (i + 1) for i in range(len(calls)))
    text = f"heap_v2/1\n  t*: {len(calls)}: {total} [0: 0]\n"
    for i, call in enumerate(calls):
        text += f"@ 0x{base + call:x}\n  t*: 1: {4096 * (i + 1)} [0: 0]\n"
    text += "\nMAPPED_LIBRARIES:\n"
    for offset, address, size, executable in loads:
        page = 0xFFF
        start = (base + address) & ~page
        end = (base + address + size + page) & ~page
        text += (
            f"{start:x}-{end:x} r-{'x' if executable else '-'}p "
            f"{offset & ~page:08x} fe:00 12 {' ' * 20}/opt/{'server'}\n"
        )
    open(dump, "w", encoding="utf-8").write(text)

    stacks: dict[str, int] = {}
    for i, call in enumerate(calls):
        answer = run(
            "llvm-symbolizer-19", "--functions=linkage", "--inlines",
            "--no-debuginfod", f"--obj={binary}", f"0x{call - 1:x}",
        )
        names = answer.strip().split("\n")[0::2]
        stack = ";".join(reversed(names))
        stacks[stack] = stacks.get(stack, 0) + 4096 * (i + 1)
    with open(expected, "w", encoding="utf-8") as out:
        for stack in sorted(stacks):
            out.write(f"{stack} {stacks[stack]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
