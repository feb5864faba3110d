# SPDX-License-Identifier: Apache-2.0
"""Runs heapprof on real inputs that were cut off or damaged at random.

usage: damaged_inputs.py HEAPPROF COUNT FILE...

Whatever the bytes are, each of the COUNT runs must end by itself, soon, with a
report (status 0) or with nothing but a message that names the file (status 1),
and must not take more memory than 64 MB and eight times the inflated input.
FILEs that are compressed are damaged as they are, and once more inside. Two
runs with equal arguments do the same.
"""

import gzip
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import zlib

SECONDS = 20
MEMORY = 64 << 20
MEMORY_PER_BYTE = 8


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Half of them are cut off; up to four places are changed."""
    out = bytearray(data)
    if rng.random() < 0.5:
        del out[rng.randrange(len(out)) :]
    for _ in range(rng.randrange(1, 5)):
        if not out:
            break
        at = rng.randrange(len(out))
        length = rng.randrange(1, 40)
        match rng.randrange(5):
            case 0:
                out[at] = rng.randrange(256)
            case 1:
                del out[at : at + length]
            case 2:
                out[at:at] = rng.randbytes(length)
            case 3:
                other = rng.randrange(len(out))
                out[at:at] = out[other : other + length]
            case 4:
                out[at] ^= 1 << rng.randrange(8)
    return bytes(out)


def inflated_size(data: bytes) -> int:
    """At least what heapprof sees of `data`."""
    if data[:2] == b"\x1f\x8b":
        size = 0
        while data[:2] == b"\x1f\x8b":
            stream = zlib.decompressobj(31)
            try:
                size += len(stream.decompress(data))
            except zlib.error:
                # The bytes before the damage are used.
                return 1 << 20
            data = stream.unused_data
        return size
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return max(len(data) * 100, 1 << 20)
    return len(data)


class Runner:
    def __init__(self, heapprof: str, folder: str) -> None:
        self.heapprof = heapprof
        self.input = str(pathlib.Path(folder) / "input")
        self.out = str(pathlib.Path(folder) / "out")
        self.err = str(pathlib.Path(folder) / "err")

    def run(self, data: bytes, mode: str) -> str:
        """What is wrong with a run on `data`; empty if nothing is."""
        pathlib.Path(self.input).write_bytes(data)
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            child = subprocess.Popen(
                [self.heapprof, mode, self.input], stdout=out, stderr=err
            )
            signal.signal(signal.SIGALRM, lambda *_: child.kill())
            signal.alarm(SECONDS)
            _, status, usage = os.wait4(child.pid, 0)
            signal.alarm(0)
            child.returncode = os.waitstatus_to_exitcode(status)
        errors = pathlib.Path(self.err).read_bytes()
        if child.returncode not in (0, 1):
            return f"status {child.returncode}: {errors[-300:]!r}"
        if child.returncode == 1:
            if os.path.getsize(self.out) != 0:
                return "failed with a report"
            if b"error: " not in errors or self.input.encode() not in errors:
                return f"a message that does not name the file: {errors!r}"
        limit = MEMORY + MEMORY_PER_BYTE * inflated_size(data)
        if usage.ru_maxrss * 1024 > limit:
            return f"{usage.ru_maxrss} KiB, the limit is {limit // 1024}"
        return ""


def main(heapprof: str, count: str, *files: str) -> int:
    inputs = {}
    for file in files:
        data = pathlib.Path(file).read_bytes()
        inputs[file] = data
        if data[:2] == b"\x1f\x8b":
            inputs[file + " inside"] = gzip.decompress(data)
    rng = random.Random(7)
    modes = ["--text", "--collapsed", "--raw"]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(heapprof, folder)
        for name, data in inputs.items():
            problem = runner.run(data, "--text")
            if problem:
                print(f"{name}, undamaged: {problem}")
                return 1
        for i in range(int(count)):
            name = list(inputs)[i % len(inputs)]
            data = mutated(inputs[name], rng)
            problem = runner.run(data, modes[i // len(inputs) % len(modes)])
            if problem:
                kept = pathlib.Path(tempfile.gettempdir()) / "heapprof-damaged"
                kept.write_bytes(data)
                print(f"{name}, mutation {i}: {problem}; input kept in {kept}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
