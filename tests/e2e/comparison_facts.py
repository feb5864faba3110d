# SPDX-License-Identifier: Apache-2.0
"""What outputs of a comparison say about entities, and what stacks imply.

Facts are the rows of an output: for functions, lines, files, modules, threads,
stacks, calls and paths of calls, the values before and after and the change, as
far as the output says them. The functions that take stacks compute such rows by
brute force, so that an output can be compared with them.
"""

import collections
import itertools
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Value(NamedTuple):
    """What an output says of one entity; None where it says nothing."""

    before: float | None
    after: float | None
    change: float
    # How far each may be off: because the output rounds, or because each of so
    # many stacks has lost a fraction of a byte.
    error: float = 0


class Key(NamedTuple):
    """A row of an output. Rows of overloads may have the same key."""

    kind: str  # function, line, file, module, thread, stack, call, path, total
    measure: str  # self, cumulative, or growth where what shrank is left out
    name: str


Facts = dict[Key, list[Value]]
Stack = tuple[str, ...]  # root first
Stacks = list[tuple[Stack, Value]]
TOTAL = Key("total", "self", "")


def both(before: float, after: float, error: float = 0) -> Value:
    return Value(before, after, after - before, error)


def grown(change: float, error: float = 0) -> Value:
    return Value(None, None, change, error)


def plain(name: str) -> str:
    """A name as folded stacks have it: without addresses, and no ';'."""
    return re.sub(r"@[0-9a-f]+(?= |$)", "", name).replace(";", ":")


def without_mark(name: str) -> str:
    """The name of a function, whether this call of it is inlined or not."""
    return re.sub(r" \(inline\)(?=[ ;]|$)", "", name)


def without_marks(stacks: Stacks) -> Stacks:
    return [(tuple(map(without_mark, stack)), v) for stack, v in stacks]


def join(stack: Iterable[str]) -> str:
    return ";".join(map(plain, stack))


class Rows:
    """Facts of one output, while they are read."""

    def __init__(self) -> None:
        self.facts: Facts = collections.defaultdict(list)

    def add(self, kind: str, measure: str, name: str, value: Value) -> None:
        if kind != "stack":
            name = plain(name)
        self.facts[Key(kind, measure, name)].append(value)


class Sums:
    """One value for each key."""

    def __init__(self) -> None:
        self.facts: Facts = {}

    def add(self, key: Key, value: Value, error: float) -> None:
        [sum_of] = self.facts.get(key, [None])
        if sum_of is None:
            self.facts[key] = [value._replace(error=error)]
            return
        is_known = sum_of.before is not None and value.before is not None
        self.facts[key] = [Value(
            sum_of.before + value.before if is_known else None,
            sum_of.after + value.after if is_known else None,
            sum_of.change + value.change, sum_of.error + error)]


def stack_rows(stacks: Stacks, is_total: bool = False) -> Facts:
    """Equal stacks as one, and their sum."""
    sums = Sums()
    for stack, value in stacks:
        sums.add(Key("stack", "self", join(stack)), value, value.error)
        if is_total:
            sums.add(TOTAL, value, value.error)
    return sums.facts


def frame_rows(stacks: Stacks, kind: str) -> Facts:
    """Own and cumulative values of each frame, and the total."""
    sums = Sums()
    for stack, value in stacks:
        names = [plain(name) for name in stack]
        for name in set(names):
            sums.add(Key(kind, "cumulative", name), value, 1)
        sums.add(Key(kind, "self", names[-1]), value, 1)
        sums.add(TOTAL, value, 1)
    return sums.facts


def call_rows(stacks: Stacks, rows: Facts, kind: str) -> Facts:
    """The calls between functions that have a row.

    Others, whose change is 0, are left out: their callers seem to call their
    callees. A function's calls of itself do not count.
    """
    hidden = {key.name for key, [value] in rows.items()
              if key[:2] == (kind, "cumulative") and not value.change}
    hidden -= {key.name for key, [value] in rows.items()
               if key[:2] == (kind, "self") and value.change}
    sums = Sums()
    for stack, value in stacks:
        shown = [name for name in map(plain, stack) if name not in hidden]
        for caller, callee in set(itertools.pairwise(shown)):
            if caller != callee:
                call = f"{caller} -> {callee}"
                sums.add(Key("call", "cumulative", call), value, 1)
    return sums.facts


def path_rows(stacks: Stacks, roots: set[str], is_callers: bool) -> Facts:
    """The paths in --callers or --callees that begin at these functions."""
    sums = Sums()
    for stack, value in stacks:
        names = stack[::-1] if is_callers else stack
        for root in roots & set(names):
            # Of recursive calls, the outermost counts.
            at = names.index(root)
            if is_callers:
                at = len(names) - 1 - names[::-1].index(root)
            way = [name for name, _ in itertools.groupby(names[at:])]
            for end in range(1, len(way) + 1):
                path = " - ".join(way[:end])
                sums.add(Key("path", "cumulative", path), value, 1)
    return sums.facts


def growth_rows(stacks: Stacks) -> Facts:
    """What outputs have that cannot say what shrank: stacks and functions."""
    sums = Sums()
    for stack, value in stacks:
        growth = grown(max(value.change, 0))
        sums.add(Key("stack", "growth", join(stack)), growth, 1)
        # With --lines, a name precedes a line.
        leaf = re.fullmatch(r"(.*?)(?: \S*:\d+)?", stack[-1])
        sums.add(Key("function", "growth", plain(leaf[1])), growth, 1)
    return sums.facts


def renamed(facts: Facts, rename: Callable[[str], str]) -> Facts:
    found: Facts = collections.defaultdict(list)
    for key, values in facts.items():
        found[key._replace(name=rename(key.name))] += values
    return found


def of_kinds(facts: Facts, *kinds: str) -> Facts:
    return {key: values for key, values in facts.items() if key.kind in kinds}


def single(facts: Facts) -> Facts:
    """Without the entities that have several rows."""
    return {key: values for key, values in facts.items() if len(values) == 1}


def added_up(facts: Facts) -> Facts:
    """Rows with the same key as one."""
    sums = Sums()
    for key, values in facts.items():
        for value in values:
            sums.add(key, value, value.error)
    return sums.facts


def changes(values: list[Value]) -> list[Value]:
    return [grown(value.change, value.error) for value in values]


def is_near(value: Value, truth: Value, slack: float) -> bool:
    return all(abs(said - true) <= value.error + slack
               for said, true in zip(value[:3], truth[:3])
               if said is not None and true is not None)


def agree(said: list[Value], true: list[Value], slack: float,
          is_partial: bool) -> bool:
    """True if both have the same rows, apart from rows of zeros. If
    is_partial, `said` may have fewer."""
    left = list(true)
    if any(value.before is None for value in said + left):
        said, left = changes(said), changes(left)
    nothing = Value(0, 0, 0)
    for value in said:
        match = next((v for v in left if is_near(value, v, slack)), None)
        if match is not None:
            left.remove(match)
        elif not is_near(value, nothing, slack):
            return False
    return is_partial or all(is_near(nothing, v, slack) for v in left)


def text_of(values: list[Value]) -> str:
    parts = []
    for v in sorted((v for v in values if any(v[:3])), key=lambda v: v.change):
        sides = "" if v.before is None else f"{v.before:.0f} to {v.after:.0f}, "
        parts.append(f"{sides}{v.change:+.0f}")
    return " and ".join(parts) or "nothing"
