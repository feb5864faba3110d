#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules that keep heapprof's modules apart.

usage: check_layers.py [ROOT]

Reads the C++ sources below ROOT (default: the tree this script is in) and
prints one line for each violation, `path:line: what is wrong`. Exits with 1
if there is any.
"""

import pathlib
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

# The modules of the pipeline, lowest first: what each may include of the
# others, and which libraries. The standard library and fmt are open to all.
MODULES = {
    "base": (set(), {"boost", "pcre2"}),
    "io": (
        {"base"},
        {"isa-l", "lzma", "zlib", "zstd", "bzip2"},
    ),
    "toml": ({"base"}, {"toml++"}),
    "process": ({"base"}, set()),
    "demangle": ({"base"}, {"libiberty"}),
    "stats": ({"base"}, {"boost"}),
    "profile": ({"base", "stats"}, set()),
    "parse": ({"base", "io", "profile", "stats"}, {"protobuf"}),
    "elf": ({"base", "io"}, {"elfutils"}),
    "dwarf": ({"base", "elf"}, {"elfutils"}),
    "index": ({"base", "io", "elf", "dwarf"}, set()),
    "symbolize": (
        {"base", "io", "profile", "elf", "dwarf", "index", "demangle"},
        {"debuginfod"},
    ),
    "compare": ({"base", "profile", "stats", "demangle"}, set()),
    "transform": (
        {"base", "profile", "stats", "demangle", "compare"},
        set(),
    ),
    "view": ({"base", "profile", "stats", "demangle"}, set()),
    "explain": (
        {"base", "io", "parse", "profile", "stats", "view"},
        {"nlohmann"},
    ),
    "disasm": (
        {
            "base", "process", "profile", "elf", "dwarf", "demangle",
            "symbolize", "view",
        },
        set(),
    ),
    "groups": ({"base", "profile", "transform", "toml"}, {"toml++"}),
    "check": (
        {"base", "profile", "stats", "compare", "view", "toml"},
        {"toml++"},
    ),
    "record": ({"base", "io"}, set()),
    "doctor": (
        {
            "base", "parse", "profile", "elf", "symbolize", "view", "record",
        },
        set(),
    ),
    "report": (
        {"base", "io", "profile", "view", "explain", "check", "doctor"},
        {"nlohmann"},
    ),
}
MODULES["cli"] = (set(MODULES), {"cli11"})

# The folders of a module that has any, src/MODULE/FOLDER/, lowest first: what
# each may include of the others. Files of the module outside its folders join
# them and may include all. A shared header belongs to the folder that
# implements it; one that nothing implements is open to all.
FOLDERS = {
    "dwarf": {
        "shared": set(),
        "read": {"shared"},
        "units": {"shared", "read"},
        "map": {"shared", "read", "units"},
        "libdw": {"shared"},
    },
    "record": {"preload": set()},
    "cli": {
        "system": set(),
        "args": {"system"},
        "inputs": {"system", "args"},
        "outputs": {"system", "args", "inputs"},
        "completion": {"system", "args"},
        "manual": {"system", "args", "completion"},
        "commands": {"system", "args", "inputs", "outputs", "completion"},
    },
}

# Which headers belong to which library.
LIBRARIES = {
    "fmt": r"fmt/.+",
    "isa-l": r"isa-l/(crc|igzip_lib)\.h",
    "lzma": r"lzma\.h",
    "bzip2": r"bzlib\.h",
    "zlib": r"zlib\.h",
    "zstd": r"zstd(_errors)?\.h",
    "libiberty": r"(libiberty/)?demangle\.h",
    "boost": r"boost/(math|sort)/.+",
    "protobuf": r"(.+\.pb\.h|google/protobuf/.+)",
    "debuginfod": r"elfutils/debuginfod\.h",
    "elfutils": r"(gelf|libelf|dwarf)\.h|elfutils/.+",
    "pcre2": r"pcre2\.h",
    "toml++": r"toml\+\+/.+|toml\.hpp",
    "cli11": r"CLI/.+",
    "nlohmann": r"nlohmann/.+",
}
# Headers of C++ ("vector"), and those of the C library that have no C++ name.
STANDARD_HEADER = re.compile(r"[a-z_]+")
SYSTEM_HEADER = re.compile(
    r"(sys/\w+|linux/\w+|cxxabi|dirent|dlfcn|elf|errno|fcntl|limits|malloc|poll"
    r"|pthread|sched|setjmp|signal|spawn|stdbool|stddef|stdint|time|ucontext"
    r"|unistd)\.h"
)
# Libraries whose types stay out of the headers that modules share.
PRIVATE_LIBRARIES = {
    "debuginfod", "elfutils", "nlohmann", "pcre2", "protobuf",
}

# The folder of files that are in none.
OUTSIDE = "no folder"

MAX_LINES = 600
LICENSE = "// SPDX-License-Identifier: Apache-2.0"
SCRIPT_LICENSE = "# SPDX-License-Identifier: Apache-2.0"
SCRIPT_SUFFIXES = {".cmake", ".inc", ".pl", ".py", ".sh"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
# A type of the whole program. Neither compiler nor linker reports two of one
# name, but code for one may be used for the other.
TYPE = re.compile(
    r"^(?:struct|class|enum class)(?: \[\[\w+\]\])? "
    r"(\w+)(?: final)?(?: : [^;{]*)?\s*\{",
    re.MULTILINE,
)
# The start of the declaration of a function that is not a member.
FUNCTION = re.compile(r"^[A-Za-z_][\w:<>,&* ]*?[ &*]([A-Z]\w+)\(", re.MULTILINE)
# clang-format writes the comment.
UNNAMED = re.compile(
    r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL
)
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
SHELL = re.compile(r"\b(system|popen)\s*\(")
OUTPUT = re.compile(
    r"\bstd::(cout|cerr|clog)\b"
    r"|\b(stdout|stderr)\b"
    r"|\b(v?f?printf|f?puts|fputc|putchar|perror)\s*\("
    r"|\bfmt::(print|println)\s*\("
    r"|\b(_?exit|_Exit|quick_exit|abort)\s*\("
)
# Comments and strings, which are not code. Numbers are matched, too: the
# apostrophes in them do not start a character literal.
NOT_CODE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>\b(?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"
             |"(?:\\.|[^"\\\n])*"
             |'(?:\\.|[^'\\\n])+')
    |(?P<number>\b[0-9](?:'?[\w.])*)""",
    re.S | re.X,
)


class Violation(NamedTuple):
    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Source:
    """One C++ file, with its comments and strings blanked where needed."""

    def __init__(self, root: pathlib.Path, path: pathlib.Path) -> None:
        self.path = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.without_comments = blank(self.text, {"comment"})
        self.code = blank(self.text, {"comment", "text"})
        parts = self.path.split("/")
        self.is_header = path.suffix == ".h"
        self.is_shared = parts[:2] == ["include", "heapprof"]
        self.module = None
        self.folder = None
        if self.is_shared and len(parts) > 3:
            self.module = parts[2]
        elif parts[0] == "src" and len(parts) > 2:
            self.module = parts[1]
            self.folder = parts[2] if len(parts) > 3 else None

    def at(self, offset: int, message: str) -> Violation:
        line = self.text.count("\n", 0, offset) + 1
        return Violation(self.path, line, message)


def blank(text: str, kinds: set[str]) -> str:
    """`text` with blanks instead of tokens of `kinds`; lines stay lines."""

    def replace(match: re.Match[str]) -> str:
        if not any(match[kind] is not None for kind in kinds):
            return match[0]
        return re.sub(r"[^\n]", " ", match[0])

    return NOT_CODE.sub(replace, text)


def library_of(header: str) -> str | None:
    for library, pattern in LIBRARIES.items():
        if re.fullmatch(pattern, header):
            return library
    return None


def wrong_module(source: Source, header: str) -> str | None:
    """Why `source` may not include `header`, one of ours."""
    allowed = MODULES[source.module][0]
    parts = header.split("/")
    if parts[0] == "heapprof" and len(parts) > 2:
        target = parts[1]
        if target == source.module or target in allowed:
            return None
        return f"{source.module} may not include {target} ({header})"
    if source.is_shared:
        return f"a shared header may not include the private {header}"
    if len(parts) > 1 and parts[0] != source.module:
        return f"{header} is private to {parts[0]}"
    return None


def folder_of(root: pathlib.Path, module: str, header: str) -> str | None:
    """The folder of a module's own `header`; None if it is open to all."""
    parts = header.split("/")
    if parts[0] != "heapprof":
        return parts[1] if len(parts) > 2 else OUTSIDE
    implementation = parts[-1].removesuffix(".h") + ".cc"
    for path in sorted((root / "src" / module).rglob(implementation)):
        return OUTSIDE if path.parent.name == module else path.parent.name
    return None


def wrong_folder(
    root: pathlib.Path, source: Source, header: str
) -> str | None:
    """Why `source`, which is in a folder, may not include `header`."""
    parts = header.split("/")
    module = parts[1] if parts[0] == "heapprof" else parts[0]
    if source.folder is None or module != source.module:
        return None
    folder = folder_of(root, module, header)
    allowed = FOLDERS[module][source.folder] | {None, source.folder}
    if folder in allowed:
        return None
    return f"{source.module}/{source.folder} may not include {header}"


def wrong_library(source: Source, library: str, header: str) -> str | None:
    """Why `source` may not include `header` of `library`."""
    if library == "fmt":
        return None
    if library not in MODULES[source.module][1]:
        return f"{source.module} may not use {library} ({header})"
    if source.is_shared and library in PRIVATE_LIBRARIES:
        return f"a shared header may not expose {library} ({header})"
    return None


def check_include(
    root: pathlib.Path, source: Source, quote: str, header: str
) -> str | None:
    library = library_of(header)
    if library is not None:
        return wrong_library(source, library, header)
    if quote == '"':
        return wrong_module(source, header) or wrong_folder(
            root, source, header
        )
    if STANDARD_HEADER.fullmatch(header) or SYSTEM_HEADER.fullmatch(header):
        return None
    return f"<{header}> is of no library in check_layers.py"


def check_layers(root: pathlib.Path, source: Source) -> Iterator[Violation]:
    if source.module not in MODULES:
        yield Violation(source.path, 1, f"'{source.module}' is no module")
        return
    if source.folder and source.folder not in FOLDERS.get(source.module, {}):
        message = f"'{source.folder}' is no folder of {source.module}"
        yield Violation(source.path, 1, message)
        return
    for match in INCLUDE.finditer(source.without_comments):
        problem = check_include(root, source, match[1], match[2])
        if problem is not None:
            yield source.at(match.start(2), problem)


def check_calls(source: Source) -> Iterator[Violation]:
    for match in SHELL.finditer(source.code):
        yield source.at(match.start(), f"runs a shell: {match[0]}")
    if source.module == "cli":
        return
    for match in OUTPUT.finditer(source.code):
        message = f"only cli prints or exits: {match[0]}"
        yield source.at(match.start(), message)


def check_types(headers: list[Source]) -> Iterator[Violation]:
    defined: dict[str, str] = {}
    for header in headers:
        for match in TYPE.finditer(header.code):
            path = defined.setdefault(match[1], header.path)
            if path != header.path:
                message = f"{path} defines another '{match[1]}'"
                yield header.at(match.start(1), message)


def check_hidden_functions(
    headers: list[Source], sources: list[Source]
) -> Iterator[Violation]:
    """Checks that no function in an unnamed namespace has the name of one that
    a header of its module declares. Where several files are compiled as one, it
    would be called in place of the latter, from all unnamed namespaces."""
    declared: dict[tuple[str | None, str], str] = {}
    for header in headers:
        for match in FUNCTION.finditer(header.code):
            declared.setdefault((header.module, match[1]), header.path)
    for source in sources:
        for unnamed in UNNAMED.finditer(source.text):
            for match in FUNCTION.finditer(source.code, *unnamed.span(1)):
                path = declared.get((source.module, match[1]))
                if path is not None:
                    message = f"hides the '{match[1]}' of {path}"
                    yield source.at(match.start(1), message)


def check_file(source: Source) -> Iterator[Violation]:
    if not source.text.startswith(LICENSE + "\n"):
        yield Violation(source.path, 1, f"does not start with '{LICENSE}'")
    if source.is_header and "\n#pragma once\n" not in source.code:
        yield Violation(source.path, 1, "header without #pragma once")
    lines = source.text.count("\n")
    if lines > MAX_LINES:
        message = f"{lines} lines, the limit is {MAX_LINES}"
        yield Violation(source.path, MAX_LINES + 1, message)
    for match in UNFINISHED.finditer(source.text):
        yield source.at(match.start(), f"unfinished: {match[0]}")


def check_script_license(
    root: pathlib.Path, path: pathlib.Path
) -> Iterator[Violation]:
    """Checks a CMake or script file, whose first line may be "#!..."."""
    lines = path.read_text(encoding="utf-8").splitlines()[:2]
    if lines and lines[0].startswith("#!"):
        del lines[0]
    if lines[:1] != [SCRIPT_LICENSE]:
        name = path.relative_to(root).as_posix()
        message = f"does not start with '{SCRIPT_LICENSE}'"
        yield Violation(name, 1, message)


def check_scripts(root: pathlib.Path) -> Iterator[Violation]:
    paths = [root / "CMakeLists.txt"]
    for top in (".ci", "proto", "scripts", "src", "testdata", "tests"):
        paths += (root / top).rglob("*")
    for path in paths:
        is_script = path.suffix in SCRIPT_SUFFIXES
        named = path.name == "CMakeLists.txt" or path.parent.name == ".ci"
        if path.is_file() and (is_script or named):
            yield from check_script_license(root, path)


def check_tree(root: pathlib.Path) -> list[Violation]:
    """All violations below `root`, by path and line."""
    violations = list(check_scripts(root))
    headers, sources = [], []
    for top in ("include", "src", "tests", "testdata/programs"):
        for path in sorted((root / top).rglob("*")):
            is_c = path.suffix == ".c" and top == "src"
            is_cpp = path.suffix in (".cc", ".h")
            if not (is_c or is_cpp) or not path.is_file():
                continue
            source = Source(root, path)
            violations += check_file(source)
            # What is written in C runs in other programs.
            if top in ("include", "src") and is_cpp:
                violations += check_layers(root, source)
                violations += check_calls(source)
                (headers if source.is_header else sources).append(source)
    violations += check_types(headers)
    violations += check_hidden_functions(headers, sources)
    return sorted(violations)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(arguments[0]) if arguments else here
    if not (root / "src").is_dir():
        print(f"check_layers.py: {root}/src is no directory", file=sys.stderr)
        return 2
    violations = check_tree(root)
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
