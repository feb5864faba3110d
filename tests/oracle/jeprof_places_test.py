#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that jeprof_places.py flags what is wrong and accepts what it lists."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import jeprof_places as places  # noqa: E402
import jeprof_rules as rules  # noqa: E402

SYMBOLS = rules.Symbols(lambda module: [(0x1000, "first(int)")])


def row(name, flat=100, cumulative=100):
    return rules.Row(name, flat, f"{flat}.0%", cumulative, "50.0%")


def compare(ours, theirs, granularity="lines"):
    """The kinds of the differences; None for what is unexplained."""
    found = places.compare_places(
        ours, theirs, granularity, SYMBOLS, ["lib.so"]
    )
    return [difference.kind for difference in found]


class SplitTest(unittest.TestCase):
    def test_takes_labels_apart(self):
        for granularity, text, label in (
            ("lines", "a f (inline) /x/b.cc:7", ("", "a f (inline)", "/x/b.cc:7")),
            ("lines", "f ??:?", ("", "f", "??:?")),
            (
                "addresses",
                "00ff f b.cc:7 (discriminator 3)",
                ("00ff", "f", "b.cc:7 (discriminator 3)"),
            ),
            ("files", "/a b/c.cc", ("", "", "/a b/c.cc")),
        ):
            self.assertEqual(places.split_label(text, granularity), label)


class CompareTest(unittest.TestCase):
    def test_accepts_equal_rows_in_any_order(self):
        rows = [row("f a.cc:1"), row("g a.cc:2", 7)]
        self.assertEqual(compare(rows, rows[::-1]), [])

    def test_flags_a_wrong_number_line_file_name_or_address(self):
        theirs = [row("f a.cc:1")]
        for wrong in (
            row("f a.cc:1", 99), row("f a.cc:2"), row("f b.cc:1"),
            row("g a.cc:1"), row("f (inline) a.cc:1"), row("f ??:0"),
        ):
            self.assertEqual(compare([wrong], theirs), [None, None])
        self.assertEqual(
            compare([row("01 f a.cc:1")], [row("02 f a.cc:1")], "addresses"),
            [None, None],
        )

    def test_flags_a_row_that_one_side_lacks(self):
        self.assertEqual(compare([row("f a.cc:1")], []), [None])
        self.assertEqual(compare([], [row("f a.cc:1")]), [None])

    def test_adds_up_discriminators(self):
        theirs = [
            row("f a.cc:1", 5, 30),
            row("f a.cc:1 (discriminator 2)", 6, 40),
        ]
        for cumulative in (40, 70):
            self.assertEqual(
                compare([row("f a.cc:1", 11, cumulative)], theirs),
                ["discriminator"],
            )
        for flat, cumulative in ((10, 40), (11, 39), (11, 72), (5, 30)):
            self.assertEqual(
                compare([row("f a.cc:1", flat, cumulative)], theirs),
                [None] * 3,
            )

    def test_accepts_what_addr2line_spells_otherwise(self):
        for ours, theirs, kind in (
            ("f ??:0", "f ??:?", "unknown place"),
            ("f ??:0", "f :?", "unknown place"),
            ("f a.cc:0", "f a.cc:?", "unknown place"),
            ("f src/x.c:7", "f /b/../src/x.c:7", None),
            ("f /src/x.c:7", "f /b/./../src//x.c:7", "dots in a path"),
            (
                "f sysdeps/nptl/libc_start_call_main.h:58",
                "f sysdeps/x86/libc-start.c:58",
                "other file",
            ),
        ):
            expected = [kind] if kind else [None, None]
            self.assertEqual(compare([row(ours)], [row(theirs)]), expected)
        self.assertEqual(
            compare([row("f elf/x.c:7")], [row("f ./elf/./elf/x.c:7")]),
            ["directory twice", "dots in a path"],
        )
        self.assertEqual(
            compare(
                [row("f sysdeps/nptl/libc_start_call_main.h:58")],
                [row("f sysdeps/x86/libc-start.c:59")],
            ),
            [None, None],
        )

    def test_explains_names_as_other_reports_do(self):
        self.assertEqual(
            compare([row("f::operator() a.cc:1")], [row("f::operator a.cc:1")]),
            ["call operator"],
        )

    def test_cuts_inlined_allocator_functions(self):
        theirs = [row("calloc (inline) m.h:4", 5, 5), row("f a.cc:1", 0, 50)]
        ours = [
            row("f a.cc:1", 5, 50)._replace(flat_percent=theirs[0].flat_percent)
        ]
        self.assertEqual(compare(ours, theirs), ["inlined allocator"])


class FileTest(unittest.TestCase):
    def test_adds_up_lines_with_discriminators(self):
        self.assertEqual(
            compare(
                [row("a.cc", 11, 60)],
                [row("a.cc", 5, 30), row("a.cc:7 (discriminator 1)", 6, 40)],
                "files",
            ),
            ["discriminator"],
        )

    def test_adds_up_the_modules_of_unknown_files(self):
        ours = [row("[a.so]", 5, 30), row("[b.so]", 6, 35)]
        for theirs in (
            [row("??:?", 11, 40)],
            [row("??:?", 7, 40), row(":?", 4, 20)],
            [row("??:?", 7, 40), row("f@@V_1 ??:0", 4, 20)],
        ):
            self.assertEqual(
                compare(ours, theirs, "files"), ["module of unknown file"] * 2
            )
        for theirs in ([row("??:?", 12, 40)], [row("??:?", 11, 34)]):
            self.assertIn(None, compare(ours, theirs, "files"))


if __name__ == "__main__":
    unittest.main()
