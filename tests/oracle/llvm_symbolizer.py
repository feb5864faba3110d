#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares resolve_addresses with llvm-symbolizer.

Draws addresses uniformly over .text (fixed seed), asks both, and compares
every inline level: function, file and line. Prints the share of addresses
that agree and the others by kind; exits 1 below --require.
"""

import argparse
import collections
import os
import random
import re
import shutil
import struct
import subprocess
import sys

CLONE = re.compile(r"\.(isra|part|constprop|lto_priv|llvm)\..*"
                   r"|\.(cold|hot|warm|localalias)(\..*)?$")
# Constructor and destructor variants: DWARF names the unified form, symbols
# the complete or the base one.
VARIANT = re.compile(r"(C[1-5]|D[0-5])(?=I?[A-Z])")


def text_range(path):
    """The address and size of .text, read from the section headers."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:5] != b"\x7fELF\x02":
        sys.exit(f"{path}: not a 64-bit ELF file")
    table = struct.unpack_from("<Q", data, 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size)
               for i in range(count)]
    strings = headers[names][4]
    for name, _, _, address, _, length in headers:
        start = strings + name
        if data[start:data.index(b"\0", start)] == b".text":
            return address, length
    sys.exit(f"{path}: no .text section")


def normalize_name(name):
    name = CLONE.sub("", name.split("@")[0])
    return VARIANT.sub(lambda m: m.group(0)[0] + "4", name)


def normalize_path(path, line):
    # llvm-symbolizer names the file of a symbol without line information.
    if path in ("", "??") or (line == 0 and "/" not in path):
        return ""
    return os.path.normpath(path)


def parse(blocks):
    """Frames (function, file, line) per block of lines."""
    chains = []
    for block in blocks:
        chain = []
        for line in block:
            function, _, place = line.rpartition("\t")
            path, _, number = place.rpartition(":")
            chain.append((normalize_name(function),
                          normalize_path(path, int(number)), int(number)))
        chains.append(chain)
    return chains


def ours(args, addresses):
    command = [args.resolver, args.binary]
    if args.debug:
        command.append(args.debug)
    text = "".join(f"{a:x}\n" for a in addresses)
    done = subprocess.run(command, input=text, capture_output=True, text=True,
                          check=True)
    sys.stderr.write(done.stderr)
    # An address without frames leaves an empty line of its own.
    blocks, current = [], []
    for line in done.stdout.splitlines():
        if line:
            current.append(line)
        else:
            blocks.append(current)
            current = []
    return parse(blocks)


def theirs(args, addresses):
    command = [args.symbolizer, "--obj", args.debug or args.binary,
               "--no-demangle", "--inlining=true", "--functions=linkage"]
    text = "".join(f"0x{a:x}\n" for a in addresses)
    done = subprocess.run(command, input=text, capture_output=True, text=True,
                          check=True)
    blocks = []
    for block in done.stdout.strip("\n").split("\n\n"):
        lines = block.split("\n")
        pairs = zip(lines[0::2], lines[1::2])
        frames = []
        for function, place in pairs:
            place = place.rsplit(":", 1)[0]
            frames.append(f"{function}\t{place}")
        # Padding between functions has a line row, but belongs to nobody.
        blocks.append([] if frames[0].startswith("??\t") else frames)
    return parse(blocks)


def same_function(mine, other):
    """Where DWARF has no linkage name llvm-symbolizer prints the bare name;
    we print the symbol's or a qualified one."""
    if mine == other or mine.endswith("::" + other):
        return True
    if other.startswith("_Z") or not mine.startswith("_Z"):
        return False
    base = other.split("<")[0]
    return not base.isidentifier() or f"{len(base)}{base}" in mine


def kind_of(mine, other):
    """None if equal, else a short name for the difference."""
    if not mine and not other:
        return None
    if not mine or not other:
        return "only one side answers"
    if len(mine) != len(other):
        return "inline depth"
    for level, (a, b) in enumerate(zip(mine, other)):
        where = "innermost" if level == 0 else "call site"
        if not same_function(a[0], b[0]):
            last = level == len(mine) - 1
            return "outermost function" if last else "inlined function"
        if a[1] != b[1]:
            return f"file, {where}"
        if a[2] != b[2]:
            return f"line, {where}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("resolver", help="the resolve_addresses program")
    parser.add_argument("binary")
    parser.add_argument("--debug", help="debug file of the binary")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--require", type=float, default=99.5)
    parser.add_argument("--show", type=int, default=3,
                        help="examples per kind of difference")
    parser.add_argument("--symbolizer",
                        default=shutil.which("llvm-symbolizer-19")
                        or shutil.which("llvm-symbolizer"))
    args = parser.parse_args()
    if not args.symbolizer:
        sys.exit("llvm-symbolizer not found")

    start, size = text_range(args.binary)
    draw = random.Random(args.seed)
    addresses = [start + draw.randrange(size) for _ in range(args.count)]
    mine, other = ours(args, addresses), theirs(args, addresses)
    if len(mine) != len(other):
        sys.exit(f"{len(mine)} answers against {len(other)}")
    kinds = collections.defaultdict(list)
    for answer in zip(addresses, mine, other):
        kind = kind_of(answer[1], answer[2])
        if kind:
            kinds[kind].append(answer)
    wrong = sum(len(v) for v in kinds.values())
    share = 100 * (1 - wrong / len(addresses))
    print(f"{args.binary}: {share:.2f} % of {len(addresses)} agree")
    for kind, answers in sorted(kinds.items(), key=lambda k: -len(k[1])):
        print(f"  {len(answers)} x {kind}")
        for address, a, b in answers[:args.show]:
            print(f"    {address:#x}")
            print("".join(f"      ours   {f}\n" for f in a), end="")
            print("".join(f"      theirs {f}\n" for f in b), end="")
    return 0 if share >= args.require else 1


if __name__ == "__main__":
    sys.exit(main())
