#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that check_pprof.py rejects whatever breaks one of its rules."""

import copy
import gzip
import sys
import unittest

sys.dont_write_bytecode = True
import check_pprof  # noqa: E402
from wire_format import field, varint  # noqa: E402


def encode(row: dict, names: dict[int, str]) -> bytes:
    out = b""
    for number, name in names.items():
        value = row.get(name, 0)
        if isinstance(value, list):
            out += b"".join(field(number, part) for part in value)
        elif value:
            out += field(number, value)
    return out


def packed(values: list[int]) -> bytes:
    return b"".join(map(varint, values))


class Draft:
    """A valid profile as lists of rows; strings are indices of `strings`."""

    def __init__(self) -> None:
        names = "inuse_space bytes app f _Zf f.cc g thread 7 space c0ffee v1"
        self.strings = [b""] + [name.encode() for name in names.split()]
        self.types = [{"type": 1, "unit": 2}]
        self.samples = [
            {"stack": [1, 2], "values": [7], "labels": []},
            {"stack": [2], "values": [5], "labels": [{"key": 8, "str": 9}]},
        ]
        self.mappings = [
            {
                "id": 1,
                "memory_limit": 2**64 - 1,
                "filename": 3,
                "build_id": 11,
                "has_functions": 1,
            }
        ]
        self.locations = [
            {"id": 1, "mapping_id": 1, "address": 16, "lines": [(1, 3)]},
            {"id": 2, "mapping_id": 1, "address": 32, "lines": [(2, 0)]},
        ]
        self.functions = [
            {"id": 1, "name": 4, "system_name": 5, "filename": 6},
            {"id": 2, "name": 7},
        ]
        self.header = {
            "period_type": [field(1, 10) + field(2, 2)],
            "period": 512,
            "comment": [12],
            "default_sample_type": 1,
        }

    def bytes(self) -> bytes:
        p = check_pprof
        samples = []
        for sample in self.samples:
            row = field(1, packed(sample["stack"]))
            row += field(2, packed(sample["values"]))
            for label in sample["labels"]:
                row += field(3, encode(label, p.LABEL))
            samples.append(row)
        locations = []
        for location in self.locations:
            lines = [
                encode({"function_id": f, "line": line}, p.LINE)
                for f, line in location["lines"]
            ]
            locations.append(encode(location | {"line": lines}, p.LOCATION))
        return encode(
            {
                "sample_type": [encode(t, p.VALUE_TYPE) for t in self.types],
                "sample": samples,
                "mapping": [encode(m, p.MAPPING) for m in self.mappings],
                "location": locations,
                "function": [encode(f, p.FUNCTION) for f in self.functions],
                "string_table": self.strings,
                **self.header,
            },
            p.PROFILE,
        )


def add(rows: list, row: object) -> None:
    rows.append(row)


# What breaks a rule, and a part of the message about it.
VIOLATIONS = {
    "string 0 is not empty": lambda d: d.strings.__setitem__(0, b"x"),
    "is not UTF-8": lambda d: d.strings.__setitem__(4, b"a\xff"),
    "a string occurs twice": lambda d: d.strings.__setitem__(4, b"g"),
    "nothing refers to string 13": lambda d: add(d.strings, b"more"),
    "no string 99 of 13": lambda d: d.functions[0].update(name=99),
    "no sample types": lambda d: d.types.clear(),
    "a sample type without name": lambda d: d.types[0].update(type=0),
    "without name or unit": lambda d: d.types[0].update(unit=0),
    "a '-' in the sample type": lambda d: d.strings.__setitem__(1, b"a-b"),
    "a sample type occurs twice": lambda d: add(d.types, dict(d.types[0])),
    "the default app is not": lambda d: d.header.update(default_sample_type=3),
    "location 1 has the id 3": lambda d: d.locations[0].update(id=3),
    "location 1 has the id 0": lambda d: d.locations[0].update(id=0),
    "function 2 has the id 1": lambda d: d.functions[1].update(id=1),
    "mapping 1 has the id 2": lambda d: d.mappings[0].update(id=2),
    "location 3 equals location 1": lambda d: (
        add(d.locations, d.locations[0] | {"id": 3}),
        d.samples[0]["stack"].append(3),
    ),
    "function 3 equals function 2": lambda d: (
        add(d.functions, d.functions[1] | {"id": 3}),
        d.locations[0]["lines"].append((3, 0)),
    ),
    "mapping 2 equals mapping 1": lambda d: (
        add(d.mappings, d.mappings[0] | {"id": 2}),
        d.locations[1].update(mapping_id=2),
    ),
    "no location 3 of 2": lambda d: add(d.samples[0]["stack"], 3),
    "no location 0 of 2": lambda d: add(d.samples[0]["stack"], 0),
    "no mapping 0 of 1": lambda d: d.locations[0].update(mapping_id=0),
    "no mapping 9 of 1": lambda d: d.locations[0].update(mapping_id=9),
    "no function 9 of 2": lambda d: add(d.locations[0]["lines"], (9, 1)),
    "nothing refers to location 3": lambda d: add(
        d.locations, d.locations[0] | {"id": 3, "address": 48}
    ),
    "nothing refers to function 3": lambda d: add(
        d.functions, {"id": 3, "name": 4}
    ),
    "nothing refers to mapping 2": lambda d: add(
        d.mappings, {"id": 2, "filename": 7}
    ),
    "sample 0 has no locations": lambda d: d.samples[0]["stack"].clear(),
    "sample 0 has 1001 locations": lambda d: d.samples[0].update(
        stack=[1, *[2] * 1000]
    ),
    "sample 0 has 2 values, not 1": lambda d: add(d.samples[0]["values"], 1),
    "sample 0 has 0 values, not 1": lambda d: d.samples[0]["values"].clear(),
    "sample 0 has only zeros": lambda d: d.samples[0].update(values=[0]),
    "is negative, and not of the base": lambda d: d.samples[0].update(
        values=[-1]
    ),
    "locations and labels of another": lambda d: add(
        d.samples, copy.deepcopy(d.samples[1])
    ),
    "a label without key": lambda d: d.samples[1]["labels"][0].update(key=0),
    "label thread is text and a number": lambda d: d.samples[1]["labels"][
        0
    ].update(num=1),
    "label thread has no value": lambda d: d.samples[1]["labels"][0].update(
        str=0
    ),
    "a label's key is too long": lambda d: d.strings.__setitem__(8, b"k" * 1025),
    "a label's value is too long": lambda d: d.strings.__setitem__(
        9, b"v" * 2049
    ),
    "the label pprof::base is reserved": lambda d: d.strings.__setitem__(
        8, b"pprof::base"
    ),
    "sample 1 has 101 labels": lambda d: d.samples[1].update(
        labels=[{"key": 8, "num": n} for n in range(1, 102)]
    ),
    "sample 1 has a label twice": lambda d: add(
        d.samples[1]["labels"], {"key": 8, "str": 4}
    ),
    "0x10 is outside its mapping": lambda d: d.mappings[0].update(
        memory_start=17
    ),
    "location 1 has no line, but": lambda d: (
        d.locations[0]["lines"].clear(),
        d.locations[1].update(lines=[(2, 0), (1, 0)]),
    ),
    "function 2 has no name": lambda d: d.functions[1].update(name=0),
    "starts at a negative line": lambda d: d.functions[1].update(start_line=-1),
    "mapping 1 has no file name": lambda d: d.mappings[0].update(filename=0),
    "is not lower hex": lambda d: d.strings.__setitem__(11, b"C0FFEE"),
    "mapping 1 ends before it starts": lambda d: d.mappings[0].update(
        memory_start=9, memory_limit=8
    ),
    "mapping 2 has flags, but no location": lambda d: add(
        d.mappings, {"id": 2, "filename": 7, "has_functions": 1}
    ),
    "the period type is app/bytes": lambda d: d.header.update(
        period_type=[field(1, 3) + field(2, 2)]
    ),
    "no period type": lambda d: d.header.update(period_type=[]),
    "the period is negative": lambda d: d.header.update(period=-1),
    "the time is negative": lambda d: d.header.update(time_nanos=-1),
    "a comment that Parca interprets": lambda d: d.strings.__setitem__(
        12, b"executableInfo=3;0;0"
    ),
}


class CheckPprofTest(unittest.TestCase):
    def test_accepts_a_valid_profile(self) -> None:
        data = Draft().bytes()
        self.assertEqual(check_pprof.problems_of(data), [])
        self.assertEqual(check_pprof.problems_of(gzip.compress(data)), [])

    def test_accepts_a_base(self) -> None:
        draft = Draft()
        draft.strings[8:10] = [b"pprof::base", b"true"]
        draft.samples[1]["values"] = [-5]
        self.assertEqual(check_pprof.problems_of(draft.bytes()), [])

    def test_accepts_equal_samples_of_a_baseline(self) -> None:
        draft = Draft()
        draft.strings[1] = b"sampled_inuse_space"
        draft.samples.append(copy.deepcopy(draft.samples[0]))
        self.assertEqual(check_pprof.problems_of(draft.bytes()), [])

    def test_rejects_each_violation(self) -> None:
        for message, damage in VIOLATIONS.items():
            with self.subTest(message):
                draft = Draft()
                damage(draft)
                found = check_pprof.problems_of(draft.bytes())
                self.assertTrue(any(message in text for text in found), found)

    def test_rejects_what_is_no_profile(self) -> None:
        data = Draft().bytes()
        for damaged in (data[:-1], data + b"\x0b", data + b"\xff" * 12):
            found = check_pprof.problems_of(damaged)
            self.assertIn("cannot be decoded", found[0])
        found = check_pprof.problems_of(gzip.compress(data)[:-9])
        self.assertIn("cannot be decoded", found[0])
        found = check_pprof.problems_of(data + field(15, 1))
        self.assertEqual(found, ["unknown fields [15]"])


if __name__ == "__main__":
    unittest.main()
