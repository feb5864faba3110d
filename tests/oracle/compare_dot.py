#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a call graph of jeprof with ours: boxes, edges, numbers, styles.

usage: compare_dot.py [--nodes-only] [--base] JEPROF.dot HEAPPROF.dot

Boxes must be equal by name, values, percentages, size of the text, and mark of
--heapcheck; edges by caller, callee, value, weight, width and dashes. With
--base, values may differ by 1: jeprof rounds a difference, we round each side.
ACCEPTED says what else may differ. Prints the other differences; exits with 1 if
there are any.
"""

import re
import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

NODE = re.compile(r'^N(\d+) \[label="((?:[^"\\]|\\.)*)",(.*)\];$')
EDGE = re.compile(r'^N(\d+) -> N(\d+) \[label="? ?(-?\d+)"?, ?(.*)\];$')
NUMBERS = re.compile(
    r"(-?\d+) \(([^)]*)\)(?:\\rof (-?\d+) \(([^)]*)\))?\\r$"
)


class Node(NamedTuple):
    flat: int
    flat_percent: str
    cumulative: int
    cumulative_percent: str
    font_size: str
    mark: str


class Edge(NamedTuple):
    value: int
    weight: int
    width: float
    dashed: bool


class Graph(NamedTuple):
    nodes: dict[str, Node]
    edges: dict[tuple[str, str], Edge]


def reaches(calls: Iterable[tuple[str, str]], start: str, end: str) -> bool:
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            todo += [callee for caller, callee in calls if caller == name]
    return False


def is_counted_twice(
    edge: tuple[str, str], theirs: Edge, ours: Edge, graph: Graph
) -> bool:
    caller, callee = edge
    return ours.value < theirs.value and reaches(graph.edges, callee, caller)


class Accepted(NamedTuple):
    what: str
    reason: str
    # Of names, what ours are; of edges, whether the difference is this one.
    name: Callable[[str], str] = str
    edge: Callable[[tuple[str, str], Edge, Edge, Graph], bool] | None = None


ACCEPTED = (
    Accepted(
        "call operator",
        'jeprof cuts all parentheses from a name: "operator" is ours'
        ' "operator()"',
        name=lambda name: name.replace("operator()", "operator"),
    ),
    Accepted(
        "line breaks",
        "where a name breaks in its box is a matter of taste",
        name=lambda name: name.replace("\\n", ""),
    ),
    Accepted(
        "recursion",
        "jeprof counts a recursive call once for each level, we count it once"
        " for each stack: an edge inside a cycle may be smaller with us",
        edge=is_counted_twice,
    ),
)
# jeprof's lines are never thinner, and ours are not in any picture.
NO_EDGE = Edge(0, 0, 0, False)


def mark_of(style: str) -> str:
    """The mark of --heapcheck. Our colours are not marks."""
    found = re.search(r"fillcolor=gray|peripheries=3", style)
    return found[0] if found else ""


def number(key: str, style: str) -> str:
    return re.search(rf"(?:{key})[=(]+([\d.]+)", style)[1]


def read_node(label: str, style: str) -> tuple[str, Node]:
    values = NUMBERS.search(label)
    name = label[: values.start()]
    for kind in ACCEPTED:
        name = kind.name(name)
    flat, percent = int(values[1]), values[2]
    return name, Node(
        flat,
        percent,
        int(values[3] or flat),
        values[4] or percent,
        number("fontsize", style),
        mark_of(style),
    )


def read_edge(value: str, style: str) -> Edge:
    width = float(number("penwidth|setlinewidth", style))
    return Edge(
        int(value),
        int(number("weight", style)),
        round(max(width, 1), 2),  # as jeprof's pictures have it
        "dashed" in style,
    )


def read_graph(path: str) -> Graph:
    names = {}
    graph = Graph({}, {})
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := NODE.match(line):
                names[match[1]], node = read_node(match[2], match[3])
                graph.nodes[names[match[1]]] = node
            elif match := EDGE.match(line):
                ends = names[match[1]], names[match[2]]
                graph.edges[ends] = read_edge(match[3], match[4])
    return graph


def same(a: Node | Edge | None, b: Node | Edge | None, slack: int) -> bool:
    """True if both are equal, but for `slack` in their values."""
    if a is None or b is None:
        return a is b
    return all(abs(x - y) <= slack if type(x) is int else x == y
               for x, y in zip(a, b))


def main(arguments: list[str]) -> int:
    nodes_only = "--nodes-only" in arguments
    slack = 1 if "--base" in arguments else 0
    theirs, ours = [read_graph(a) for a in arguments if not a.startswith("--")]
    if not theirs.nodes or not theirs.edges:
        print("no graph")
        return 1
    differences = [
        f"node {name}: jeprof {theirs.nodes.get(name)}, "
        f"heapprof {ours.nodes.get(name)}"
        for name in sorted(theirs.nodes.keys() | ours.nodes.keys())
        if not same(theirs.nodes.get(name), ours.nodes.get(name), slack)
    ]
    for edge in sorted(theirs.edges.keys() | ours.edges.keys()):
        a, b = theirs.edges.get(edge, NO_EDGE), ours.edges.get(edge, NO_EDGE)
        if nodes_only or same(a, b, slack):
            continue
        if not any(k.edge and k.edge(edge, a, b, theirs) for k in ACCEPTED):
            differences.append(f"edge {edge}: jeprof {a}, heapprof {b}")
    print("\n".join(differences), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
