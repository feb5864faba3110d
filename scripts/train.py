#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of HEAPPROF_TRAINING as users do most, so that it counts which
code runs often. With HEAPPROF_COUNTERS, the compiler optimizes that code.

usage: train.py HEAPPROF [EMULATOR]

EMULATOR, such as qemu-aarch64, runs a program for another machine.

Each training on the same Debian counts the same, because a release is to be the
same bytes each time. So the dumps are written here rather than recorded,
addresses are not random, one thread does all work, and no path, time or
variable of this machine gets into a run.
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = SOURCES / "scripts"
sys.path.insert(0, str(SCRIPTS / "bench"))
sys.dont_write_bytecode = True
from generate_dump import (  # noqa: E402
    executable_segments, return_addresses)

TESTDATA = SOURCES / "testdata"
PROGRAMS = ("clones", "growth", "handlers", "inlining", "names", "quickstart",
            "recorded", "threads", "turns", "waits", "warehouse")
LIBRARIES = ("compare", "profile")  # modules of heapprof
# Of a program at fixed addresses, and of one at random addresses or a library.
LOAD_BIASES = (0x400000, 0x7F1200000000)
SPACING = 0x1000000
PAGE = 0x1000
STACKS = 20000
RECURSION = 0.5  # the share of frames that their stack already has
THREADS = 4
TIME = 1700000000

# Runs that read debug information, runs with an index, and comparisons.
COLD = ("--text", "--collapsed", "-o=cold.html")
WARM = ("--text", "--collapsed", "--raw", "--json", "--tree", "--markdown",
        "--traces", "-o=mem.html", "-o=mem.flame.svg", "-o=mem.pb.gz",
        "-o=mem.speedscope.json")
COMPARISON = ("--text", "--collapsed", "--json", "-o=grown.html",
              "-o=grown.pb.gz")


def run(*command, **options):
    subprocess.run(command, check=True, **options)


def compile_binaries(folder):
    """Programs and libraries whose debug information is of several kinds."""
    def compile_one(number, name, sources, *options):
        run("g++", "-g", "-O2", f"-gdwarf-{5 - number % 2}", *options,
            f"-ffile-prefix-map={SOURCES}=/sources",
            f"-ffile-prefix-map={folder}=/build", "-o", folder / name, *sources,
            cwd=folder)
        if number % 4 == 3:
            run("objcopy", "--compress-debug-sections=zlib", folder / name)

    for number, name in enumerate(PROGRAMS):
        compile_one(number, name, [TESTDATA / "programs" / f"{name}.cc"],
                    "-std=c++20", "-pthread")
    for number, name in enumerate(LIBRARIES):
        sources = sorted((SOURCES / "src" / name).glob("*.cc"))
        compile_one(number + 1, f"{name}.so", sources, "-std=c++23", "-shared",
                    "-fPIC", f"-I{SOURCES}/include", f"-I{SOURCES}/src")
    for library in ("cc.so", "rust.so"):
        shutil.copy(TESTDATA / "index" / library, folder)


def write_dumps(programs, folder):
    """Two dumps of one process, as far as their values tell. Most stacks begin
    as the one before, as in the dump of a real program."""
    calls, maps = [], []
    for number, path in enumerate(programs):
        elf = path.read_bytes()
        bias = LOAD_BIASES[number % 2] + number * SPACING
        calls += [bias + address for address in return_addresses(elf)]
        for address, offset, length in executable_segments(elf):
            start = (bias + address) & -PAGE
            end = (bias + address + length + PAGE - 1) & -PAGE
            maps.append((start, f"{start:x}-{end:x} r-xp {offset & -PAGE:08x} "
                                f"fd:00 1 /srv/demo/{path.name}"))
    chance = random.Random(1)
    stack, samples = [], []
    for _ in range(STACKS):
        del stack[min(len(stack), chance.randrange(4, 30)):]
        for _ in range(chance.randrange(1, 16)):
            recurs = stack and chance.random() < RECURSION
            stack.append(chance.choice(stack if recurs else calls))
        samples.append((tuple(reversed(stack)), chance.randrange(THREADS),
                        chance.randrange(1, 50), chance.randrange(16, 5000)))
    for name, grown in (("mem.1.f.heap", 0), ("mem.2.f.heap", 3)):
        lines, totals = [], [[0, 0] for _ in range(THREADS)]
        for addresses, thread, count, size in samples:
            count += grown * (size % 7)
            total = f"{count}: {count * size} [{count * 2}: {count * size * 2}]"
            lines.append("@" + "".join(f" {a:#x}" for a in addresses))
            lines += [f"  t*: {total}", f"  t{thread}: {total}"]
            totals[thread][0] += count
            totals[thread][1] += count * size
        counters = [f"{c}: {b} [{c * 2}: {b * 2}]" for c, b in totals]
        whole = [sum(column) for column in zip(*totals)]
        head = ["heap_v2/524288",
                f"  t*: {whole[0]}: {whole[1]} [{whole[0] * 2}: {whole[1] * 2}]"]
        head += [f"  t{i}: {counter}" for i, counter in enumerate(counters)]
        dump = folder / name
        dump.write_text("\n".join(
            head + lines + ["", "MAPPED_LIBRARIES:"] +
            [line for _, line in sorted(maps)]) + "\n")
        os.utime(dump, (TIME, TIME))  # reports tell it


def train(heapprof, emulator, folder):
    (folder / "bin").mkdir()
    compile_binaries(folder / "bin")
    write_dumps(sorted((folder / "bin").iterdir()), folder)
    # Its path gets into no run.
    (folder / "heapprof").symlink_to(heapprof)

    def report(output, *arguments):
        run("setarch", "-R", *emulator, "./heapprof", *output.split("="),
            *arguments, "--jobs=1", cwd=folder, stdout=subprocess.DEVNULL,
            env={"HOME": "/nonexistent", "LC_ALL": "C", "PATH": "/usr/bin"})

    cache = "--cache-dir=cache"
    for output in COLD:
        report(output, "--no-cache", "bin", "mem.1.f.heap")
    report("--text", cache, "bin", "mem.1.f.heap")
    for output in WARM:
        report(output, cache, "bin", "mem.1.f.heap")
    for output in COMPARISON:
        report(output, cache, "bin", "--base", "mem.1.f.heap", "mem.2.f.heap")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    heapprof = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="heapprof.", dir="/tmp") as folder:
        train(heapprof, sys.argv[2:], pathlib.Path(folder))


if __name__ == "__main__":
    main()
