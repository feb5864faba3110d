#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a JSON document of heapprof.

usage: check_json.py valid SCHEMA DOCUMENT
       check_json.py rows DOCUMENT TEXT

valid  DOCUMENT obeys SCHEMA.
rows   TEXT, a table in bytes or objects, has the same numbers.

Prints a line for each problem, and exits with 1 if there is any.
"""

import json
import re
import sys
from collections.abc import Iterator

ROW = re.compile(r" *(-?\d+) +\S+% +\S+% +(-?\d+) +\S+% (.*)")


def read(path: str) -> dict:
    def refuse(constant: str) -> None:
        raise ValueError(f"{path}: {constant} is no JSON")

    with open(path, encoding="ascii") as file:
        return json.load(file, parse_constant=refuse)


def invalid_parts(schema_path: str, path: str) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    schema = read(schema_path)
    Draft202012Validator.check_schema(schema)
    for error in Draft202012Validator(schema).iter_errors(read(path)):
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


def different_rows(path: str, text_path: str) -> Iterator[str]:
    document = read(path)
    with open(text_path, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    # Truncating both sides of a difference may move it by one.
    slack = 1 if document["is_difference"] else 0
    total = value_of(document["totals"][document["metric"]])
    if lines and lines[0].startswith("Total"):
        shown = int(lines.pop(0).split(": ")[1].split()[0])
        if abs(shown - total) > slack:
            yield f"total: {total}, in text {shown}"
    elif abs(total) > slack:
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
            abs(int(match[1]) - flat) > slack
            or abs(int(match[2]) - cumulative) > slack
            or match[3] != row["name"]
        ):
            yield f"{flat} {cumulative} {row['name']}, in text {line}"
        yield from inconsistent_bounds(row["name"], row["flat"])
        yield from inconsistent_bounds(row["name"], row["cumulative"])


def main() -> int:
    checks = {"valid": invalid_parts, "rows": different_rows}
    problems = list(checks[sys.argv[1]](*sys.argv[2:]))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
