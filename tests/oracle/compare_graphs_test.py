# SPDX-License-Identifier: Apache-2.0
"""The comparisons of graphs and costs accept what they list, and no more."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import compare_callgrind
import compare_dot

# main calls f, which calls itself; jeprof counts that at both levels.
THEIR_GRAPH = """digraph "/bin/a; 30 B" {
N1 [label="main\\n0 (0.0%)\\rof 30 (100.0%)\\r",shape=box,fontsize=8.0];
N2 [label="ns\\noperator\\n30 (100.0%)\\r",shape=box,fontsize=58.0];
N1 -> N2 [label=30, weight=10, style="setlinewidth(2.000000)"];
N2 -> N2 [label=40, weight=13, style="setlinewidth(2.000000),dashed"];
}
"""
OUR_GRAPH = """digraph "/bin/a; 30 B" {
node [shape=box];
N1 [label="main\\n0 (0.0%)\\rof 30 (100.0%)\\r",tooltip="main",fontsize=8.0];
N2 [label="ns\\noperator()\\n30 (100.0%)\\r",tooltip="x",fontsize=58.0];
N1 -> N2 [label=" 30",weight=10,penwidth=2.00,tooltip="main -> x"];
N2 -> N2 [label=" 20",weight=8,penwidth=2.00,style=dashed,tooltip="x -> x"];
}
"""
THEIR_COSTS = """events: Hits

fl=??
fn=(1) main
cfl=??
cfn=(2) ns::f
calls=30 0
0 30

fl=??
fn=(2)
cfl=??
cfn=(2)
calls=40 0
0 40

fl=??
fn=(2)
0 30
"""
OUR_COSTS = """events: inuse_space
summary: 30

ob=(1) /bin/a
fl=(1) a.cc
fn=(1) main
cob=(1)
cfi=(1)
cfn=(2) ns::f@401000
calls=1 5
7 30

ob=(1)
fl=(1)
fn=(2)
8 10
9 20
"""


def compare(program, theirs: str, ours: str, *options: str) -> tuple[int, str]:
    """The exit status and what is printed."""
    with tempfile.TemporaryDirectory() as scratch:
        paths = []
        for text in (theirs, ours):
            paths.append(f"{scratch}/{len(paths)}")
            pathlib.Path(paths[-1]).write_text(text)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = program.main([*options, *paths])
    return status, printed.getvalue()


class Comparison:
    """Base class: `program` compares `theirs` with `ours`."""

    def fails(self, old: str, new: str, expected: str) -> None:
        self.assertIn(old, self.ours)
        changed = self.ours.replace(old, new)
        status, printed = compare(self.program, self.theirs, changed)
        self.assertEqual(status, 1, changed)
        self.assertTrue(printed.startswith(expected), printed)

    def test_accepts_what_is_listed(self):
        result = compare(self.program, self.theirs, self.ours)
        self.assertEqual(result, (0, ""))

    def test_fails_without_anything(self):
        self.assertEqual(compare(self.program, "", self.ours)[0], 1)


class CompareDotTest(Comparison, unittest.TestCase):
    program, theirs, ours = compare_dot, THEIR_GRAPH, OUR_GRAPH

    def test_fails_on_boxes(self):
        self.fails("operator()\\n30", "operator()\\n31", "node nsoperator")
        self.fails("(0.0%)", "(0.1%)", "node main")
        self.fails("fontsize=58.0", "fontsize=57.0", "node nsoperator")
        self.fails("fontsize=8.0", "fontsize=8.0,peripheries=3", "node main")
        self.fails("main\\n", "Main\\n", "node Main")

    def test_fails_on_edges(self):
        self.fails('" 30"', '" 29"', "edge ('main', 'nsoperator')")
        self.fails("weight=10", "weight=11", "edge")
        self.fails("weight=10,penwidth=2.00", "weight=10,penwidth=1.90", "edge")
        self.fails('",weight=10', '",style=dashed,weight=10', "edge")
        # Of a recursion ours may be less, not more.
        self.fails('" 20"', '" 41"', "edge ('nsoperator', 'nsoperator')")

    def test_compares_boxes_only(self):
        ours = OUR_GRAPH.replace('" 30"', '" 29"')
        result = compare(compare_dot, THEIR_GRAPH, ours, "--nodes-only")
        self.assertEqual(result, (0, ""))


class CompareCallgrindTest(Comparison, unittest.TestCase):
    program, theirs, ours = compare_callgrind, THEIR_COSTS, OUR_COSTS

    def test_accepts_calls_of_root(self):
        root = OUR_COSTS + "\nfn=(3) [root]\ncfn=(2)\ncalls=1 0\n0 4\n"
        self.assertEqual(
            compare(compare_callgrind, THEIR_COSTS, root), (0, "")
        )

    def test_fails_on_costs(self):
        self.fails("9 20", "9 21", "ns::f: jeprof 30, heapprof 31")
        self.fails("ns::f@401000", "ns::g", "ns::f: jeprof 30")

    def test_fails_on_calls(self):
        self.fails("7 30", "7 29", "call ('main', 'ns::f')")


if __name__ == "__main__":
    unittest.main()
