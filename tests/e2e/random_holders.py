#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random small programs that know which of their functions holds how much.

usage: random_holders.py FOLDER [RUSTC]

Writes, compiles and runs C++ programs in FOLDER, and Rust programs if there is
a compiler: a dozen, or with $HEAPPROF_FULL more than 200. Each has functions of
random names, among them those of jemalloc's own functions, that allocate in
random ways: through wrappers, templates of the standard library, helpers, a
replaced operator new. Then, for $HEAPPROF:

  * no row of a table that holds something itself is an allocator's function,
    operator new or one of its helpers,
  * a function that allocates directly holds exactly what the program says,
  * with --own=auto each function holds exactly what the program says,
  * no function has two rows: without --names full, as many functions share a
    short name as have different full names.

Prints what does not hold and exits with 1. The programs are the same each time.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

# Size classes of jemalloc, so that nothing is rounded up.
SIZES = [16384, 20480, 28672, 32768, 49152, 65536, 81920, 98304]

# C names of jemalloc functions, which own functions may have, too.
JEMALLOC_NAMES = [
    "arena_malloc", "je_render", "ialloc", "imalloc_body", "do_rallocx",
    "large_malloc", "prof_malloc", "je_page_alloc", "malloc_init",
    "tcache_alloc_large", "irealloc", "do_malloc",
]
# Names that --own takes for wrappers: it charges their callers.
LIKE_WRAPPERS = ["arena_malloc", "large_malloc", "prof_malloc", "irealloc",
                 "do_malloc"]
PLAIN_NAMES = [
    "load_index", "render_page", "grow_table", "alloc_report", "newImplied",
    "mallocator", "cache_fill", "operators", "free_list_init",
]
SCOPES = ["", "shop::", "shop::store::", "alloc::", "je_tools::", "app::"]

WRAPPERS = ["xmalloc", "z_malloc", "app_calloc", "safe_malloc0"]

OPERATOR_NEW = {
    "none": "",
    "malloc": """
void* operator new(std::size_t n) {
  void* p = std::malloc(n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
""",
    "helper": """
namespace mem {
std::size_t total;
[[gnu::noinline]] void* raw(std::size_t n) {
  void* p = std::malloc(n);
  total += n;
  return p;
}
[[gnu::noinline]] void* tracked_alloc(std::size_t n) {
  void* p = raw(n);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace mem
void* operator new(std::size_t n) {
  void* p = mem::tracked_alloc(n);
  ++mem::total;
  return p;
}
void* operator new[](std::size_t n) {
  void* p = operator new(n);
  ++mem::total;
  return p;
}
""",
}
OPERATOR_DELETE = """
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
"""

HEAD = """#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

"""
KEEP = """
template <typename T>
[[gnu::always_inline]] static inline T& immortal() {
  static char places[16][sizeof(T)];
  static int count;
  return *new (places[count++]) T();
}

static void* kept[4096];
static int kept_count;
static volatile int never;
[[gnu::always_inline]] static inline void keep(void* p) {
  kept[kept_count++] = p;
  std::memset(p, 1, 1);
}
"""


class Way(NamedTuple):
    """How a function allocates `n` bytes; DIRECT ones without a library."""

    code: str
    is_direct: bool


WAYS = [
    Way("keep(std::malloc({n}));", True),
    Way("keep(std::calloc(1, {n}));", True),
    Way("keep(std::realloc(nullptr, {n}));", True),
    Way("keep(new char[{n}]);", True),
    Way("keep(::operator new({n}));", True),
    Way("keep(new (std::nothrow) char[{n}]);", True),
    Way("auto& v = immortal<std::vector<char>>(); v.reserve({n}); "
        "keep(v.data());", False),
    Way("auto& v = immortal<std::vector<int>>(); v.resize({n} / 4); "
        "keep(v.data());", False),
    Way("keep(std::make_unique<char[]>({n}).release());", False),
    Way("keep({wrapper}({n}));", False),
    Way("auto f = [](std::size_t k) __attribute__((noinline)) "
        "{{ void* p = std::malloc(k); keep(p); never = {i}; return p; }}; "
        "if (f({n}) == nullptr) never = 1;", False),
]


class Program(NamedTuple):
    binary: pathlib.Path
    dump: pathlib.Path
    truth: dict[str, int]  # by --own=auto, and by name
    direct: dict[str, int]  # by the functions that ask for memory themselves
    functions: set[str]  # all that allocate


def wrapper_code(name: str) -> str:
    return f"""
extern "C" [[gnu::noinline]] void* {name}(std::size_t n) {{
  void* p = std::malloc(n);
  if (p == nullptr) std::abort();
  return p;
}}
"""


def function_code(full: str, is_c: bool, body: str) -> str:
    scope, _, name = full.rpartition("::")
    function = f"[[gnu::noinline]] void {name}(int rounds) {{\n" \
        f"  for (int i = 0; i < rounds; ++i) {{ {body} }}\n  never = 0;\n}}\n"
    if is_c:
        return f'extern "C" {function}'
    return f"namespace {scope} {{\n{function}}}\n" if scope else function


def cpp_source(rng: random.Random, has_debug: bool, is_static: bool):
    """The program's text, and what a Program says of it."""
    kind = rng.choice(list(OPERATOR_NEW))
    if is_static and kind != "none":
        kind = "none"  # jemalloc's own operator new is there
    wrapper = rng.choice(WRAPPERS)
    operator_new = OPERATOR_NEW[kind]
    if not has_debug:  # no frame would say that it was inlined
        operator_new = operator_new.replace(
            "\nvoid* operator new", "\n[[gnu::noinline]] void* operator new")
    text = HEAD + KEEP + operator_new
    if kind != "none":
        text += OPERATOR_DELETE
    text += wrapper_code(wrapper)
    truth: dict[str, int] = {}
    direct: dict[str, int] = {}
    functions: set[str] = set()
    names: set[str] = set()  # the same without their scopes
    calls = []
    for i in range(rng.randint(5, 9)):
        name = rng.choice(JEMALLOC_NAMES + PLAIN_NAMES) + rng.choice(["", "2"])
        scope = rng.choice(SCOPES)
        # Without debug information nothing tells a C function of this name
        # from jemalloc's, which is in the same file.
        is_c = scope == "" and rng.random() < 0.5
        if is_c and is_static and (not has_debug or name in ("malloc_init",)):
            is_c = False
        full = scope + name
        if name in names:
            continue
        way = rng.choice(WAYS)
        size, rounds = rng.choice(SIZES), rng.randint(1, 4)
        # All functions differ, or the compiler would merge equal ones.
        body = way.code.format(n=size, i=i, wrapper=wrapper) + f" never = {i};"
        text += function_code(full, is_c, body)
        text += f"[[gnu::noinline]] void use_{i}() {{ {full}({rounds}); " \
            "never = 0; }\n"
        is_wrapper = name.rstrip("2") in LIKE_WRAPPERS
        # A lambda in a wrapper is not a wrapper.
        owner = f"use_{i}" if is_wrapper and "[](" not in way.code else full
        truth[owner] = size * rounds
        functions.add(full)
        names.add(name)
        if way.is_direct:
            direct[full] = size * rounds
        calls.append(f"  use_{i}();\n")
    text += f"int main() {{\n{''.join(calls)}  return never;\n}}\n"
    return text, truth, direct, functions


def run(command: list[str], **arguments: object) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, **arguments
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def profile(binary: pathlib.Path, is_static: bool) -> pathlib.Path:
    """Runs a program; every allocation is sampled."""
    dump = binary.with_suffix(".heap")
    environment = dict(
        os.environ,
        MALLOC_CONF=f"prof:true,prof_final:true,lg_prof_sample:0,"
        f"prof_prefix:{binary}",
    )
    if not is_static:
        environment["LD_PRELOAD"] = "libjemalloc.so.2"
    run([str(binary)], env=environment)
    (written,) = binary.parent.glob(f"{binary.name}.*.f.heap")
    return written.rename(dump)


def cpp_program(folder: pathlib.Path, number: int) -> Program:
    rng = random.Random(number)
    is_static = rng.random() < 0.3
    flags = rng.choice(["-O0 -g", "-O2 -g", "-O2 -g", "-O2"]).split()
    source, truth, direct, functions = cpp_source(rng, "-g" in flags, is_static)
    binary = folder / f"holders{number}"
    binary.with_suffix(".cc").write_text(source)
    compiler = rng.choice(["g++", "g++", "clang++-19"])
    command = [compiler, "-std=c++17", *flags, "-o", str(binary)]
    command += [str(binary.with_suffix(".cc"))]
    if is_static:
        command.append("-l:libjemalloc_pic.a")
    run(command)
    dump = profile(binary, is_static)
    return Program(binary, dump, truth, direct, functions)


RUST_HEAD = """
#![allow(dead_code)]
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
"""
RUST_ALLOCATOR = """
mod counting {
    use super::*;
    pub struct Counting;
    #[inline(never)]
    fn tracked(layout: Layout) -> *mut u8 {
        let p = unsafe { System.alloc(layout) };
        black_box(p);
        p
    }
    unsafe impl GlobalAlloc for Counting {
        #[inline(never)]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let p = tracked(layout);
            black_box(p);
            p
        }
        unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
            unsafe { System.dealloc(p, layout) }
        }
    }
}
#[global_allocator]
static A: counting::Counting = counting::Counting;
"""
RUST_WAYS = [
    "let v: Vec<u8> = Vec::with_capacity({n});",
    "let v: Vec<u8> = vec![1u8; {n}];",
    "let v = Box::new([1u8; {n}]);",
    "let mut v: Vec<u64> = Vec::new(); v.reserve_exact({n} / 8);",
    "let v = String::with_capacity({n});",
    "let v: Box<[u32]> = vec![7u32; {n} / 4].into_boxed_slice();",
    "let v = std::collections::VecDeque::<u64>::with_capacity({n} / 8);",
]
RUST_NAMES = ["load", "render", "ialloc", "grow", "exchange", "alloc"]


def rust_source(rng: random.Random, crate: str):
    text = RUST_HEAD + (RUST_ALLOCATOR if rng.random() < 0.5 else "")
    truth: dict[str, int] = {}
    calls = []
    text += "pub struct Item;\npub trait Pack { fn pack(&self); }\n"
    for i, name in enumerate(rng.sample(RUST_NAMES, 5)):
        size, rounds = rng.choice(SIZES), rng.randint(1, 4)
        way = rng.choice(RUST_WAYS).format(n=size)
        # All functions differ, or the compiler would merge equal ones.
        body = f"for _ in 0..black_box({rounds}) {{ {way} " \
            f"std::mem::forget(black_box(v)); }}\n    black_box({i});\n"
        if i == 0:
            text += f"impl Pack for Vec<Item> {{\n  #[inline(never)]\n" \
                f"  fn pack(&self) {{ {body} }}\n}}\n"
            calls.append("  Vec::<Item>::new().pack();\n")
            truth[f"<alloc::vec::Vec as {crate}::Pack>::pack"] = size * rounds
        elif i == 1:
            text += f"mod {name} {{\n  use super::*;\n  #[inline(never)]\n" \
                f"  pub fn run<T>(_: T) {{ {body} }}\n}}\n"
            calls.append(f"  {name}::run(1u8);\n  {name}::run(1u64);\n")
            truth[f"{crate}::{name}::run"] = 2 * size * rounds
        else:
            text += f"#[inline(never)]\nfn {name}() {{ {body} }}\n"
            calls.append(f"  {name}();\n")
            truth[f"{crate}::{name}"] = size * rounds
    return text + f"fn main() {{\n{''.join(calls)}}}\n", truth


def rust_program(folder: pathlib.Path, rustc: str, number: int) -> Program:
    rng = random.Random(1000000 + number)
    crate = f"crate{number}"
    source, truth = rust_source(rng, crate)
    binary = folder / crate
    binary.with_suffix(".rs").write_text(source)
    flags = rng.choice(["-g", "-g -C opt-level=2", "-C opt-level=2"])
    source_file = str(binary.with_suffix(".rs"))
    run([rustc, *flags.split(), "-o", str(binary), source_file])
    return Program(binary, profile(binary, False), truth, {}, {*truth})


def rows(*arguments: str) -> list[tuple[int, int, str]]:
    """Own value, cumulative value and name of each row of a table."""
    text = run([os.environ["HEAPPROF"], "--text", "--show_bytes", *arguments])
    row = r"^ *(\d+) +\S+% +\S+% +(\d+) +\S+% (.*)$"
    return [(int(own), int(cumulative), name)
            for own, cumulative, name in re.findall(row, text, re.M)]


def held(table: list[tuple[int, int, str]], name: str) -> int:
    """What a function holds itself, with the lambdas in it."""
    pattern = re.compile(
        re.escape(name) +
        r"(@[0-9a-f]+)?(::(\{lambda|<lambda|\$_|'lambda).*)?( \(inline\))?$")
    return sum(own for own, _, n in table if pattern.match(n))


ALLOCATORS = re.compile(
    r"^(operator new|mem::|[mc]alloc$|realloc$|prof_|je_malloc|imalloc$|"
    r"libjemalloc|void\* newImpl|<?alloc::alloc::|alloc::boxed::box_new_uninit|"
    r"__rust|<std::alloc::System|.*::counting::)")


def check(program: Program) -> list[str]:
    problems = []
    dump = str(program.dump)
    plain = rows(dump)
    for own, _, name in plain:
        is_known = re.sub(r"(@|::\W).*$", "", name) in program.functions
        if own > 0 and ALLOCATORS.match(name) and not is_known:
            problems.append(f"{dump}: {name} holds {own}")
    for name, value in program.direct.items():
        if (found := held(plain, name)) != value:
            problems.append(f"{dump}: {name} holds {found}, not {value}")
    charged = rows("--own=auto", dump)
    for name, value in program.truth.items():
        if (found := held(charged, name)) != value:
            problems.append(f"{dump}: --own: {name} holds {found}, not {value}")
    for name in one_row_too_many([name for _, _, name in plain], dump):
        problems.append(f"{dump}: several rows for {name}")
    return problems


def one_row_too_many(names: list[str], dump: str) -> set[str]:
    """Short names with more rows than the table of full names has."""
    full = [name for _, _, name in rows("--names=full", dump)]
    tag = re.compile(r"@[0-9a-f]+$")
    tagged = [tag.sub("", name) for name in names if tag.search(name)]
    unbracketed = [re.sub(r"^<([\w:]+)>::", r"\1::", n) for n in names]
    return {n for n in tagged if tagged.count(n) > sum(
        f == n or f.startswith(n + "(") for f in full)
    } | {n for n in unbracketed if unbracketed.count(n) > 1}


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    rustc = sys.argv[2] if len(sys.argv) > 2 else ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count, rust_count = (190, 30) if "HEAPPROF_FULL" in os.environ else (10, 2)
    programs = [cpp_program(folder, i) for i in range(count)]
    if rustc:
        programs += [rust_program(folder, rustc, i) for i in range(rust_count)]
    problems = [problem for p in programs for problem in check(p)]
    print("\n".join(problems[:60]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
