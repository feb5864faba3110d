#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a call graph of jeprof with ours: same nodes, same numbers.

usage: compare_dot.py [--nodes-only] JEPROF.dot HEAPPROF.dot

Nodes must be equal by name, flat and cumulative value; edges by caller,
callee and value. Two differences are accepted:
 * jeprof counts a recursive call once for each level, we count it once per
   stack, so an edge inside a cycle may be smaller with us;
 * jeprof calls a call operator "operator", we call it "operator()".
Prints the other differences; exits with 1 if there are any.
"""

import re
import sys

NODE = re.compile(r'^(N\d+) \[label="((?:[^"\\]|\\.)*)"')
EDGE = re.compile(r'^(N\d+) -> (N\d+) \[label="? ?(-?\d+)')
NUMBERS = re.compile(r"(-?\d+) \([^)]*\)(?:\\rof (-?\d+) \([^)]*\))?\\r$")

Edges = dict[tuple[str, str], int]


def read_graph(path: str) -> tuple[dict[str, tuple[int, int]], Edges]:
    """Flat and cumulative value by name, value by caller and callee."""
    names, nodes, edges = {}, {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := NODE.match(line):
                numbers = NUMBERS.search(match[2])
                # Where names break is a matter of taste.
                name = match[2][: numbers.start()].replace("\\n", "")
                name = name.replace("operator()", "operator")
                flat = int(numbers[1])
                names[match[1]] = name
                nodes[name] = (flat, int(numbers[2] or flat))
            elif match := EDGE.match(line):
                edges[names[match[1]], names[match[2]]] = int(match[3])
    return nodes, edges


def reaches(edges: Edges, start: str, end: str) -> bool:
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            todo += [callee for caller, callee in edges if caller == name]
    return False


def accepted(edges: Edges, edge: tuple[str, str], theirs: int, ours: int):
    caller, callee = edge
    return 0 < ours < theirs and reaches(edges, callee, caller)


def main(arguments: list[str]) -> int:
    nodes_only = "--nodes-only" in arguments
    theirs, ours = [a for a in arguments if a != "--nodes-only"]
    their_nodes, their_edges = read_graph(theirs)
    our_nodes, our_edges = read_graph(ours)
    if not their_nodes or not their_edges:
        print(f"{theirs}: no graph")
        return 1
    differences = [
        f"node {name}: jeprof {their_nodes.get(name)}, "
        f"heapprof {our_nodes.get(name)}"
        for name in sorted(their_nodes.keys() | our_nodes.keys())
        if their_nodes.get(name) != our_nodes.get(name)
    ]
    for edge in sorted(their_edges.keys() | our_edges.keys()):
        a, b = their_edges.get(edge, 0), our_edges.get(edge, 0)
        if not nodes_only and a != b:
            if not accepted(their_edges, edge, a, b):
                differences.append(f"edge {edge}: jeprof {a}, heapprof {b}")
    print("\n".join(differences), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
