#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints src/base/character_widths.h: how wide characters are by the C library.

usage: character_widths.py > src/base/character_widths.h; scripts/format.sh
"""
import ctypes
import locale

LAST_CHARACTER = 0x10FFFF

HEADER = """\
// SPDX-License-Identifier: Apache-2.0
//
// Made by scripts/character_widths.py from wcwidth() of glibc. The program does
// not call it, because its answers depend on the locale.
#pragma once

namespace heapprof {

struct CharacterRange {
  char32_t first = 0;
  char32_t last = 0;
};
"""


def ranges_of(width, widths):
    """Ranges with this width. Characters that are not assigned (-1) may be
    inside: then there are fewer ranges."""
    ranges = []
    first = last = None
    for character, found in enumerate(widths + [1]):
        if found == width:
            first = character if first is None else first
            last = character
        elif found != -1 and first is not None:
            ranges.append((first, last))
            first = None
    return ranges


def print_table(name, comment, ranges):
    print(f"\n// {comment}\ninline constexpr CharacterRange {name}[] = {{")
    print(", ".join(f"{{{first:#x}, {last:#x}}}" for first, last in ranges))
    print("};")


def main():
    locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    library = ctypes.CDLL(None)
    widths = [library.wcwidth(character)
              for character in range(LAST_CHARACTER + 1)]
    widths[0] = 1  # the end of a string, for wcwidth()
    print(HEADER, end="")
    print_table("kWideCharacters", "Take two columns.", ranges_of(2, widths))
    print_table("kCombiningCharacters",
                "Take none: they change the character before them, or nobody "
                "sees them.", ranges_of(0, widths))
    print("\n}  // namespace heapprof")


main()
