#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks pprof profiles as strictly as the services that store them.

usage: check_pprof.py FILE...

Prints what is wrong, one line each, and exits with status 1 if anything is.
The rules are those of google/pprof (CheckValid), Parca (validation before
normalisation) and Pyroscope (its limits on labels and names), and what makes
a profile ambiguous: rows that occur twice or that nothing refers to.
"""

import gzip
import sys
from typing import NamedTuple

sys.dont_write_bytecode = True
from wire_format import Malformed, fields, read_varint  # noqa: E402

MOST_BYTES = 2**31 - 1
MOST_LABELS = 100
LONGEST_LABEL_NAME = 1024
LONGEST_LABEL_VALUE = 2048
DEEPEST_STACK = 1000

# Field numbers and names of each message.
PROFILE = {
    1: "sample_type",
    2: "sample",
    3: "mapping",
    4: "location",
    5: "function",
    6: "string_table",
    7: "drop_frames",
    8: "keep_frames",
    9: "time_nanos",
    10: "duration_nanos",
    11: "period_type",
    12: "period",
    13: "comment",
    14: "default_sample_type",
}
VALUE_TYPE = {1: "type", 2: "unit"}
SAMPLE = {1: "location_id", 2: "value", 3: "label"}
LABEL = {1: "key", 2: "str", 3: "num", 4: "num_unit"}
MAPPING = {
    1: "id",
    2: "memory_start",
    3: "memory_limit",
    4: "file_offset",
    5: "filename",
    6: "build_id",
    7: "has_functions",
    8: "has_filenames",
    9: "has_line_numbers",
    10: "has_inline_frames",
}
LOCATION = {1: "id", 2: "mapping_id", 3: "address", 4: "line", 5: "is_folded"}
LINE = {1: "function_id", 2: "line", 3: "column"}
FUNCTION = {1: "id", 2: "name", 3: "system_name", 4: "filename", 5: "start_line"}


def signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def numbers(values: list[int | bytes]) -> list[int]:
    """A repeated number, packed or not."""
    result = []
    for value in values:
        if isinstance(value, int):
            result.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = read_varint(value, at)
            result.append(number)
    return result


class Message:
    """The fields of one message, by name."""

    def __init__(self, data: bytes, names: dict[int, str]) -> None:
        self.fields: dict[str, list[int | bytes]] = {}
        self.unknown: set[int] = set()
        for number, value in fields(data):
            if number in names:
                self.fields.setdefault(names[number], []).append(value)
            else:
                self.unknown.add(number)

    def all(self, name: str) -> list:
        return self.fields.get(name, [])

    def number(self, name: str) -> int:
        values = self.all(name)
        if not values:
            return 0
        if len(values) > 1 or not isinstance(values[0], int):
            raise Malformed(f"{name} is not one number")
        return values[0]

    def messages(self, name: str, names: dict[int, str]) -> list["Message"]:
        return [Message(value, names) for value in self.all(name)]


class Label(NamedTuple):
    key: str
    text: str
    number: int
    unit: str


class Checker:
    def __init__(self, data: bytes) -> None:
        self.problems: list[str] = []
        self.profile = Message(data, PROFILE)
        self.size = len(data)
        self.strings: list[str] = []
        self.used: dict[str, set[int]] = {
            "mapping": set(), "location": set(), "function": set(), "string": {0}
        }

    def problem(self, text: str) -> None:
        self.problems.append(text)

    def check(self) -> list[str]:
        if self.size > MOST_BYTES:
            self.problem(f"{self.size} bytes are more than readers accept")
        self.check_strings()
        self.check_types()
        self.counts = {
            name: len(self.profile.all(name))
            for name in ("mapping", "location", "function")
        }
        self.check_samples()
        self.check_locations()
        self.check_functions()
        self.check_mappings()
        self.check_header()
        self.check_use()
        return self.problems

    def check_strings(self) -> None:
        for i, text in enumerate(self.profile.all("string_table")):
            try:
                self.strings.append(text.decode("utf-8"))
            except UnicodeDecodeError:
                self.problem(f"string {i} is not UTF-8: {text!r}")
                self.strings.append(f"string {i}")
        if not self.strings or self.strings[0] != "":
            self.problem("string 0 is not empty")
        if len(set(self.strings)) != len(self.strings):
            self.problem("a string occurs twice in the table")

    def string(self, index: int, what: str) -> str:
        if index >= len(self.strings):
            self.problem(f"{what}: no string {index} of {len(self.strings)}")
            return ""
        self.used["string"].add(index)
        return self.strings[index]

    def check_types(self) -> None:
        types = []
        for message in self.profile.messages("sample_type", VALUE_TYPE):
            name = self.string(message.number("type"), "sample type")
            unit = self.string(message.number("unit"), "unit")
            types.append(name)
            if not name or not unit:
                self.problem(f"a sample type without name or unit: {name}/{unit}")
            if "-" in name or "-" in unit:
                self.problem(f"a '-' in the sample type {name}/{unit}")
        if not types:
            self.problem("no sample types")
        if len(set(types)) != len(types):
            self.problem(f"a sample type occurs twice: {', '.join(types)}")
        self.types = types
        default = self.string(
            self.profile.number("default_sample_type"), "default_sample_type"
        )
        if default and default not in types:
            self.problem(f"the default {default} is not a sample type")

    def check_ids(self, kind: str, rows: list[Message]) -> None:
        """Parca looks rows up by position."""
        for position, row in enumerate(rows, 1):
            if row.number("id") != position:
                self.problem(
                    f"{kind} {position} has the id {row.number('id')}"
                )
        seen = {}
        for position, row in enumerate(rows, 1):
            key = repr([row.fields.get(f) for f in sorted(row.fields) if f != "id"])
            if key in seen:
                self.problem(f"{kind} {position} equals {kind} {seen[key]}")
            seen[key] = position

    def refer(self, kind: str, number: int, what: str) -> None:
        if not 1 <= number <= self.counts[kind]:
            self.problem(f"{what}: no {kind} {number} of {self.counts[kind]}")
        self.used[kind].add(number)

    def check_samples(self) -> None:
        seen = set()
        for i, sample in enumerate(self.profile.messages("sample", SAMPLE)):
            what = f"sample {i}"
            stack = numbers(sample.all("location_id"))
            values = [signed(v) for v in numbers(sample.all("value"))]
            for location in stack:
                self.refer("location", location, what)
            if not stack:
                self.problem(f"{what} has no locations")
            if len(stack) > DEEPEST_STACK:
                self.problem(f"{what} has {len(stack)} locations")
            if len(values) != len(self.types):
                self.problem(
                    f"{what} has {len(values)} values, not {len(self.types)}"
                )
            if not any(values):
                self.problem(f"{what} has only zeros")
            labels = self.check_labels(sample, what)
            if min(values, default=0) < 0:
                if not any(label.key == "pprof::base" for label in labels):
                    self.problem(f"{what} is negative, and not of the base")
            key = (tuple(stack), tuple(sorted(labels)))
            if key in seen and not self.is_baseline():
                self.problem(f"{what} has the locations and labels of another")
            seen.add(key)

    def is_baseline(self) -> bool:
        """heapprof keeps the records of a baseline apart, for error bars."""
        return any(name.startswith("sampled_") for name in self.types)

    def check_labels(self, sample: Message, what: str) -> list[Label]:
        labels = []
        for message in sample.messages("label", LABEL):
            label = Label(
                self.string(message.number("key"), what),
                self.string(message.number("str"), what),
                signed(message.number("num")),
                self.string(message.number("num_unit"), what),
            )
            labels.append(label)
            if not label.key:
                self.problem(f"{what} has a label without key")
            if label.text and (label.number or label.unit):
                self.problem(f"{what}: label {label.key} is text and a number")
            if not label.text and not label.number:
                self.problem(f"{what}: label {label.key} has no value")
            if len(label.key) > LONGEST_LABEL_NAME:
                self.problem(f"{what}: a label's key is too long")
            if len(label.text) > LONGEST_LABEL_VALUE:
                self.problem(f"{what}: a label's value is too long")
            if label.key.startswith("pprof::") and label[:2] != (
                "pprof::base", "true"
            ):
                self.problem(f"{what}: the label {label.key} is reserved")
        if len(labels) > MOST_LABELS:
            self.problem(f"{what} has {len(labels)} labels")
        if len({label.key for label in labels}) != len(labels):
            self.problem(f"{what} has a label twice")
        return labels

    def check_locations(self) -> None:
        rows = self.profile.messages("location", LOCATION)
        self.check_ids("location", rows)
        mappings = self.profile.messages("mapping", MAPPING)
        for i, row in enumerate(rows, 1):
            what = f"location {i}"
            mapping = row.number("mapping_id")
            self.refer("mapping", mapping, what)
            for line in row.messages("line", LINE):
                self.refer("function", line.number("function_id"), what)
            address = row.number("address")
            if not 1 <= mapping <= len(mappings) or address == 0:
                continue
            start = mappings[mapping - 1].number("memory_start")
            limit = mappings[mapping - 1].number("memory_limit")
            if limit and not start <= address < limit:
                self.problem(f"{what}: {address:#x} is outside its mapping")
            if not row.all("line") and mappings[mapping - 1].number(
                "has_functions"
            ):
                self.problem(f"{what} has no line, but its mapping has_functions")

    def check_functions(self) -> None:
        rows = self.profile.messages("function", FUNCTION)
        self.check_ids("function", rows)
        for i, row in enumerate(rows, 1):
            names = [
                self.string(row.number(field), f"function {i}")
                for field in ("name", "system_name", "filename")
            ]
            if not names[0]:
                self.problem(f"function {i} has no name")
            if signed(row.number("start_line")) < 0:
                self.problem(f"function {i} starts at a negative line")

    def check_mappings(self) -> None:
        rows = self.profile.messages("mapping", MAPPING)
        self.check_ids("mapping", rows)
        for i, row in enumerate(rows, 1):
            name = self.string(row.number("filename"), f"mapping {i}")
            build_id = self.string(row.number("build_id"), f"mapping {i}")
            if not name:
                self.problem(f"mapping {i} has no file name")
            if build_id.strip("0123456789abcdef"):
                self.problem(f"mapping {i}: build id {build_id} is not lower hex")
            if row.number("memory_start") > row.number("memory_limit"):
                self.problem(f"mapping {i} ends before it starts")
        # Flags on a mapping without locations would say nothing.
        for i, row in enumerate(rows, 1):
            flags = ("has_functions", "has_filenames", "has_line_numbers")
            if i not in self.used["mapping"] and any(map(row.number, flags)):
                self.problem(f"mapping {i} has flags, but no location")

    def check_header(self) -> None:
        for message in self.profile.messages("period_type", VALUE_TYPE)[:1]:
            names = (
                self.string(message.number("type"), "period type"),
                self.string(message.number("unit"), "period type"),
            )
            if names != ("space", "bytes"):
                self.problem(f"the period type is {names[0]}/{names[1]}")
        if not self.profile.all("period_type"):
            self.problem("no period type")
        if signed(self.profile.number("period")) < 0:
            self.problem("the period is negative")
        if signed(self.profile.number("time_nanos")) < 0:
            self.problem("the time is negative")
        for index in numbers(self.profile.all("comment")):
            if self.string(index, "comment").startswith("executableInfo="):
                self.problem("a comment that Parca interprets")
        for field in ("drop_frames", "keep_frames"):
            self.string(self.profile.number(field), field)
        if self.profile.unknown:
            self.problem(f"unknown fields {sorted(self.profile.unknown)}")

    def check_use(self) -> None:
        for kind, first in (("location", 1), ("function", 1), ("mapping", 2)):
            unused = set(range(first, self.counts[kind] + 1)) - self.used[kind]
            if unused:
                self.problem(f"nothing refers to {kind} {min(unused)}")
        unused = set(range(len(self.strings))) - self.used["string"]
        if unused:
            self.problem(f"nothing refers to string {min(unused)}")


def problems_of(data: bytes) -> list[str]:
    """What is wrong with a profile, compressed or not."""
    try:
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return Checker(data).check()
    except (Malformed, OSError, EOFError, AttributeError) as error:
        return [f"cannot be decoded: {error}"]


def main(paths: list[str]) -> int:
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    failed = False
    for path in paths:
        with open(path, "rb") as file:
            problems = problems_of(file.read())
        for problem in problems[:20]:
            print(f"{path}: {problem}")
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
