#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names the addresses of random programs with split debug information.

usage: split_programs.py COUNT [FIRST]

Each unit of a program is compiled by gcc or clang, in DWARF 4 or 5, with split,
whole or no debug information, and all have static functions of the same names.
Some .dwo files are lost or packed. For each program:

- heapprof reports the same without an index, while it builds one and from it,
  with one thread and with two;
- its names are those of llvm-symbolizer.

Program N is the same in each run. $HEAPPROF names the program under test.
"""

import glob
import os
import random
import re
import subprocess
import sys
import tempfile

HEAPPROF = os.environ["HEAPPROF"]
SYMBOLIZER = "llvm-symbolizer-19"
LOAD_BIAS = 0x7F1200000000
DEPTH = 5
REPORTS = ["txt", "raw", "callgrind", "collapsed"]

HEADER = """
#pragma once
#define OWN static __attribute__((noinline))
template <typename T>
__attribute__((noinline)) T Shared(T x) { return x * 3 + Sink(int(x)); }
inline __attribute__((always_inline)) int Inlined(int x) {
  return Shared(x) + Shared(long(x)) + Sink(x + 1);
}
"""

UNIT = """
int Sink(int);
#include "shared.h"
{padding}
OWN int Helper(int x) {{ return Sink(x) + {number}; }}
OWN int Fill(int x) {{ return Helper(x) * Sink(x) + {inlined}; }}
namespace {{
struct Shelf {{
  __attribute__((noinline)) int Add(int x) {{ return Fill(x + by) + by; }}
  int by;
}};
__attribute__((noinline)) int Step(int x) {{
  auto add = [x](int y) {{ return Sink(x + y) + Helper(y); }};
  return add(x) + Shelf{{x}}.Add(x) + {inlined};
}}
}}
namespace shop {{ int Sell{number}(int x) {{ return Step(x) + Fill(x) + 1; }} }}
"""

MAIN = """
int Sink(int x) {{ static volatile int total; return total += x; }}
namespace shop {{ {declarations} }}
int main(int argc, char**) {{ return {calls}; }}
"""


class Failure(Exception):
    pass


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          timeout=100, **options).stdout


class Program:
    """The binary `program` in `directory`, with its remaining .dwo files."""

    def __init__(self, seed, directory):
        self.rng = random.Random(seed)
        self.directory = directory
        self.path = os.path.join(directory, "program")
        self.units = []  # how each was compiled
        objects = self.compile_units(self.rng.randint(2, 4))
        linker = self.rng.choice(["bfd", "bfd", "gold", "lld"])
        flags = self.rng.choice([["-pie"], ["-no-pie"], ["-Wl,--gc-sections"]])
        run(["g++", f"-fuse-ld={linker}", *flags, *objects, "-o", "program"],
            cwd=directory)
        self.fate = [linker, *flags, self.pack(), self.lose()]

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def compile_units(self, count):
        self.write("shared.h", HEADER)
        for number in range(count):
            inlined = self.rng.choice(["Inlined(x)", "Inlined(x + 2)", "x"])
            padding = "\n" * self.rng.randint(0, 3)
            self.write(f"{number}.cc", UNIT.format(
                number=number, inlined=inlined, padding=padding))
        sells = [f"Sell{number}" for number in range(count)]
        self.write("main.cc", MAIN.format(
            declarations=" ".join(f"int {sell}(int);" for sell in sells),
            calls=" + ".join(f"shop::{sell}(argc)" for sell in sells)))
        names = [*map(str, range(count)), "main"]
        self.rng.shuffle(names)
        for name in names:
            run(self.command(name), cwd=self.directory)
        return [name + ".o" for name in names]

    def command(self, name):
        compiler = self.rng.choice(["g++", "clang++-19"])
        level = self.rng.choice(["-O0", "-O1", "-O2"])
        version = self.rng.choice(["-gdwarf-4", "-gdwarf-5"])
        kind = self.rng.choice([["-gsplit-dwarf", "-g"]] * 3 + [["-g"], ["-g0"]])
        if name == "main" and kind == ["-g0"]:
            kind = ["-g"]  # a program without any would have no index
        more = self.rng.choice([[], ["-ffunction-sections"],
                                ["-fdebug-types-section"]])
        if kind == ["-g0"]:
            version = "-g0"
        elif compiler != "g++" and self.rng.random() < 0.3:
            more = [*more, "-fsplit-dwarf-inlining"]
        flags = [compiler, level, version, *kind, *more]
        self.units.append(" ".join([name, *flags]))
        return [*flags, "-fPIE", "-c", name + ".cc"]

    def split_files(self):
        return sorted(glob.glob(os.path.join(self.directory, "*.dwo")))

    def pack(self):
        """Makes a package, if the tools can pack these units."""
        split = [unit for unit in self.units if "-gsplit-dwarf" in unit]
        # llvm-dwp does not end with gcc's DWARF 5, or with both versions.
        kinds = {("g++" in unit, "-gdwarf-5" in unit) for unit in split}
        if len(kinds) != 1 or kinds == {(True, True)}:
            return "no package"
        if self.rng.random() < 0.3:
            return "not packed"
        run(["llvm-dwp-19", "-e", self.path, "-o", self.path + ".dwp"])
        return "packed"

    def lose(self):
        lost = []
        share = self.rng.choice([0, 0, 0.4, 1])
        for path in self.split_files():
            if self.rng.random() < share:
                os.remove(path)
                lost.append(os.path.basename(path))
        return f"lost: {lost}"

    def sections(self):
        """Name, address, offset and size of those with code."""
        for line in run(["readelf", "-SW", self.path]).splitlines():
            match = re.match(r" *\[ *\d+\] (\.text\S*) +\S+ +(\w+) (\w+) (\w+) ",
                             line)
            if match:
                yield [int(field, 16) for field in match.groups()[1:]]

    def addresses(self):
        """The addresses of all bytes of code."""
        return [at for start, _, size in self.sections()
                for at in range(start, start + size)]

    def weak_code(self):
        """The code that several units may describe."""
        found = set()
        for line in run(["nm", "-S", self.path]).splitlines():
            fields = line.split()
            if len(fields) == 4 and fields[2] in "Ww":
                start, size = int(fields[0], 16), int(fields[1], 16)
                found.update(range(start, start + size))
        return found

    def dump(self, name, addresses):
        """Writes a dump whose calls are at these addresses."""
        lines = ["heap_v2/524288", "  t*: 1: 4096 [0: 0]"]
        for i in range(0, len(addresses), DEPTH):
            stack = (f"{LOAD_BIAS + a + 1:#x}" for a in addresses[i:i + DEPTH])
            lines += ["@ " + " ".join(stack), "  t*: 1: 4096 [0: 0]"]
        lines += ["", "MAPPED_LIBRARIES:", self.mapping()]
        self.write(name, "\n".join(lines) + "\n")
        return os.path.join(self.directory, name)

    def mapping(self):
        page = 0x1000
        for line in run(["readelf", "-lW", self.path]).splitlines():
            match = re.match(r" *LOAD +(\w+) (\w+) \w+ \w+ (\w+) R E ", line)
            if match:
                offset, address, size = (int(f, 16) for f in match.groups())
                start = (LOAD_BIAS + address) & -page
                end = (LOAD_BIAS + address + size + page - 1) & -page
                return (f"{start:x}-{end:x} r-xp {offset & -page:08x} fd:00 1 "
                        f"{self.path}")
        raise Failure("no code is loaded")


def without_index_news(messages):
    news = re.compile(r": (index of|no index|another run)|reading the profile")
    return "".join(line + "\n" for line in messages.splitlines()
                   if not news.search(line))


def report(program, dump, *options):
    """All reports of a dump, and the messages."""
    outputs = [os.path.join(program.directory, "out." + kind)
               for kind in REPORTS]
    # None of them depends on where the process had mapped the program.
    done = subprocess.run(
        [HEAPPROF, "--verbose", "--force", *options,
         *(f"--output={path}" for path in outputs), program.path, dump],
        capture_output=True, text=True, timeout=100, check=False)
    if done.returncode != 0:
        raise Failure(f"{options}: status {done.returncode}: {done.stderr}")
    texts = {}
    for kind, path in zip(REPORTS, outputs):
        with open(path, encoding="utf-8") as file:
            texts[kind] = file.read()
    texts["messages"] = without_index_news(done.stderr)
    texts["index"] = "built" if re.search("index of .* built", done.stderr) \
        else "none" if "no index" in done.stderr else "used"
    return texts


def expect_same(what, expected, found):
    for kind in [*REPORTS, "messages"]:
        if expected[kind] == found[kind]:
            continue
        pairs = zip(expected[kind].splitlines(), found[kind].splitlines())
        first = next((pair for pair in pairs if pair[0] != pair[1]), "length")
        raise Failure(f"{what}: {kind} differs: {first}")


def check_index(program):
    """True if there is one."""
    everything = program.addresses()
    indexes = set()
    for name in "first", "second":
        count = program.rng.choice([5, 40, len(everything)])
        chosen = program.rng.sample(everything, min(count, len(everything)))
        dump = program.dump(name + ".heap", chosen)
        expected = report(program, dump, "--no-cache", "--jobs=1")
        expect_same("two threads", expected,
                    report(program, dump, "--no-cache", "--jobs=2"))
        cache = f"--cache-dir={program.directory}/cache"
        for jobs in 1, 2:
            # The first one builds the index.
            found = report(program, dump, cache, f"--jobs={jobs}")
            expect_same(f"index {found['index']}", expected, found)
            indexes.add(found["index"])
    if indexes not in ({"built", "used"}, {"none"}):
        raise Failure(f"indexes: {indexes}")
    return "used" in indexes


def plain_name(name):
    """The last identifier in a function's name, without its arguments."""
    name = re.sub(r" \[clone [^]]*\]|\.(isra|part|cold|constprop|llvm)\b.*", "",
                  name)
    name = re.sub(r"\(anonymous namespace\)|operator\(\)", "_", name)
    while (less := re.sub(r"\([^()]*\)|<[^<>]*>", "", name)) != name:
        name = less
    return re.sub(r"\b(const|volatile)$", "", name).strip().split("::")[-1] \
        .split(" ")[-1]


def our_chains(program, dump):
    """By address, names from the outermost function on."""
    chains = {}
    for line in report(program, dump, "--no-cache")["raw"].splitlines():
        if line == "---":
            break
        if line.startswith("0x"):
            address, chain = line.split(" ", 1)
            # Of the end of a dump's stack, the key is not the call's address.
            chain = re.sub(r"<[0-9a-f]{16}>$", "", chain)
            chains[int(address, 16) - LOAD_BIAS] = \
                [plain_name(name) for name in chain.split("--")]
    return chains


def their_chains(program, addresses):
    out = run([SYMBOLIZER, "--obj=" + program.path, "--functions=linkage"],
              input="\n".join(map(hex, addresses)))
    return {address: [plain_name(name) for name in
                      reversed(block.splitlines()[::2])]
            for address, block in zip(addresses, out.split("\n\n"))}


def check_names(program):
    """The number of names that agree."""
    everything = program.addresses()
    addresses = program.rng.sample(everything, min(60, len(everything)))
    # One by one: the first address of a stack has a key of its own in --raw.
    ours = our_chains(program, program.dump("names.heap", addresses))
    weak = program.weak_code()
    count = 0
    for address, theirs in their_chains(program, addresses).items():
        chain = ours.get(address)
        if theirs == ["??"] or chain is None:
            continue
        if address in weak:
            chain, theirs = chain[:1], theirs[:1]
        if chain != theirs:
            raise Failure(f"{address:#x}: {chain}, llvm-symbolizer: {theirs}")
        count += 1
    return count


def main():
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failed = indexed = names = 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as directory:
            program = Program(seed, directory)
            try:
                indexed += check_index(program)
                names += check_names(program)
            except Failure as failure:
                failed += 1
                print(f"program {seed}: {failure}")
                print("  " + "\n  ".join([*program.units, *program.fate]))
    print(f"{count} programs, {indexed} with an index, {names} names compared, "
          f"{failed} failed")
    if indexed < count / 4 or names < 20 * count:
        sys.exit("too few to mean anything")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
