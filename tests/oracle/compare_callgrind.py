#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the costs and calls of a --callgrind file of jeprof with ours.

usage: compare_callgrind.py JEPROF.callgrind HEAPPROF.callgrind

Functions are compared by what they hold themselves, calls by caller, callee
and value. ACCEPTED says what may differ. Prints the other differences; exits
with 1 if there are any.
"""

import re
import sys
from collections import Counter

from compare_dot import reaches

ACCEPTED = {
    "names": "jeprof cuts a name at its first blank, all parentheses from an"
    " operator(), and what tells overloads apart",
    "files": "jeprof names no binaries, and no files of what it cannot split at"
    " a colon: functions of one name are one",
    "recursion": "jeprof counts each level of a recursion, we the outermost"
    " call: a call inside a cycle may hold less with us",
    "root": "what is the root of some stacks and called in others is called by"
    " [root] with us, as its calls are to add up to what it holds",
}

Call = tuple[str, str]


def plain(name: str) -> str:
    """ACCEPTED["names"]"""
    name = name.replace("operator()", "operator").split(" ")[0]
    return re.sub(r"@[0-9a-f]+$", "", name)


def read_costs(path: str) -> tuple[Counter, Counter]:
    """What functions hold themselves, and what calls hold."""
    names: dict[str, str] = {}
    selves: Counter = Counter()
    calls: Counter = Counter()
    functions = {"fn": "", "cfn": ""}
    in_call = False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := re.match(r"(c?fn)=(\(\d+\))(?: (.+))?$", line):
                if match[3]:
                    names[match[2]] = plain(match[3])
                functions[match[1]] = names[match[2]]
            elif line.startswith("calls="):
                in_call = True
            elif match := re.match(r"\d+ (\d+)$", line):
                caller, callee = functions["fn"], functions["cfn"]
                if in_call:
                    calls[caller, callee] += int(match[1])
                else:
                    selves[caller] += int(match[1])
                in_call = False
    return selves, calls


def accepted(calls: Counter, call: Call, theirs: int, ours: int) -> bool:
    caller, callee = call
    if caller == "[root]":
        return True
    return ours < theirs and reaches(calls, callee, caller)


def main(arguments: list[str]) -> int:
    (their_selves, their_calls), (selves, calls) = map(read_costs, arguments)
    if not their_selves or not their_calls:
        print(f"{arguments[0]}: no costs")
        return 1
    differences = [
        f"{name}: jeprof {their_selves[name]}, heapprof {selves[name]}"
        for name in sorted(their_selves | selves)
        if their_selves[name] != selves[name]
    ]
    for call in sorted(their_calls | calls):
        a, b = their_calls[call], calls[call]
        if a != b and not accepted(their_calls, call, a, b):
            differences.append(f"call {call}: jeprof {a}, heapprof {b}")
    print("\n".join(differences), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
