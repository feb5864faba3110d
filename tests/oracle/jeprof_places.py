# SPDX-License-Identifier: Apache-2.0
"""Compares reports by line, file or address with jeprof's.

Their rows end with, or are, a place: FILE:LINE or FILE. What jeprof prints of
it is what addr2line does, which splits rows that are one place.
"""

import os
import re
from typing import NamedTuple

import jeprof_rules
from jeprof_rules import Context, Difference, Row, Symbols

NO_PLACE = "??:0"


class Label(NamedTuple):
    """The parts of a row's name. Parts that a report lacks are empty."""

    address: str
    name: str
    place: str


class PlaceKind(NamedTuple):
    name: str
    reason: str


DISCRIMINATOR = PlaceKind(
    "discriminator",
    "addr2line appends one to the line, so that a line is several rows;"
    " ours is one row of their sum",
)
SPELLING = PlaceKind(
    "unknown place",
    "'??:?', ':?' and '??:0' of addr2line and jeprof are '??:0' in ours",
)
MODULE = PlaceKind(
    "module of unknown file",
    "jeprof has one row for all code without a file, ours names the modules",
)
DIRECTORY = PlaceKind(
    "directory twice",
    "addr2line joins a relative directory to itself",
)
DOTS = PlaceKind(
    "dots in a path",
    "ours leave out '.' and 'x/..'",
)
OTHER_FILE = PlaceKind(
    "other file",
    "addr2line 2.40 names another file of the unit than we, llvm-addr2line and"
    " eu-addr2line do; the line is the same",
)
# Ours and addr2line's.
OTHER_FILES = {
    "sysdeps/nptl/libc_start_call_main.h": "sysdeps/x86/libc-start.c",
}


def plain_place(place: str) -> tuple[str, set[str]]:
    """A place of jeprof's as ours is written, and the kinds of the changes."""
    kinds = set()
    without = re.sub(r" \(discriminator \d+\)$", "", place)
    if without != place:
        kinds.add(DISCRIMINATOR.name)
    if without in ("??:?", ":?", "??:0", "?", "??", ""):
        plain = NO_PLACE
        if plain != without:
            kinds.add(SPELLING.name)
        return plain, kinds
    plain = re.sub(r":\?$", ":0", without)
    if plain != without:
        kinds.add(SPELLING.name)
    once = re.sub(r"^(\./[^:]+?/)\1", r"\1", plain)
    if once != plain:
        kinds.add(DIRECTORY.name)
    normal = os.path.normpath(once)
    if normal != once:
        kinds.add(DOTS.name)
    return normal, kinds


def split_label(text: str, granularity: str) -> Label:
    if granularity == "files":
        return Label("", "", text)
    address = ""
    if granularity == "addresses":
        address, text = text.split(" ", 1)
    match = re.fullmatch(
        r"(.+?) (\S*:(?:\?|\d+)(?: \(discriminator \d+\))?)", text
    )
    if match is None:
        return Label(address, text, "")
    return Label(address, match[1], match[2])


class Sum(NamedTuple):
    """Rows of jeprof's that are one of ours."""

    label: Label
    rows: tuple[Row, ...]
    kinds: frozenset[str]

    def has(self, row: Row) -> bool:
        """True if the row's numbers may be the sum's.

        A stack may be in several of the rows, and each value was cut.
        """
        if len(self.rows) == 1:
            return row.numbers == self.rows[0].numbers
        flat = sum(r.flat for r in self.rows)
        most = sum(r.cumulative for r in self.rows) + len(self.rows) - 1
        least = max(r.cumulative for r in self.rows)
        return (
            flat <= row.flat < flat + len(self.rows)
            and least <= row.cumulative <= most
        )


def sums_of(rows: list[Row], granularity: str) -> list[Sum]:
    """jeprof's rows, added up where they differ in spelling only."""
    sums: dict[Label, Sum] = {}
    for row in rows:
        label = split_label(row.name, granularity)
        place, kinds = plain_place(label.place)
        if granularity == "files":
            # Without a file, jeprof falls back to the name.
            place = re.sub(r"^.* (?=\?\?:0$)", "", place)
            place = re.sub(r":\d+$", "", place)
        label = label._replace(place=place)
        old = sums.get(label, Sum(label, (), frozenset()))
        sums[label] = Sum(label, (*old.rows, row), old.kinds | kinds)
    return list(sums.values())


def place_kind(ours: str, theirs: str) -> str | None:
    file, colon, line = ours.rpartition(":")
    if not (colon and line.isdigit()):
        file, colon, line = ours, "", ""
    if theirs == OTHER_FILES.get(file, "") + colon + line:
        return OTHER_FILE.name
    return None


def kinds_of(ours: Label, theirs: Label, context: Context) -> set[str] | None:
    """The rules that explain how two labels differ; None if none does."""
    kinds: set[str | None] = set()
    if ours.address != theirs.address:
        return None
    if ours.name != theirs.name:
        kinds.add(jeprof_rules.kind_of(ours.name, theirs.name, context))
    if ours.place != theirs.place:
        kinds.add(place_kind(ours.place, theirs.place))
    return None if None in kinds else {k for k in kinds if k is not None}


def compare_places(
    ours: list[Row],
    theirs: list[Row],
    granularity: str,
    symbols: Symbols,
    modules: list[str],
) -> list[Difference]:
    """What differs between two reports by lines, files or addresses."""
    sums = sums_of(theirs, granularity)
    functions = {
        s.label.name
        for s in sums
        if not s.label.name.endswith(jeprof_rules.INLINE)
    }
    context = Context(symbols, modules, functions)
    differences = []
    rows = list(ours)
    if granularity == "files":
        differences += take_unknown_files(rows, sums)
    # Equal labels first: what is left has to be explained.
    for explain in (False, True):
        for row in list(rows):
            label = split_label(row.name, granularity)
            for other in sums:
                if not other.has(row):
                    continue
                if not explain and label != other.label:
                    continue
                kinds = kinds_of(label, other.label, context)
                if kinds is None:
                    continue
                rows.remove(row)
                sums.remove(other)
                differences += [
                    Difference(kind, row.name, other.rows[0].name)
                    for kind in sorted(kinds | other.kinds)
                ]
                break
    only_theirs = [
        row._replace(name=" ".join(filter(None, other.label)))
        for other in sums
        for row in other.rows
    ]
    differences += jeprof_rules.take_inlined_allocator(
        rows, only_theirs, lambda name: split_label(name, granularity).name
    )
    differences += [Difference(None, str(row), "") for row in rows]
    differences += [Difference(None, "", str(row)) for row in only_theirs]
    return differences


def take_unknown_files(rows: list[Row], sums: list[Sum]) -> list[Difference]:
    """Removes our rows of modules and jeprof's row of no file.

    Of a stack that is in several modules, jeprof's cumulative value counts
    once.
    """
    ours = [r for r in rows if re.fullmatch(r"\[.+\]", r.name)]
    theirs = [s for s in sums if s.label.place == "??"]
    flat = sum(r.flat for s in theirs for r in s.rows)
    if not ours or flat != sum(r.flat for r in ours):
        return []
    most = max(r.cumulative for s in theirs for r in s.rows)
    if any(r.cumulative > most for r in ours):
        return []
    for row in ours:
        rows.remove(row)
    for other in theirs:
        sums.remove(other)
    return [Difference(MODULE.name, r.name, "??") for r in ours]
