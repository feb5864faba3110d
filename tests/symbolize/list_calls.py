#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the return addresses in a disassembly.

Reads what `objdump --disassemble --file-offsets --no-show-raw-insn` prints
and writes a line for every instruction after a call: its file offset, its
address (both hexadecimal) and the symbol it is in.
"""

import re
import sys

FUNCTION = re.compile(r"([0-9a-f]+) <(.*)> \(File Offset: 0x([0-9a-f]+)\):")
INSTRUCTION = re.compile(r" *([0-9a-f]+):\t(\w+)")


def main() -> None:
    symbol, to_offset, behind_call = "", 0, False
    for line in sys.stdin:
        if match := FUNCTION.match(line):
            symbol = match[2]
            to_offset = int(match[3], 16) - int(match[1], 16)
            behind_call = False
        elif match := INSTRUCTION.match(line):
            address = int(match[1], 16)
            if behind_call:
                print(f"{address + to_offset:x} {address:x} {symbol}")
            behind_call = match[2] in ("call", "callq")


if __name__ == "__main__":
    main()
