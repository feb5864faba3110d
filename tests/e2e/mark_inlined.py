#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the inlined calls of a pprof profile into separate functions.

usage: mark_inlined.py PROFILE

Rewrites PROFILE in place: an inlined function becomes "NAME [inlined]". pprof
then has the rows of heapprof, which tells "f" and "f (inline)" apart.
"""

import gzip
import pathlib
import sys

sys.dont_write_bytecode = True
from wire_format import field, fields  # noqa: E402

MARK = b" [inlined]"
# Fields of profile.proto.
LOCATION, FUNCTION, STRING = 4, 5, 6
LINE = 4  # of a location; its field 1 is the function
ID, NAME = 1, 2  # of a function

def replaced(data: bytes, number: int, add: int) -> bytes:
    """The message with `add` added to one of its numbers."""
    return b"".join(
        field(n, v + add if n == number and isinstance(v, int) else v)
        for n, v in fields(data)
    )


def mark_lines(location: bytes, offset: int) -> bytes:
    """All lines but the last, which is the function that has the code."""
    lines = sum(number == LINE for number, _ in fields(location))
    out = b""
    for number, value in fields(location):
        if number == LINE and isinstance(value, bytes):
            lines -= 1
            value = replaced(value, ID, offset) if lines else value
        out += field(number, value)
    return out


def mark_inlined(profile: bytes) -> bytes:
    parts = list(fields(profile))
    strings = [v for n, v in parts if n == STRING]
    functions = [v for n, v in parts if n == FUNCTION]
    offset = 1 + max(dict(fields(f))[ID] for f in functions)
    out = b""
    for number, value in parts:
        if number == LOCATION:
            value = mark_lines(value, offset)
        out += field(number, value)
    for function in functions:
        marked = replaced(function, ID, offset)
        out += field(FUNCTION, replaced(marked, NAME, len(strings)))
    for string in strings:
        out += field(STRING, string + MARK)
    return out


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    profile = gzip.decompress(path.read_bytes())
    path.write_bytes(gzip.compress(mark_inlined(profile), mtime=0))


main()
