#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares answers with those of llvm-symbolizer, and of both engines.

Draws addresses uniformly over .text (fixed seed), asks resolve_addresses and
llvm-symbolizer, and compares every inline level: function, file and line. An
address agrees if all its levels do. Prints the share of addresses that agree
and the others by kind. Then compare_engines compares our reader with libdw,
with itself on several threads, and with an index. Exits 1 if fewer agree than
must, or if our reader leaves a part of a file to libdw.

Names agree if they are equal, if they demangle alike (DWARF names the unified
constructor "C4", symbols the complete or the base one), if llvm-symbolizer
has the bare name that DWARF records of a static function or a lambda, and ours
is that name with its scopes or mangled, or if DWARF has no mangled name, so
that ours is the name with its scopes of the symbol that llvm-symbolizer has.

One kind of difference is explained and does not count. Compilers and linkers
fold identical functions, which leaves several symbols at one address. DWARF
describes one of them, and that is our answer; llvm-symbolizer prefers the
symbol table to DWARF for the outermost function and picks another. Accepted
only if the symbol table has both names at one address.
"""

import argparse
import collections
import functools
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys

CLONE = re.compile(r"\.(isra|part|constprop|lto_priv|llvm)\..*"
                   r"|\.(cold|hot|warm|localalias)(\..*)?$|\.[0-9]+$")
UP_TO_ARGUMENTS = re.compile(r".*?\boperator(<=>|<<=?|>>=?|->\*?|[<>]=?)|[^<]*")
FOLDED = "folded functions"
EXPLAINED = {FOLDED}
SYMTAB = 2
SYMBOL_SIZE = 24
REQUIRED = 99.9  # percent of the addresses
ENGINES_REQUIRED = 100
COUNT, FULL_COUNT = 2000, 20000
FULL = bool(os.getenv("HEAPPROF_FULL"))
SKIPPED = 77


class Sections:
    """The section headers of a 64-bit little-endian ELF file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: not a 64-bit little-endian ELF file")
        self.path = path
        table = struct.unpack_from("<Q", self.data, 0x28)[0]
        size, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        self.headers = [
            struct.unpack_from("<IIQQQQIIQQ", self.data, table + i * size)
            for i in range(count)]
        self.names = self.headers[names][4]

    def string(self, start):
        return self.data[start:self.data.index(b"\0", start)].decode()

    def text_range(self):
        """The address and size of .text."""
        for name, _, _, address, _, length, *_ in self.headers:
            if self.string(self.names + name) == ".text":
                return address, length
        sys.exit(f"{self.path}: no .text section")

    def symbol_addresses(self):
        """From symbol names without clone suffix to their addresses."""
        addresses = collections.defaultdict(set)
        for _, kind, _, _, offset, size, link, *_ in self.headers:
            if kind != SYMTAB:
                continue
            strings = self.headers[link][4]
            for at in range(offset, offset + size, SYMBOL_SIZE):
                name, _, _, _, value = struct.unpack_from("<IBBHQ", self.data,
                                                          at)
                text = self.string(strings + name)
                addresses[normalize_name(text)].add(value)
        return addresses


def find_debug_file(binary, root):
    notes = subprocess.run(["readelf", "--notes", binary], capture_output=True,
                           text=True, check=True).stdout
    match = re.search(r"Build ID: ([0-9a-f]{2})([0-9a-f]+)", notes)
    if not match:
        sys.exit(f"{binary}: no build id")
    path = os.path.join(root, ".build-id", match[1], match[2] + ".debug")
    if not os.path.exists(path):
        sys.exit(f"{binary}: its debug file {path} is missing")
    return path


def normalize_name(name):
    return CLONE.sub("", name.split("@")[0])


class Demangler:
    """One c++filt, which answers each line at once. LLVM's demangler is asked
    for what it cannot demangle, such as names with constraints."""

    def __init__(self):
        self.other = shutil.which("llvm-cxxfilt-19")
        self.child = subprocess.Popen(
            ["c++filt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1)

    @functools.cache
    def gnu(self, name):
        self.child.stdin.write(name + "\n")
        return self.child.stdout.readline().strip()

    @functools.cache
    def ask(self, name):
        answer = self.gnu(name)
        if answer.startswith("_Z") and self.other:
            answer = subprocess.run([self.other, answer], check=True, text=True,
                                    capture_output=True).stdout.strip()
        return answer

    def has_constraints(self, name):
        return self.gnu(name).startswith("_Z") or " requires " in self.ask(name)


demangler = Demangler()
demangle = demangler.ask


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


def ours(args, files, addresses):
    command = [os.path.join(args.tools, "resolve_addresses"), "dwarf", *files]
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


def theirs(args, files, addresses):
    command = [args.symbolizer, "--obj", files[-1],
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
        # Padding between functions has a line row but belongs to no function.
        blocks.append([] if frames[0].startswith("??\t") else frames)
    return parse(blocks)


@functools.cache
def same_function(mine, other):
    if mine == other or mine.endswith("::" + other):
        return True
    if not mine.startswith("_Z") and other.startswith("_Z"):
        # Up to the template arguments, which each writes in its way.
        stem = UP_TO_ARGUMENTS.match(mine)[0]
        readable = demangle(other)
        if readable.startswith("_Z"):
            # No demangler can read it, but it contains the identifier.
            base = stem.split("::")[-1]
            return f"{len(base)}{base}" in other
        # With -g1, a function has only the scopes of its symbol, which do not
        # count if the symbol has constraints.
        start = r"^|\s|::" if demangler.has_constraints(other) else r"^|\s"
        return re.search(rf"({start}){re.escape(stem)}(\[abi:\w+\])*[<(]",
                         readable) is not None
    if not mine.startswith("_Z"):
        return False
    scope, is_generic, function = mine.partition("::{lambda}::")
    if is_generic and other.startswith("_Z"):
        # A generic lambda has no linkage name, only that of its function.
        stem = UP_TO_ARGUMENTS.match(function)[0]
        return re.search(rf"(^|\s){re.escape(demangle(scope))}"
                         rf"::{{lambda\(.*\)#\d+}}::{re.escape(stem)}[<(]",
                         demangle(other)) is not None
    if other.startswith("_Z"):
        return demangle(mine) == demangle(other)
    # A bare name: the last component of ours.
    base = re.escape(other.split("<")[0])
    return re.search(rf"(^|::|\s){base}(<.*>)?(\[abi:\w+\])*\(",
                     demangle(mine)) is not None


def kind_of(mine, other, symbols):
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
            if level < len(mine) - 1:
                return "inlined function"
            folded = symbols[a[0]] & symbols[b[0]] and a[1:] == b[1:]
            return FOLDED if folded else "outermost function"
        if a[1] != b[1]:
            return f"file, {where}"
        if a[2] != b[2]:
            return f"line, {where}"
    return None


def compare(args, files):
    """Whether enough answers agree in a file, given with its debug file."""
    start, size = Sections(files[0]).text_range()
    symbols = Sections(files[-1]).symbol_addresses()
    count = min(size, FULL_COUNT if FULL else COUNT)
    addresses = random.Random(args.seed).sample(range(start, start + size),
                                                count)
    mine = ours(args, files, addresses)
    other = theirs(args, files, addresses)
    if len(mine) != len(other):
        sys.exit(f"{len(mine)} answers against {len(other)}")
    kinds = collections.defaultdict(list)
    for answer in zip(addresses, mine, other):
        kind = kind_of(answer[1], answer[2], symbols)
        if kind:
            kinds[kind].append(answer)
    wrong = sum(len(answers) for kind, answers in kinds.items()
                if kind not in EXPLAINED)
    share = 100 * (1 - wrong / count)
    levels = sum(map(len, mine))
    print(f"{files[0]}: {share:.2f} % of {count} addresses with {levels} "
          "levels agree")
    for kind, answers in sorted(kinds.items(), key=lambda k: -len(k[1])):
        explained = " (explained)" if kind in EXPLAINED else ""
        print(f"  {len(answers)} x {kind}{explained}")
        for address, a, b in answers[:args.show]:
            print(f"    {address:#x}")
            print("".join(f"      ours   {f}\n" for f in a), end="")
            print("".join(f"      theirs {f}\n" for f in b), end="")
    return share >= REQUIRED


def engines_agree(args, files):
    sys.stdout.flush()
    command = [os.path.join(args.tools, "compare_engines"), str(FULL_COUNT),
               str(ENGINES_REQUIRED), *files]
    return subprocess.run(command, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", help="the folder of resolve_addresses and "
                        "compare_engines")
    parser.add_argument("binaries", help="a pattern that names files")
    parser.add_argument("--debug-root",
                        help="folder to find debug files in, by build id")
    parser.add_argument("--full-only", action="store_true",
                        help="skip all without HEAPPROF_FULL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3,
                        help="examples per kind of difference")
    parser.add_argument("--symbolizer",
                        default=shutil.which("llvm-symbolizer-19")
                        or shutil.which("llvm-symbolizer"))
    args = parser.parse_args()
    if not args.symbolizer:
        sys.exit("llvm-symbolizer not found")
    if args.full_only and not FULL:
        print("skipped: this comparison takes long; HEAPPROF_FULL=1 runs it")
        return SKIPPED
    binaries = sorted(glob.glob(args.binaries))
    if not binaries:
        sys.exit(f"no file is called {args.binaries}")
    failed = False
    for binary in binaries:
        files = [binary]
        if args.debug_root:
            files.append(find_debug_file(binary, args.debug_root))
        agrees = compare(args, files)
        failed |= not (engines_agree(args, files) and agrees)
    return failed


if __name__ == "__main__":
    sys.exit(main())
