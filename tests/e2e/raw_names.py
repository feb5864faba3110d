# SPDX-License-Identifier: Apache-2.0
"""Compares the names in the output of --raw with those of llvm-symbolizer.

usage: raw_names.py PROGRAM RAW DUMP

For the addresses in PROGRAM, a position-independent program whose first
segment begins at address 0. Fails unless there are at least ten.
"""

import re
import subprocess
import sys


def llvm_names(program: str, address: int) -> list[str]:
    """The functions at an address, the outermost first, spelled as GNU does."""
    answer = subprocess.run(
        ["llvm-symbolizer-19", "--functions=linkage", "--inlines",
         "--no-demangle", "--no-debuginfod", f"--obj={program}", f"{address:#x}"],
        capture_output=True, text=True, check=True).stdout
    names = answer.strip().split("\n")[-2::-2]
    return subprocess.run(["c++filt"], input="\n".join(names), text=True,
                          capture_output=True, check=True).stdout.split("\n")


def main(program: str, raw: str, dump: str) -> None:
    with open(dump, encoding="utf-8") as text:
        (base, limit), *_ = re.findall(
            rf"^(\w+)-(\w+) r-xp 00000000 .* {re.escape(program)}$",
            text.read(), re.M)
    found = 0
    with open(raw, encoding="utf-8") as text:
        symbols = text.read().split("\n---")[0]
    for address, names in re.findall(r"^0x(\w+) (.*)$", symbols, re.M):
        if not int(base, 16) <= int(address, 16) < int(limit, 16):
            continue
        ours = re.sub("<[0-9a-f]{16}>", "", names).split("--")
        expected = llvm_names(program, int(address, 16) - int(base, 16))
        if ours != expected:
            sys.exit(f"0x{address}: expected {expected}, found {ours}")
        found += 1
    if found < 10:
        sys.exit(f"expected ten addresses or more in {program}, found {found}")


main(*sys.argv[1:])
