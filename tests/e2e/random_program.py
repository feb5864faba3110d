# SPDX-License-Identifier: Apache-2.0
"""Random C++ programs whose runs and builds differ from each other.

A program has overloads, templates, lambdas, recursive and inlined functions,
functions of one name in two files, a shared library, and threads with equal
names. Its argument is a seed that chooses what it allocates.
"""

import os
import pathlib
import random
import subprocess

# Size classes of jemalloc that are multiples of 6: means of 2 or 3 runs are
# whole numbers.
SIZES = (12288, 24576, 49152, 98304, 196608)

HEADER = """#include <cstdlib>
struct Random {
  unsigned state;
  unsigned Next() {
    state = state * 1103515245 + 12345;
    return state >> 12;
  }
};
void* Keep(void* block);
template <typename T>
struct Pool {
  T unused;
  [[gnu::noinline]] static void Grow(Random& random, int depth) {
    if (depth < 0) random.Next();
    Keep(std::malloc(%(size)d * sizeof(T)));
  }
};
"""

MAIN = """#include <pthread.h>
static void* kept[100000];
static int kept_count;
void* Keep(void* block) { return kept[kept_count++] = block; }
struct Thread { const char* name; unsigned seed; };
static void* Run(void* argument) {
  Thread* thread = static_cast<Thread*>(argument);
  if (*thread->name) pthread_setname_np(pthread_self(), thread->name);
  Random random = {thread->seed};
  for (int i = 0; i < 2; ++i) %(root)s(random, 3);
  return nullptr;
}
int main(int argc, char** argv) {
  unsigned seed = argc > 1 ? std::atoi(argv[1]) : 1;
  Random random = {seed};
  for (int i = 0; i < 2; ++i) %(root)s(random, 3);
  Thread threads[] = {{"io", seed * 3 + 1}, {"worker", seed * 5 + 2},
                      {"worker", seed * 7 + 3}, {"", seed * 11 + 4}};
  for (Thread& thread : threads) {
    pthread_t id;
    pthread_create(&id, nullptr, Run, &thread);
    pthread_join(id, nullptr);
  }
  return 0;
}
"""


class Source:
    """The text of a program: its files, by name."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.files: dict[str, list[str]] = {"a": [], "b": [], "lib": []}
        self.declarations: list[str] = []
        self.calls: list[str] = []  # of functions that any file may call
        for number in range(self.random.randint(8, 14)):
            self.add(number)
        root = self.calls[-1].partition("(")[0]
        size = self.random.choice(SIZES[:2]) // 8
        self.header = HEADER % {"size": size} + "\n".join(self.declarations)
        self.files["main"] = [MAIN % {"root": root}]

    def body(self, name: str, callees: list[str]) -> str:
        """Allocates, calls one of `callees`, and does not end with a call."""
        size = self.random.choice(SIZES)
        ways = [f"Keep(std::malloc({size}));", f"Keep(new char[{size}]);",
                f"Keep(std::calloc(1, {size}));",
                f"auto hold = [&](unsigned n) {{ if (n % 2 == 0) Keep("
                f"std::malloc({size})); random.state ^= n; }}; hold(depth); "
                "hold(depth + 1);",
                "Pool<int>::Grow(random, depth); random.state ^= 1;",
                "Pool<double>::Grow(random, depth); random.state ^= 2;"]
        way = self.random.choice(ways)
        text = f"  if (random.Next() % 3 == 0) {{ {way} }}\n"
        if callees:
            text += f"  switch (random.Next() % {len(callees)}) {{\n"
            for i, callee in enumerate(callees):
                text += f"    case {i}: {callee}; break;\n"
            text += "  }\n"
        if self.random.random() < 0.3:
            text += f"  if (depth > 0) {name}(random, depth - 1);\n"
        return text + "  random.state ^= 1;\n"

    def add(self, number: int) -> None:
        rng = self.random
        where = rng.choice(list(self.files)) if number > 2 else "lib"
        known = self.calls if where != "lib" else [
            c for c in self.calls if c.startswith("lib")]
        callees = rng.sample(known, min(len(known), 3))
        scope = "lib" if where == "lib" else rng.choice(["app", "app::store"])
        name = f"F{number}"
        text = ""
        # Inlined or not, as the compiler likes; in two files.
        if rng.random() < 0.5:
            helper = "static void Helper(Random& random, int depth) {\n"
            is_first = not any("void Helper(" in t for t in self.files[where])
            if is_first:
                text += helper + self.body("Helper", callees) + "}\n"
            callees = [*callees, "Helper(random, depth)"]
        inline = "" if rng.random() < 0.7 else "static "
        is_noinline = not inline or rng.random() < 0.3
        noinline = "[[gnu::noinline]] " if is_noinline else ""
        arguments = "Random& random, int depth"
        overload = rng.random() < 0.4
        code = f"{noinline}{inline}void {name}({arguments}) {{\n"
        code += self.body(name, callees) + "}\n"
        if inline:  # only called in this file
            text += f"namespace {scope} {{\n{code}"
            code = f"[[gnu::noinline]] void Call{name}({arguments}) {{\n" \
                f"  {name}(random, depth);\n" \
                + self.body(f"Call{name}", callees) + "}\n"
            self.files[where].append(f"{text}{code}}}\n")
            name = f"Call{name}"
        else:
            self.files[where].append(f"{text}namespace {scope} {{\n{code}}}\n")
        self.declare(scope, name, arguments, "random, depth")
        if overload and not inline:
            arguments = "Random& random, char depth"
            code = f"[[gnu::noinline]] void {name}({arguments}) {{\n" \
                f"  Keep(std::malloc({rng.choice(SIZES)}));\n" \
                f"  random.state ^= depth;\n}}\n"
            self.files[where].append(f"namespace {scope} {{\n{code}}}\n")
            self.declare(scope, name, arguments, "random, 'x'")
            # The root of the threads takes an int.
            self.calls[-2:] = self.calls[:-3:-1]

    def declare(self, scope: str, name: str, arguments: str, use: str) -> None:
        self.declarations.append(
            f"namespace {scope} {{ void {name}({arguments}); }}")
        self.calls.append(f"{scope}::{name}({use})")


class Program:
    """One build of a source, in a folder of its own."""

    def __init__(self, source: Source, folder: pathlib.Path, compiler: str,
                 *flags: str) -> None:
        folder.mkdir(parents=True)
        self.binary = folder / "program"
        (folder / "program.h").write_text(source.header)
        for name, parts in source.files.items():
            text = '#include "program.h"\n' + "".join(parts)
            (folder / f"{name}.cc").write_text(text)
        common = [compiler, "-std=c++17", "-pthread", *flags]
        run([*common, "-fPIC", "-shared", "-o", "libprogram.so", "lib.cc"],
            folder)
        run([*common, "-rdynamic", "-o", "program", "a.cc", "b.cc", "main.cc",
             "-L.", "-lprogram", "-Wl,-rpath,$ORIGIN"], folder)

    def profile(self, seed: int) -> str:
        """The dump of a run; every allocation is sampled."""
        dump = self.binary.with_name(f"run{seed}.heap")
        conf = "prof:true,prof_final:true,lg_prof_sample:0," \
            f"prof_sys_thread_name:true,prof_prefix:{dump}"
        run([str(self.binary), str(seed)], self.binary.parent,
            MALLOC_CONF=conf, LD_PRELOAD="libjemalloc.so.2")
        (written,) = dump.parent.glob(f"{dump.name}.*.f.heap")
        written.rename(dump)
        return str(dump)


def as_sampled(dump: str) -> str:
    """The dump as if not every allocation had been sampled: its values are no
    whole numbers."""
    path = pathlib.Path(dump)
    _, _, rest = path.read_text().partition("\n")
    copy = path.with_suffix(".sampled.heap")
    copy.write_text(f"heap_v2/65536\n{rest}")
    return str(copy)


def run(command: list[str], folder: pathlib.Path, **environment: str) -> None:
    subprocess.run(command, cwd=folder, env={**os.environ, **environment},
                   check=True)
