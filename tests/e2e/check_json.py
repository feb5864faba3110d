#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks JSON documents of heapprof.

usage: check_json.py valid SCHEMA DOCUMENT...
       check_json.py invalid SCHEMA DOCUMENT...
       check_json.py rows DOCUMENT...

valid    Each document obeys SCHEMA.
invalid  No document obeys SCHEMA.
rows     NAME.text, a table in bytes or objects, has the numbers of NAME.json.

Prints a line for each problem, and exits with 1 if there is any. The line
begins with the contents of NAME.command, if there is such a file.
"""

import functools
import json
import os
import re
import sys
from collections.abc import Callable, Iterator

ROW = re.compile(r" *(-?\d+) +\S+% +\S+% +(-?\d+) +\S+% (.*)")


def read(path: str) -> dict:
    def refuse(constant: str) -> None:
        raise ValueError(f"{path}: {constant} is no JSON")

    with open(path, encoding="ascii") as file:
        return json.load(file, parse_constant=refuse)


# It takes half a second to make one.
@functools.cache
def validator_of(schema_path: str):
    from jsonschema import Draft202012Validator

    schema = read(schema_path)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def invalid_parts(validator, path: str) -> Iterator[str]:
    for error in validator.iter_errors(read(path)):
        place = "/".join(str(part) for part in error.absolute_path)
        yield f"{place}: {error.message:.200}"
        for cause in error.context:
            place = "/".join(str(part) for part in cause.absolute_path)
            yield f"  {place}: {cause.message:.200}"


def value_of(measure: dict) -> int:
    """The value or, in a difference, the change."""
    return measure.get("change", measure)["value"]


def inconsistent_bounds(name: str, measure: dict) -> Iterator[str]:
    if "change" in measure:
        before, after = measure["before"], measure["after"]
        if measure["change"]["value"] != after["value"] - before["value"]:
            yield f"{name}: {measure} does not add up"
        parts = (before, after, measure["change"])
    else:
        parts = (measure,)
    for part in parts:
        interval = part["interval"]
        if interval and not (
            interval["lower"] <= part["value"] <= interval["upper"]
        ):
            yield f"{name}: {part['value']} is outside {interval}"


def accepted(validator, path: str) -> Iterator[str]:
    if validator.is_valid(read(path)):
        yield "is valid"


def different_rows(path: str) -> Iterator[str]:
    document = read(path)
    with open(path.removesuffix(".json") + ".text", encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    total = value_of(document["totals"][document["metric"]])
    if lines and lines[0].startswith("Total"):
        shown = int(lines.pop(0).split(": ")[1].split()[0])
        if shown != total:
            yield f"total: {total}, in text {shown}"
    elif total != 0:
        yield f"total: {total}, in text none"
    rows = document["rows"]
    if len(rows) != len(lines):
        yield f"{len(rows)} rows, in text {len(lines)}"
    if not lines and document["row_count"]:
        yield "the text is empty"
    for row, line in zip(rows, lines):
        match = ROW.fullmatch(line)
        if not match:
            yield f"not a row: {line}"
            continue
        flat, cumulative = value_of(row["flat"]), value_of(row["cumulative"])
        if (
            int(match[1]) != flat
            or int(match[2]) != cumulative
            or match[3] != row["name"]
        ):
            yield f"{flat} {cumulative} {row['name']}, in text {line}"
        yield from inconsistent_bounds(row["name"], row["flat"])
        yield from inconsistent_bounds(row["name"], row["cumulative"])


def origin_of(path: str) -> str:
    command_path = path.removesuffix(".json") + ".command"
    if not os.path.exists(command_path):
        return path
    with open(command_path, encoding="utf-8", errors="replace") as file:
        return file.read().strip()


def check_of(name: str, arguments: list[str]) -> Callable:
    """The check with this name. Takes its own arguments out of the list."""
    if name == "rows":
        return different_rows
    check = {"valid": invalid_parts, "invalid": accepted}[name]
    validator = validator_of(arguments.pop(0))
    return lambda path: check(validator, path)


def main() -> int:
    paths = sys.argv[2:]
    check = check_of(sys.argv[1], paths)
    problems = [
        f"{origin_of(path)}: {problem}"
        for path in paths
        for problem in check(path)
    ]
    print("\n".join(problems))
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
