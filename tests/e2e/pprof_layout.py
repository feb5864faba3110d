#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a jemalloc dump as versions of rust-jemalloc-pprof would have.

usage: pprof_layout.py LAYOUT DUMP OUT [--no-build-id]

LAYOUT says what mappings and addresses are:
  A  mappings where the process had them, runtime addresses    (to 0.7)
  B  mappings of 0 to 0, offsets in the file                   (0.8.0)
  C  mappings of 0 to 0, addresses as the ELF file states them (0.8.1)
  D  mappings of everything, addresses as in C                 (0.8.2 on)
All have one value per sample, inuse_space, and no period; all list one mapping
for each PT_LOAD of each file; all addresses are return addresses minus 1.
"""

import gzip
import math
import re
import subprocess
import sys
from typing import NamedTuple

sys.dont_write_bytecode = True
import wire_format  # noqa: E402
from wire_format import varint  # noqa: E402


class Segment(NamedTuple):
    start: int  # runtime
    limit: int
    offset: int
    address: int
    path: str
    build_id: str


def segments_of(path: str, maps: list[tuple[int, int, str]]) -> list[Segment]:
    """The PT_LOADs of a file whose executable lines `maps` has."""
    text = subprocess.run(
        ["readelf", "-lnW", path], capture_output=True, text=True, check=True
    ).stdout
    ids = re.findall(r"Build ID: ([0-9a-f]+)", text)
    loads = re.findall(
        r"LOAD +(0x\w+) (0x\w+) 0x\w+ 0x\w+ (0x\w+) (.{3})", text
    )
    loads = [(int(o, 16), int(a, 16), int(s, 16), f) for o, a, s, f in loads]
    start, offset, _ = next(m for m in maps if m[2] == path)
    code = next(load for load in loads if "E" in load[3])
    bias = start - offset + code[0] - code[1]
    return [
        Segment(bias + a, bias + a + size, o, a, path, ids[0] if ids else "")
        for o, a, size, _ in loads
    ]


def field(number: int, value: wire_format.Value) -> bytes:
    """As protobuf's library writes it: without numbers that are 0."""
    return b"" if value == 0 else wire_format.field(number, value)


class Writer:
    def __init__(self, layout: str, segments: list[Segment]) -> None:
        self.layout = layout
        self.segments = segments
        self.strings = {"": 0}
        self.locations: dict[int, tuple[int, int]] = {}  # id, mapping

    def string(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def value_type(self, kind: str, unit: str) -> bytes:
        return field(1, self.string(kind)) + field(2, self.string(unit))

    def mapping(self, number: int, segment: Segment) -> bytes:
        range_of = {
            "A": (segment.start, segment.limit, segment.offset),
            "D": (0, 2**64 - 1, 0),
        }.get(self.layout, (0, 0, 0))
        parts = [number, *range_of, self.string(segment.path)]
        parts.append(self.string(segment.build_id))
        return b"".join(field(i, p) for i, p in enumerate(parts, 1))

    def location(self, return_address: int) -> int:
        address = return_address - 1
        mapping = 0
        for number, s in enumerate(self.segments, 1):
            if s.start <= address < s.limit:
                mapping = number
                if self.layout != "A":
                    to = s.offset if self.layout == "B" else s.address
                    address += to - s.start
                break
        number, _ = self.locations.setdefault(
            address, (len(self.locations) + 1, mapping)
        )
        return number

    def sample(self, stack: list[int], value: int) -> bytes:
        ids = b"".join(varint(self.location(address)) for address in stack)
        return field(1, ids) + field(2, varint(value))

    def profile(self, samples: list[tuple[list[int], int]]) -> bytes:
        out = field(1, self.value_type("inuse_space", "bytes"))
        for stack, value in samples:
            out += field(2, self.sample(stack, value))
        for number, segment in enumerate(self.segments, 1):
            out += field(3, self.mapping(number, segment))
        for address, (number, mapping) in self.locations.items():
            parts = field(1, number) + field(2, mapping) + field(3, address)
            out += field(4, parts)
        out += field(11, self.value_type("space", "bytes"))
        for text in self.strings:
            out += field(6, text.encode())
        return out + field(9, 1_700_000_000_000_000_000)


def read_dump(path: str) -> tuple[list, list]:
    """The samples, unbiased and truncated, and the executable map lines."""
    with open(path, encoding="latin-1") as file:
        text = file.read()
    period = int(re.match(r"heap_v2/(\d+)\n", text).group(1))
    samples = []
    for stack, objects, size in re.findall(
        r"^@((?: 0x\w+)*)\n +t\*: (\d+): (\d+) ", text, re.M
    ):
        value = 0
        if int(objects):
            mean = int(size) / int(objects)
            value = int(int(size) / (1 - math.exp(-mean / period)))
        samples.append(([int(a, 16) for a in stack.split()], value))
    maps = [
        (int(start, 16), int(offset, 16), name)
        for start, offset, name in re.findall(
            r"^(\w+)-\w+ r-xp (\w+) \S+ \d+ +(/.*)$", text, re.M
        )
    ]
    return samples, maps


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "--no-build-id"]
    layout, dump, out = arguments
    samples, maps = read_dump(dump)
    segments = []
    for path in dict.fromkeys(m[2] for m in maps):
        segments += segments_of(path, maps)
    if len(arguments) < len(sys.argv) - 1:
        segments = [s._replace(build_id="") for s in segments]
    with open(out, "wb") as file:
        profile = Writer(layout, segments).profile(samples)
        file.write(gzip.compress(profile, mtime=0))


main()
