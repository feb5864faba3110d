#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a binary whose code is in many inlined calls, and two dumps of it.

usage: deep_inlining.py PATH FUNCTIONS ADDRESSES DEPTH

Writes PATH, PATH.heap and PATH.few.heap. Each of the functions has calls at so
many addresses, each of which is in DEPTH inlined calls. The first dump has all
addresses, the second one has every 100th.
"""

import pathlib
import re
import subprocess
import sys

BASE = 0x555500000000
PAGE = 4096
# A unit, a function that is only inlined, a function with code, and an inlined
# call: tag, children, and pairs of attribute and form.
ABBREVIATIONS = [
    (0x11, 1, [(0x03, 8), (0x10, 0x17), (0x11, 1), (0x12, 6)]),
    (0x2E, 0, [(0x03, 8), (0x3A, 0xB), (0x3B, 5), (0x20, 0xB)]),
    (0x2E, 1, [(0x03, 8), (0x3A, 0xB), (0x3B, 5), (0x11, 1), (0x12, 6)]),
    (0x1D, 1, [(0x31, 0x13), (0x11, 1), (0x12, 6), (0x58, 0xB), (0x59, 5)]),
]


def source(functions: int, addresses: int, depth: int) -> str:
    """The program in assembler, with its debug information."""
    lines = ['.file 1 "m.c"', '.file 2 "inlined.h"', ".text", ".globl _start",
             "_start:", ".Ltext:"]  # fmt: skip
    for f in range(functions):
        lines.append(f"f{f}:")
        for i in range(addresses):
            lines += [f".loc 1 {1 + i // 3} 1", ".byte 0xe8, 0, 0, 0, 0"]
        lines.append(f".Lend{f}:")
    lines += [".Letext:", '.section .debug_abbrev,"",@progbits', ".Labbrev:"]
    for code, (tag, children, attributes) in enumerate(ABBREVIATIONS, 1):
        numbers = [code, tag, children, *sum(attributes, ()), 0, 0]
        lines.append(".uleb128 " + ", ".join(map(str, numbers)))
    lines += [
        ".byte 0", '.section .debug_info,"",@progbits', ".Linfo:",
        ".long .Lstop - .Lstart", ".Lstart: .short 4", ".long .Labbrev",
        ".byte 8, 1", '.asciz "m.c"', ".long .Lline", ".quad .Ltext",
        ".long .Letext - .Ltext",
    ]  # fmt: skip
    for d in range(depth):
        lines += [f".Lo{d}: .byte 2", f'.asciz "inlined{d}"', ".byte 2",
                  f".short {d + 1}", ".byte 1"]  # fmt: skip
    for f in range(functions):
        code = [f".quad f{f}", f".long .Lend{f} - f{f}"]
        lines += [".byte 3", f'.asciz "f{f}"', ".byte 1", f".short {f + 1}", *code]
        for d in range(depth):
            lines += [".byte 4", f".long .Lo{(d * 7 + f) % depth} - .Linfo", *code,
                      f".byte {min(d, 1) + 1}", f".short {d + 1}"]  # fmt: skip
        lines.append(f".fill {depth + 1}, 1, 0")
    lines += [".byte 0", ".Lstop:", '.section .debug_line,"",@progbits', ".Lline:"]
    return "\n".join(lines) + "\n"


def output(*command: str) -> str:
    return subprocess.check_output(command, text=True)


def main() -> None:
    path = pathlib.Path(sys.argv[1]).resolve()
    functions, addresses, depth = map(int, sys.argv[2:])
    code = pathlib.Path(f"{path}.s")
    code.write_text(source(functions, addresses, depth))
    subprocess.run(["as", "-o", f"{path}.o", code], check=True)
    subprocess.run(["ld", "-pie", "--no-dynamic-linker", "--build-id", "-o", path,
                    f"{path}.o"], check=True)  # fmt: skip
    start = int(re.search(r"(\w+) T _start", output("nm", path))[1], 16)
    segment = re.search(r"LOAD +(\w+) (\w+) \w+ \w+ (\w+) R E",
                        output("readelf", "-lW", path))  # fmt: skip
    offset, begin, size = (int(number, 16) for number in segment.groups())
    low = BASE + begin // PAGE * PAGE
    limit = BASE + -(-(begin + size) // PAGE) * PAGE
    calls = [BASE + start + 5 * (i + 1) for i in range(functions * addresses)]
    for name, step in ((f"{path}.heap", 1), (f"{path}.few.heap", 100)):
        some = calls[:-1:step]
        records = "".join(f"@ {at:#x}\n  t*: 1: 100 [0: 0]\n" for at in some)
        pathlib.Path(name).write_text(
            f"heap_v2/1\n  t*: {len(some)}: {100 * len(some)} [0: 0]\n{records}"
            f"\nMAPPED_LIBRARIES:\n{low:x}-{limit:x} r-xp {offset:08x} 00:00 1 {path}\n"
        )


main()
