#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a large heap_v2 dump that looks like one of a busy server.

usage: make_dump.py MEGABYTES [SEED] > FILE

Stacks are 20 to 40 addresses deep. They are walks down a random call tree, so
that, as in real dumps, neighbours share their root end and all share a few
allocator frames at the leaf. Records stand in jemalloc's order: by the bytes
of their addresses. Equal arguments give equal output.
"""

import random
import struct
import sys

PERIOD = 524288
LIBRARIES = [
    (0x5581C0A00000, 0x5581C3A00000, "/srv/shop/bin/server"),
    (0x7F2E10000000, 0x7F2E10200000, "/usr/lib/libstdc++.so.6.0.30"),
    (0x7F2E11000000, 0x7F2E11180000, "/usr/lib/libc.so.6"),
    (0x7F2E12000000, 0x7F2E12090000, "/usr/lib/libjemalloc.so.2"),
]
ALLOCATOR = [0x7F2E12001A30, 0x7F2E12002D21, 0x7F2E1200DF24]
RECORD_BYTES = 500  # about the mean
SIZES = [8, 16, 32, 48, 64, 96, 128, 320, 1024, 4096, 20480, 65536, 1 << 20]


def call_sites(rng: random.Random, count: int) -> list[int]:
    """Return addresses, most of them in the program itself."""
    sites = []
    for _ in range(count):
        start, limit, _ = rng.choices(LIBRARIES[:3], [8, 1, 1])[0]
        sites.append(rng.randrange(start + 0x1000, limit))
    return sites


def stacks(rng: random.Random, count: int) -> list[list[int]]:
    """Distinct stacks, leaf first, in the order of a dump."""
    sites = call_sites(rng, max(1000, count // 8))
    roots = [[rng.choice(sites) for _ in range(6)] for _ in range(12)]
    paths = [list(root) for root in roots]
    unique = {}
    while len(unique) < count:
        # Continue one of the paths walked before from some depth on.
        base = rng.choice(paths)
        keep = rng.randint(6, len(base))
        depth = rng.randint(17, 37)
        path = base[: min(keep, depth)]
        while len(path) < depth:
            path.append(rng.choice(sites))
        if len(paths) < 20000:
            paths.append(path)
        frames = ALLOCATOR[: rng.randint(1, 3)] + path[::-1]
        unique[struct.pack(f"<{len(frames)}Q", *frames)] = frames
    return [unique[key] for key in sorted(unique)]


def counts(rng: random.Random) -> str:
    size = rng.choice(SIZES)
    objects = 1 + int(rng.expovariate(0.2))
    return f"{objects}: {objects * size} [0: 0]"


def record(rng: random.Random, frames: list[int]) -> str:
    lines = ["@ " + " ".join(f"0x{frame:x}" for frame in frames)]
    lines.append(f"  t*: {counts(rng)}")
    for uid in sorted(rng.sample(range(64), rng.randint(1, 3))):
        lines.append(f"  t{uid}: {counts(rng)}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    megabytes = int(arguments[1])
    rng = random.Random(int(arguments[2]) if len(arguments) > 2 else 1)
    out = sys.stdout
    out.write(f"heap_v2/{PERIOD}\n  t*: {counts(rng)}\n")
    for uid in range(64):
        out.write(f"  t{uid}: {counts(rng)} worker {uid}\n")
    for frames in stacks(rng, megabytes * 1000000 // RECORD_BYTES):
        out.write(record(rng, frames))
    out.write("\nMAPPED_LIBRARIES:\n")
    for inode, (start, limit, path) in enumerate(LIBRARIES, 1000):
        out.write(
            f"{start:x}-{limit:x} r-xp 00001000 fe:00 {inode}"
            f"                   {path}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
