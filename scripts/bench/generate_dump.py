#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a heap dump with a given number of distinct addresses in one file.

usage: generate_dump.py [--addresses] ELF COUNT > DUMP

The addresses are return addresses: each follows a direct call in .text whose
target is in .text too and aligned as functions are. If there are fewer than
COUNT such calls, all addresses are drawn evenly over .text instead. Stacks are
25 deep and hold one object of 4096 bytes. The same arguments give the same
bytes. With --addresses, prints the addresses at which symbolizers look the same
calls up: file addresses, each within its call instruction.
"""

import random
import struct
import sys

DEPTH = 25
LOAD_BIAS = 0x7F1200000000
PAGE = 0x1000
PT_LOAD, PF_X = 1, 1
CALL = b"\xe8"  # call rel32
CALL_SIZE = 5
FUNCTION_ALIGNMENT = 16


def text_section(elf):
    """Address, offset and size of .text."""
    table = struct.unpack_from("<Q", elf, 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * size)
               for i in range(count)]
    strings = headers[names][4]
    for name, _, _, address, offset, length in headers:
        start = strings + name
        if elf[start:elf.index(b"\0", start)] == b".text":
            return address, offset, length
    sys.exit("no .text section")


def return_addresses(elf):
    address, offset, length = text_section(elf)
    at = offset
    while (at := elf.find(CALL, at, offset + length - CALL_SIZE)) >= 0:
        after = at - offset + CALL_SIZE
        target = after + struct.unpack_from("<i", elf, at + 1)[0]
        if 0 <= target < length and target % FUNCTION_ALIGNMENT == 0:
            yield address + after
        at += 1


def executable_segments(elf):
    table = struct.unpack_from("<Q", elf, 0x20)[0]
    size, count = struct.unpack_from("<HH", elf, 0x36)
    for i in range(count):
        kind, flags, offset, address, _, _, length, _ = struct.unpack_from(
            "<IIQQQQQQ", elf, table + i * size)
        if kind == PT_LOAD and flags & PF_X:
            yield address, offset, length


def main():
    arguments = sys.argv[1:]
    wants_addresses = arguments[:1] == ["--addresses"]
    if len(arguments) != 2 + wants_addresses:
        sys.exit(__doc__)
    path, count = arguments[-2], int(arguments[-1])
    with open(path, "rb") as file:
        elf = file.read()
    calls = list(return_addresses(elf))
    if len(calls) < count:
        address, _, length = text_section(elf)
        calls = range(address + 1, address + length)
    picked = random.Random(1).sample(calls, count)
    if wants_addresses:
        print("\n".join(f"{a - 1:#x}" for a in picked))
        return

    stacks = [picked[i:i + DEPTH] for i in range(0, count, DEPTH)]
    counters = "{}: {} [0: 0]"
    total = counters.format(len(stacks), len(stacks) * 4096)
    one = counters.format(1, 4096)
    lines = ["heap_v2/524288", f"  t*: {total}", f"  t0: {total}"]
    for stack in stacks:
        lines.append("@" + "".join(f" {LOAD_BIAS + a:#x}" for a in stack))
        lines += [f"  t*: {one}", f"  t0: {one}"]
    lines += ["", "MAPPED_LIBRARIES:"]
    for address, offset, length in executable_segments(elf):
        start = (LOAD_BIAS + address) & -PAGE
        end = (LOAD_BIAS + address + length + PAGE - 1) & -PAGE
        lines.append(f"{start:x}-{end:x} r-xp {offset & -PAGE:08x} "
                     f"fd:00 1 {path}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
