#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that compare_disasm.py flags what is wrong and accepts what it lists."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_disasm as disasm  # noqa: E402

OURS = """\
ROUTINE ====================== a::f
     0    100 B (flat, cumulative) 50.0% of total
-------------------- /src/f.cc
     .      .     1: int f() {
     .      .        1000: push   %rbp
     .    100     2: return g();
     .    100        1001: call   2000 <a::g>
     .      .        1006: ret
"""


def differences(ours, theirs):
    with contextlib.redirect_stdout(io.StringIO()):
        return disasm.compare(disasm.parse(ours), disasm.parse(theirs))


def changed(*replacements):
    text = OURS
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new)
    return text


class FlagTest(unittest.TestCase):
    def test_equal_reports(self):
        self.assertEqual(differences(OURS, OURS), 0)

    def test_everything_that_is_wrong(self):
        for old, new in (
            ("a::f\n", "a::h\n"),
            ("50.0%", "50.1%"),
            ("     0    100 B", "     1    100 B"),
            ("/src/f.cc", "/src/g.cc"),
            ("     1: int", "     3: int"),
            ("return g();", "return h();"),
            (".    100     2", ".     99     2"),
            ("push   %rbp", "push   %rbx"),
            ("1000: push", "1002: push"),
            (".        1006: ret", "5        1006: ret"),
            ("2000 <a::g>", "2000 <a::h>"),
            ("2000 <a::g>", "2000"),
            ("     .    100        1001: call   2000 <a::g>\n", ""),
        ):
            with self.subTest(new):
                self.assertGreater(differences(changed((old, new)), OURS), 0)

    def test_missing_functions(self):
        self.assertEqual(differences(OURS, ""), 1)
        self.assertEqual(differences("", OURS), 1)

    def test_values_behind_the_end(self):
        with self.assertRaises(AssertionError):
            differences(OURS, OURS + "     .      7        1007: nop\n")


class RulesTest(unittest.TestCase):
    def accepts(self, ours, theirs):
        self.assertEqual(differences(ours, theirs), 0)

    def test_once_and_sorted(self):
        other = changed(("a::f", "a::e"), ("100", "500"))
        self.accepts(OURS + other, other + OURS + other)

    def test_bounded_and_aligned(self):
        self.accepts(OURS, changed((" ret\n", "    ret\n"))
                     + "     .      .        1007:    nop\n")

    def test_apart(self):
        self.accepts(changed(("a::f\n", "int a::f<char>(long)\n")), OURS)

    def test_called_and_untyped(self):
        self.accepts(
            changed(("a::f\n", "a::operator()\n")),
            changed(("a::f\n", "a::operator\n"), ("<a::g>", "<void a::g>")),
        )

    def test_nearest(self):
        self.accepts(
            changed(("2000 <a::g>", "*0x8(%rip)        # 2000")),
            changed(("2000 <a::g>", "*0x8(%rip)        # 2000 <x+0x9>")),
        )

    def test_cut(self):
        path = "/src/" + "x" * 60 + ".cc"
        self.accepts(changed(("/src/f.cc", path)),
                     changed(("/src/f.cc", "..." + path[-55:])))

    def test_direct(self):
        self.accepts(OURS, changed(("/src/f.cc", "...x/../../src/f.cc")))
        self.assertNotEqual(
            differences(OURS, changed(("/src/f.cc", "...x/../src/g.cc"))), 0
        )

    def test_plain_and_joined(self):
        inlined = "-------------------- /src/g.h (g inlined at f.cc:1)\n"
        ours = changed((
            "     .    100        1001",
            "     .    100        1001",
        ), (
            "     .      .        1006",
            inlined + "     .      .     2: g\n     .      .        1006",
        ))
        self.accepts(ours, OURS)

    def test_found(self):
        self.accepts(changed(("     2: return g();", "     2:")),
                     changed(("     .    100     2: return g();\n", "")))

    def test_nowhere(self):
        ours = changed((
            "     .      .        1006",
            "-------------------- /src/other.h\n     .      .        1006",
        ))
        self.accepts(ours, OURS)

    def test_recursive(self):
        called = ("     .      .        1006: ret",
                  "     .    100        1006: call   1000 <a::f>")
        line = (".    100     2", ".    200     2")
        self.accepts(
            changed(called, line),
            changed(called, line, ("0    100 B", "0    200 B"),
                    ("50.0%", "99.0%")),
        )


if __name__ == "__main__":
    unittest.main()
