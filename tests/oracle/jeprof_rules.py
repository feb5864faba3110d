# SPDX-License-Identifier: Apache-2.0
"""Compares reports of heapprof with jeprof's, number by number.

A row, or a folded stack, counts as equal if its numbers are and its names
differ only in a way that KINDS lists. Everything else is unexplained.
"""

import bisect
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

# A symbol's start and full name.
Symbol = tuple[int, str]


class Row(NamedTuple):
    """A line of a text report, without the running sum of percentages."""

    name: str
    flat: float  # megabytes, bytes or objects
    flat_percent: str
    cumulative: float
    cumulative_percent: str

    @property
    def numbers(self) -> tuple:
        return self[1:]


class Difference(NamedTuple):
    kind: str | None  # None: unexplained
    ours: str
    theirs: str


class Symbols:
    """The symbols of modules, as nm lists them: an independent witness."""

    def __init__(self, load: Callable[[str], Iterable[Symbol]]) -> None:
        self._load = load
        self._tables: dict[str, list[Symbol]] = {}

    def table(self, module: str) -> list[Symbol]:
        if module not in self._tables:
            self._tables[module] = sorted(self._load(module))
        return self._tables[module]

    def nearest(self, module: str, address: int) -> set[str]:
        """The names at the last symbol address that is not greater."""
        table = self.table(module)
        end = bisect.bisect_right(table, address, key=lambda s: s[0])
        if end == 0:
            return set()
        start = table[end - 1][0]
        return {name for at, name in table[:end] if at == start}

    def are_aliases(self, modules: Iterable[str], a: str, b: str) -> bool:
        """True if one address of one module has both names."""
        for module in modules:
            starts = {at for at, name in self.table(module) if bare(name) == a}
            if any(
                at in starts and bare(name) == b
                for at, name in self.table(module)
            ):
                return True
        return False


class Context(NamedTuple):
    """What a rule may look at, besides the two names."""

    symbols: Symbols
    modules: list[str]
    # The names that jeprof gives to functions that are not inlined.
    functions: set[str]


def bare(name: str) -> str:
    """Without a version: nm's "f@@GLIBC_2.2.5"."""
    return name.split("@", 1)[0] or name


def short(name: str) -> str:
    """jeprof's short name for a full one."""
    before = None
    while before != name:
        before = name
        name = re.sub(r"\([^()]*\)(\s*const)?", "", name)
    before = None
    while before != name:
        before = name
        name = re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"^.*\s+(\w+::)", r"\1", name)


def unresolved(name: str) -> tuple[str, int] | None:
    """The module and address of our "libfoo.so+0x1234"."""
    match = re.fullmatch(r"([^;]+)\+0x([0-9a-f]+)", name)
    return (match[1], int(match[2], 16)) if match else None


def is_call_operator(ours: str, theirs: str, context: Context) -> bool:
    return ours != theirs and ours.replace("operator()", "operator") == theirs


def is_nearest_symbol(ours: str, theirs: str, context: Context) -> bool:
    place = unresolved(ours)
    if place is None:
        return False
    names = context.symbols.nearest(place[0], place[1] - 1)
    return theirs in names or theirs in {short(name) for name in names}


def has_no_symbols(name: str, symbols: Symbols) -> bool:
    """True for an address in a file without symbols."""
    place = unresolved(name)
    return place is not None and not symbols.table(place[0])


def is_without_symbols(ours: str, theirs: str, context: Context) -> bool:
    return theirs == "?? ??:0" and has_no_symbols(ours, context.symbols)


def is_alias(ours: str, theirs: str, context: Context) -> bool:
    return context.symbols.are_aliases(
        context.modules, bare(ours), bare(theirs)
    )


def is_version(ours: str, theirs: str, context: Context) -> bool:
    return "@" not in ours and re.fullmatch(
        re.escape(ours) + r"@@?[A-Z]\w*_[\w.]+", theirs
    ) is not None


def is_clone(ours: str, theirs: str, context: Context) -> bool:
    return ours != theirs and ours == re.sub(
        r"(\.(cold|constprop|isra|lto_priv|part)(\.\d+)?)+$", "", theirs
    )


def is_blank(ours: str, theirs: str, context: Context) -> bool:
    return re.sub("> (?=>)", ">", ours) == re.sub("> (?=>)", ">", theirs)


INLINE = " (inline)"


def is_inlined_static(ours: str, theirs: str, context: Context) -> bool:
    if not (ours.endswith(INLINE) and theirs.endswith(INLINE)):
        return False
    return (
        theirs.removesuffix(INLINE) in context.functions
        or ours.endswith("::" + theirs)
    )


class Kind(NamedTuple):
    name: str
    reason: str
    accepts: Callable[[str, str, Context], bool]


KINDS = (
    Kind(
        "call operator",
        "jeprof cuts all parentheses from a name, those of operator() too",
        is_call_operator,
    ),
    Kind(
        "nearest symbol",
        "jeprof gives code that no symbol covers to the symbol before it;"
        " ours is module+address",
        is_nearest_symbol,
    ),
    Kind(
        "no symbols",
        "jeprof names all code of a file without symbols '??'",
        is_without_symbols,
    ),
    Kind(
        "alias",
        "a function with several names: jeprof prefers nm's choice, we that"
        " of the debug information",
        is_alias,
    ),
    Kind(
        "version",
        "jeprof keeps the symbol version that nm prints after a name",
        is_version,
    ),
    Kind(
        "clone",
        "jeprof names a part of a function as nm does, ours is the function"
        " of the source",
        is_clone,
    ),
    Kind(
        "blank",
        "LLVM's demangler leaves out the blank between two '>'",
        is_blank,
    ),
    Kind(
        "inlined static function",
        "addr2line gives an inlined function without linkage name the name"
        " of the symbol around it, or no scope",
        is_inlined_static,
    ),
)
# One more kind, which takes two rows: jeprof looks for the allocator only among
# functions that are not inlined.
INLINED_ALLOCATOR = "inlined allocator"

# What an allocator's callers have inlined of it. rustc names methods in two
# ways, an older one without the brackets.
ALLOCATOR = re.compile(
    r"(malloc|calloc|realloc|alloc::alloc::(exchange_malloc|alloc)"
    r"|<?alloc::alloc::Global>?::alloc_impl(_runtime)?"
    r"|<alloc::alloc::Global as core::alloc::Allocator>::allocate"
    r"|alloc::boxed::box_new_uninit|hashbrown::raw::alloc::inner::do_alloc)"
)


def split_text(report: str) -> list[str]:
    """The tables of a report: one, or one for each thread."""
    return re.split(r"\n(?=Total \(t\d+\): )", report)


def parse_text(report: str) -> tuple[str, list[Row]]:
    """The total line and the rows of one table."""
    total, *lines = report.splitlines() or [""]
    rows = []
    for line in lines:
        # In a total that shrank, jeprof's share of nothing is less than that.
        plain = re.sub(r" -0\.0%", " 0.0%", line)
        match = re.fullmatch(
            r" *(-?[\d.]+) +(\S+%) +\S+% +(-?[\d.]+) +(\S+%) (.+)", plain
        )
        if match is None:
            raise ValueError(f"not a row of a text report: {line!r}")
        rows.append(
            Row(match[5], float(match[1]), match[2], float(match[3]), match[4])
        )
    return total, rows


class Folded(NamedTuple):
    """The value of a stack, and from how many lines it was added up."""

    value: int
    lines: int

    def may_be(self, ours: int, carried: int) -> bool:
        """True if the fractions of the lines explain the rest.

        jeprof cuts them off; ours may also have `carried` from other stacks.
        """
        return 0 <= ours - self.value < self.lines + carried


Stack = tuple[str, ...]  # names, root first


def parse_collapsed(report: str) -> list[tuple[Stack, int]]:
    stacks = []
    for line in report.splitlines():
        match = re.fullmatch(r"(.+) (-?\d+)", line)
        if match is None:
            raise ValueError(f"not a folded stack: {line!r}")
        stacks.append((tuple(match[1].split(";")), int(match[2])))
    return stacks


def plain_stack(stack: Stack) -> Stack:
    """A stack of jeprof's without frames and marks that ours never have.

    Those are start addresses and "[inline]" in names, and the allocator's
    inlined functions.
    """
    names = [
        re.sub(r"(<[0-9a-f]{16}>)?(\[inline\])?$", "", frame)
        for frame in stack
    ]
    while len(names) > 1 and ALLOCATOR.fullmatch(names[-1]):
        names.pop()
    return tuple(names)


def add_up(stacks: Iterable[tuple[Stack, int]]) -> dict[Stack, Folded]:
    """One value for each stack; without those that hold nothing."""
    sums: dict[Stack, Folded] = {}
    for stack, value in stacks:
        old = sums.get(stack, Folded(0, 0))
        sums[stack] = Folded(old.value + value, old.lines + 1)
    return {stack: sum for stack, sum in sums.items() if sum.value != 0}


def near_total(ours: str, theirs: str) -> bool:
    """True if the total lines are equal or, in bytes or objects, differ by 1."""
    pattern = r"(Total: )?(-?\d+)?( \D+)?"
    a, b = (re.fullmatch(pattern, line) for line in (ours, theirs))
    if not (a and b and a[2] and b[2] and a[3] == b[3]):
        return ours == theirs
    return abs(int(a[2]) - int(b[2])) <= 1


def with_their_rounding(ours: list[Row], theirs: list[Row]) -> list[Row]:
    """Our rows of a comparison, with jeprof's numbers if 1 off.

    jeprof rounds the difference, we round each side.
    """

    def is_near(a: Row, b: Row) -> bool:
        return (
            abs(a.flat - b.flat) <= 1
            and abs(a.cumulative - b.cumulative) <= 1
            and a.flat_percent == b.flat_percent
            and a.cumulative_percent == b.cumulative_percent
        )

    rows = []
    for row in ours:
        near = [other for other in theirs if is_near(row, other)]
        best = max(
            near,
            key=lambda o: (o.name == row.name, o.numbers == row.numbers),
            default=row,
        )
        rows.append(best._replace(name=row.name))
    return rows


def kind_of(ours: str, theirs: str, context: Context) -> str | None:
    for kind in KINDS:
        if kind.accepts(ours, theirs, context):
            return kind.name
    return None


def compare_rows(
    ours: list[Row], theirs: list[Row], symbols: Symbols, modules: list[str]
) -> list[Difference]:
    """What differs; a row that both have is no difference."""
    only_ours = list((Counter(ours) - Counter(theirs)).elements())
    only_theirs = list((Counter(theirs) - Counter(ours)).elements())
    functions = {r.name for r in theirs if not r.name.endswith(INLINE)}
    context = Context(symbols, modules, functions)
    differences = []
    for row in list(only_ours):
        for other in only_theirs:
            kind = None
            if row.numbers == other.numbers:
                kind = kind_of(row.name, other.name, context)
            if kind is not None:
                differences.append(Difference(kind, row.name, other.name))
                only_ours.remove(row)
                only_theirs.remove(other)
                break
    differences += take_inlined_allocator(only_ours, only_theirs)
    differences += [Difference(None, str(row), "") for row in only_ours]
    differences += [Difference(None, "", str(row)) for row in only_theirs]
    return differences


def take_inlined_allocator(
    only_ours: list[Row],
    only_theirs: list[Row],
    function_of: Callable[[str], str] = str,
) -> list[Difference]:
    """Removes the rows of inlined allocator functions and of their callers.

    What jeprof counts for the first, we count for the second. `function_of`
    takes the function's name from that of a row.
    """
    differences = []
    for leaf in list(only_theirs):
        label = function_of(leaf.name)
        name = label.removesuffix(INLINE)
        if name == label or not ALLOCATOR.fullmatch(name):
            continue
        for caller in only_theirs:
            moved = caller._replace(
                flat=caller.flat + leaf.flat, flat_percent=leaf.flat_percent
            )
            if caller.flat == 0 and moved in only_ours:
                only_ours.remove(moved)
                only_theirs.remove(caller)
                only_theirs.remove(leaf)
                differences.append(
                    Difference(INLINED_ALLOCATOR, moved.name, leaf.name)
                )
                break
    return differences


def compare_frames(
    ours: Stack, theirs: Stack, context: Context
) -> list[Difference] | None:
    """How the names of two stacks differ; None if that is not explained."""
    if len(ours) != len(theirs):
        return None
    differences = []
    for i, (name, other) in enumerate(zip(ours, theirs)):
        if name == other:
            continue
        kind = kind_of(name, other, context)
        # Folded stacks do not say what is inlined, but what stands below.
        inlined = context._replace(functions={*theirs[i - 1 : i]})
        if kind is None and is_inlined_static(
            name + INLINE, other + INLINE, inlined
        ):
            kind = "inlined static function"
        if kind is None:
            return None
        differences.append(Difference(kind, name, other))
    return differences


def without_addresses(stack: Stack, symbols: Symbols) -> Stack:
    """A stack of ours with jeprof's name for files without symbols."""
    return tuple("??:0" if has_no_symbols(n, symbols) else n for n in stack)


def compare_stacks(
    ours: list[tuple[Stack, int]],
    theirs: list[tuple[Stack, int]],
    symbols: Symbols,
    modules: list[str],
    carried: int = 0,
) -> list[Difference]:
    """What differs between two lists of folded stacks.

    Of values that are no integers, our stacks have up to 1 `carried` from the
    stack before.
    """
    context = Context(symbols, modules, set())
    only_ours = add_up((without_addresses(s, symbols), v) for s, v in ours)
    only_theirs = add_up((plain_stack(s), v) for s, v in theirs)
    # Of a comparison, ours are the stacks that grew.
    only_theirs = {s: f for s, f in only_theirs.items() if f.value > 0}
    for stack in set(only_ours) & set(only_theirs):
        if only_theirs[stack].may_be(only_ours[stack].value, carried):
            del only_ours[stack], only_theirs[stack]
    differences = []
    for stack, folded in list(only_ours.items()):
        for other, other_folded in only_theirs.items():
            found = None
            if other_folded.may_be(folded.value, carried):
                found = compare_frames(stack, other, context)
            if found is not None:
                differences += found
                del only_ours[stack], only_theirs[other]
                break
    differences += [
        Difference(None, f"{';'.join(s)} {f.value}", "")
        for s, f in only_ours.items()
    ]
    differences += [
        Difference(None, "", f"{';'.join(s)} {f.value}")
        for s, f in only_theirs.items()
    ]
    return differences


def share_that_differs(
    ours: list[Row], theirs: list[Row]
) -> tuple[float, float]:
    """Per cent of the rows, and of their bytes, that jeprof does not have."""
    wrong = list((Counter(ours) - Counter(theirs)).elements())
    total = sum(abs(row.flat) for row in ours) or 1
    return (
        100 * len(wrong) / len(ours),
        100 * sum(abs(row.flat) for row in wrong) / total,
    )
