#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that jeprof_rules.py flags what is wrong and accepts what it lists."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_jeprof  # noqa: E402
import jeprof_rules as rules  # noqa: E402

TABLES = {
    "lib.so": [(0x1000, "first(int)"), (0x1200, "second<int>(char)@@V_2")],
    "libc.so": [(0x10, "clone3"), (0x10, "__clone3"), (0x90, "other")],
    "stripped": [],
}
SYMBOLS = rules.Symbols(lambda module: TABLES[module])
MODULES = list(TABLES)


def row(name, flat=100, cumulative=100):
    return rules.Row(name, flat, f"{flat}.0%", cumulative, "50.0%")


def compare(ours, theirs):
    """The kinds of the differences; None for what is unexplained."""
    found = rules.compare_rows(ours, theirs, SYMBOLS, MODULES)
    return [difference.kind for difference in found]


def stacks(*lines):
    return rules.parse_collapsed("\n".join(lines))


def compare_stacks(ours, theirs):
    found = rules.compare_stacks(ours, theirs, SYMBOLS, MODULES)
    return [difference.kind for difference in found]


class ParseTest(unittest.TestCase):
    def test_reads_total_and_rows(self):
        total, rows = rules.parse_text(
            "Total: 300 B\n"
            "     200  66.7%  66.7%      300 100.0% a::f (inline)\n"
            "-1049600 -34.6% 100.0%   609222  20.1% ns::f@401280\n"
        )
        self.assertEqual(total, "Total: 300 B")
        self.assertEqual(
            rows,
            [
                rules.Row("a::f (inline)", 200, "66.7%", 300, "100.0%"),
                rules.Row("ns::f@401280", -1049600, "-34.6%", 609222, "20.1%"),
            ],
        )

    def test_reads_megabytes_of_each_thread(self):
        tables = rules.split_text(
            "Total (t0): 0.1 MB\n"
            "     0.1  99.6%  99.6%      0.2  99.6% f\n"
            "Total (t12): 0.0 MB\n"
        )
        self.assertEqual(len(tables), 2)
        total, rows = rules.parse_text(tables[0])
        self.assertEqual(total, "Total (t0): 0.1 MB")
        self.assertEqual(rows, [rules.Row("f", 0.1, "99.6%", 0.2, "99.6%")])
        self.assertEqual(rules.parse_text(tables[1])[1], [])
        self.assertEqual(rules.split_text(""), [""])

    def test_rejects_what_is_no_row(self):
        for line in ("warning: x", "1 2% 3% 4 5%", "x 2% 3% 4 5% f"):
            with self.assertRaisesRegex(ValueError, "not a row"):
                rules.parse_text("Total: 1 B\n" + line)

    def test_rejects_what_is_no_stack(self):
        for line in ("main;f", " 12", "main;f 1.5"):
            with self.assertRaisesRegex(ValueError, "not a folded stack"):
                rules.parse_collapsed(line)

    def test_shortens_names_as_jeprof_does(self):
        for full, short in (
            ("std::vector<int>::push_back(int&&)", "std::vector::push_back"),
            ("void ns::f<int>(int)", "ns::f"),
            ("void f<int>(int)", "void f"),
            ("A::operator()(int) const", "A::operator"),
            ("g(char const*, int)@@V_1.2", "g@@V_1.2"),
        ):
            self.assertEqual(rules.short(full), short)


class RowTest(unittest.TestCase):
    def test_accepts_equal_rows_in_any_order(self):
        self.assertEqual(
            compare([row("f"), row("g", 5)], [row("g", 5), row("f")]), []
        )

    def test_flags_wrong_numbers(self):
        for wrong in (
            row("f", 101),
            row("f", 100, 99),
            row("f")._replace(flat_percent="99.0%"),
            row("f")._replace(cumulative_percent="50.1%"),
        ):
            self.assertEqual(compare([wrong], [row("f")]), [None, None])

    def test_flags_wrong_names(self):
        for wrong in ("g", "f (inline)", "ns::f", "f@10", "lib.so+0x1", ""):
            self.assertEqual(compare([row(wrong)], [row("f")]), [None, None])

    def test_flags_missing_added_and_repeated_rows(self):
        self.assertEqual(compare([], [row("f")]), [None])
        self.assertEqual(compare([row("f")], []), [None])
        self.assertEqual(compare([row("f"), row("f")], [row("f")]), [None])

    def test_flags_swapped_values(self):
        self.assertEqual(
            compare([row("f", 1), row("g", 2)], [row("f", 2), row("g", 1)]),
            [None] * 4,
        )


class KindTest(unittest.TestCase):
    def assert_kind(self, kind, ours, theirs, more=()):
        self.assertEqual(
            compare([row(ours), *more], [row(theirs), *more]), [kind]
        )
        # Whatever the names: a wrong number is wrong.
        self.assertEqual(
            compare([row(ours, 101), *more], [row(theirs), *more]),
            [None, None],
        )

    def assert_flagged(self, ours, theirs, more=()):
        self.assertEqual(
            compare([row(ours), *more], [row(theirs), *more]), [None, None]
        )

    def test_call_operator(self):
        self.assert_kind("call operator", "f::operator()", "f::operator")
        self.assert_flagged("f::operator()", "g::operator")
        self.assert_flagged("f::operator", "f::operator()")

    def test_nearest_symbol(self):
        kind = "nearest symbol"
        self.assert_kind(kind, "lib.so+0x1100", "first")
        self.assert_kind(kind, "lib.so+0x9999", "second@@V_2")
        self.assert_flagged("lib.so+0x1100", "second@@V_2")
        self.assert_flagged("lib.so+0x9999", "first")
        self.assert_flagged("lib.so+0x900", "first")

    def test_nearest_symbol_is_that_of_the_call_not_of_the_return(self):
        self.assert_kind("nearest symbol", "lib.so+0x1200", "first")
        self.assert_flagged("lib.so+0x1200", "second@@V_2")

    def test_no_symbols(self):
        self.assert_kind("no symbols", "stripped+0x10", "?? ??:0")
        self.assert_flagged("lib.so+0x1100", "?? ??:0")
        self.assert_flagged("f", "?? ??:0")

    def test_alias(self):
        self.assert_kind("alias", "__clone3", "clone3")
        self.assert_kind("alias", "clone3", "__clone3@@GLIBC_2.34")
        self.assert_flagged("clone3", "other")
        self.assert_flagged("clone3", "__clone4")

    def test_version(self):
        self.assert_kind("version", "ns::start", "ns::start@@GLIBCXX_3.4.22")
        self.assert_kind("version", "fork", "fork@GLIBC_2.2.5")
        self.assert_flagged("ns::start", "ns::star@@GLIBCXX_3.4.22")
        self.assert_flagged("ns::start", "ns::start@1149")
        self.assert_flagged("ns::start@@V_1", "ns::start@@V_2")

    def test_clone(self):
        self.assert_kind("clone", "f", "f.cold")
        self.assert_kind("clone", "f", "f.lto_priv.2.lto_priv.0")
        self.assert_flagged("f.cold", "f")
        self.assert_flagged("f", "g.cold")
        self.assert_flagged("f", "f.other")

    def test_blank(self):
        self.assert_kind("blank", "f(A<B<C<D> > >)", "f(A<B<C<D>>>)")
        self.assert_flagged("f(A<B<C> >)", "f(A<B<D>>)")
        self.assert_flagged("f(A<B>)", "f(A <B>)")

    def test_inlined_static_function(self):
        kind = "inlined static function"
        around = row("ns::around", 0, 7)
        self.assert_kind(
            kind, "ns::leaf (inline)", "ns::around (inline)", [around]
        )
        self.assert_kind(kind, "ns::leaf (inline)", "leaf (inline)")
        self.assert_flagged("ns::leaf (inline)", "ns::around (inline)")
        self.assert_flagged("ns::leaf (inline)", "eaf (inline)")
        self.assert_flagged("ns::leaf", "leaf", [around])

    def test_inlined_allocator(self):
        ours = [row("caller", 100, 100)]
        theirs = [row("caller", 0, 100), row("calloc (inline)", 100, 100)]
        self.assertEqual(compare(ours, theirs), ["inlined allocator"])
        for wrong in (row("caller", 99, 100), row("other", 100, 100)):
            self.assertEqual(compare([wrong], theirs), [None] * 3)
        theirs[1] = row("compute (inline)", 100, 100)
        self.assertEqual(compare(ours, theirs), [None] * 3)


class StackTest(unittest.TestCase):
    def test_accepts_equal_stacks_in_any_order(self):
        self.assertEqual(
            compare_stacks(
                stacks("main;f<int>() 5", "main;g 1"),
                stacks(
                    "main<0000000000401080>;g[inline] 1",
                    "main<0000000000401080>;f<int>()<0000000000401280> 5",
                ),
            ),
            [],
        )

    def test_accepts_what_jeprof_repeats_or_prints_as_zero(self):
        self.assertEqual(
            compare_stacks(stacks("main 3"), stacks("main 1", "main 2", "f 0")),
            [],
        )

    def test_accepts_what_cutting_the_fraction_of_each_line_explains(self):
        theirs = stacks("main<0000000000401080> 1", "main[inline] 1", "f 3")
        for value in (2, 3):
            ours = stacks(f"main {value}", "f 3")
            self.assertEqual(compare_stacks(ours, theirs), [])
        for value in (1, 4):
            ours = stacks(f"main {value}", "f 3")
            self.assertEqual(compare_stacks(ours, theirs), [None] * 2)
        self.assertEqual(
            compare_stacks(stacks("main 2", "f 4"), theirs), [None] * 2
        )

    def test_wants_only_what_grew(self):
        theirs = stacks("main;f 5", "main;g -3", "main;f[inline] -1", "h 0")
        self.assertEqual(compare_stacks(stacks("main;f 4"), theirs), [])
        self.assertEqual(
            compare_stacks(stacks("main;f 4", "main;g -3"), theirs), [None]
        )

    def test_flags_a_wrong_value_name_or_frame(self):
        theirs = stacks("main;f;g 5")
        for wrong in (
            "main;f;g 6", "main;f;h 5", "main;f 5", "main;g;f 5",
            "main;f;g;g 5", "main;f;stripped+0x1 5",
        ):
            self.assertEqual(
                compare_stacks(stacks(wrong), theirs), [None, None]
            )

    def test_flags_a_stack_that_one_side_lacks(self):
        self.assertEqual(compare_stacks(stacks("f 1"), []), [None])
        self.assertEqual(compare_stacks([], stacks("f 1")), [None])

    def test_explains_names_frame_by_frame(self):
        self.assertEqual(
            compare_stacks(
                stacks("__clone3;run;lib.so+0x1100 5"),
                stacks("clone3;run;first(int) 5"),
            ),
            ["alias", "nearest symbol"],
        )

    def test_explains_inlined_static_functions_by_what_is_around_them(self):
        self.assertEqual(
            compare_stacks(
                stacks("main;ns::around();ns::leaf() 5"),
                stacks("main;ns::around();ns::around()[inline] 5"),
            ),
            ["inlined static function"],
        )
        self.assertEqual(
            compare_stacks(
                stacks("main;ns::around();ns::leaf() 5"),
                stacks("main;ns::around();main[inline] 5"),
            ),
            [None, None],
        )

    def test_merges_stacks_of_files_without_symbols(self):
        ours = stacks("main;stripped+0x10 5", "main;stripped+0x20 6")
        self.assertEqual(compare_stacks(ours, stacks("main;??:0 11")), [])
        self.assertEqual(
            compare_stacks(ours, stacks("main;??:0 12")), [None, None]
        )

    def test_cuts_rust_allocator_functions_in_both_spellings(self):
        ours = stacks("main;f 5")
        for inner in ("<alloc::alloc::Global>", "alloc::alloc::Global"):
            theirs = stacks(
                "main;f;alloc::alloc::exchange_malloc"
                ";<alloc::alloc::Global as core::alloc::Allocator>::allocate"
                f";{inner}::alloc_impl 5"
            )
            self.assertEqual(compare_stacks(ours, theirs), [])

    def test_cuts_inlined_allocator_functions_at_the_leaf_only(self):
        ours = stacks("main;f 5")
        self.assertEqual(
            compare_stacks(ours, stacks("main;f;calloc[inline] 5")), []
        )
        self.assertEqual(
            compare_stacks(ours, stacks("main;calloc[inline];f 5")),
            [None, None],
        )


class ShareTest(unittest.TestCase):
    def test_counts_rows_and_bytes_that_differ_in_any_way(self):
        ours = [row("a", 10), row("b", 30), row("c", 0), row("d", 60)]
        theirs = [row("a", 10), row("x", 30), row("c", 0), row("d", 60)]
        self.assertEqual(rules.share_that_differs(ours, theirs), (25.0, 30.0))
        self.assertEqual(rules.share_that_differs(ours, ours), (0.0, 0.0))


class ChangedDumpTest(unittest.TestCase):
    def test_drops_doubles_and_keeps_every_third_record(self):
        dump = (
            "heap_v2/1\n  t*: 9: 90 [0: 0]\n"
            "@ 0x1 0x2\n  t*: 1: 10 [3: 30]\n  t0: 1: 10 [3: 30]\n"
            "@ 0x3 0x4\n  t*: 2: 20 [4: 40]\n  t1: 2: 20 [4: 40] a b\n"
            "@ 0x5\n  t*: 6: 60 [6: 60]\n"
            "\nMAPPED_LIBRARIES:\n00400000-00401000 r-xp 0 0 0 /bin/x\n"
        )
        self.assertEqual(
            compare_jeprof.changed(dump),
            "heap_v2/1\n  t*: 9: 90 [0: 0]\n"
            "@ 0x3 0x4\n  t*: 4: 40 [4: 40]\n  t1: 4: 40 [4: 40] a b\n"
            "@ 0x5\n  t*: 6: 60 [6: 60]\n"
            "\nMAPPED_LIBRARIES:\n00400000-00401000 r-xp 0 0 0 /bin/x\n",
        )
        self.assertEqual(
            compare_jeprof.resampled(dump, 512), dump.replace("v2/1", "v2/512")
        )


if __name__ == "__main__":
    unittest.main()
