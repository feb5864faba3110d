#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares where functions without a name begin with readelf's answer.

usage: unwind_starts.py HEAPPROF FILE...
"""
import bisect
import re
import subprocess
import sys


def functions_of(path):
    """The ranges of all FDEs, ascending."""
    frames = subprocess.run(
        ["readelf", "--debug-dump=frames", path], capture_output=True, text=True, check=True
    ).stdout
    ranges = re.findall(r"FDE.* pc=([0-9a-f]+)\.\.([0-9a-f]+)", frames)
    return sorted({(int(start, 16), int(end, 16)) for start, end in ranges})


def main():
    heapprof, *paths = sys.argv[1:]
    failed = False
    for path in paths:
        functions = functions_of(path)
        starts = [start for start, _ in functions]
        addresses = sorted({a for start, end in functions for a in (start, (start + end) // 2, end - 1, end)})
        names = subprocess.run(
            [heapprof, "--symbols", path],
            input="".join(f"{address:#x}\n" for address in addresses),
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        unnamed = 0
        for address, name in zip(addresses, names, strict=True):
            found = re.fullmatch(r".*\+0x([0-9a-f]+)", name)
            if not found:
                continue
            unnamed += 1
            i = bisect.bisect_right(starts, address) - 1
            is_inside = i >= 0 and address < functions[i][1]
            expected = functions[i][0] if is_inside else address
            if int(found[1], 16) != expected:
                print(f"{path}: {address:#x} is in {name}, not in {expected:#x}")
                failed = True
        if unnamed < len(functions):
            print(f"{path}: only {unnamed} addresses in {len(functions)} functions without names")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
