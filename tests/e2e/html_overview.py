#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the overview of an HTML report, as it is without scripts, with --json.

usage: html_overview.py PAGE JSON OWN_JSON

JSON is what --json prints for the same dump, OWN_JSON the same with --own=auto.
Prints the first difference and exits with 1 if there is one.
"""

import html.parser
import json
import sys
from decimal import ROUND_HALF_UP, Decimal

ROWS = 10  # of each table


class Overview(html.parser.HTMLParser):
    """Collects the tables, by caption, and the list of facts."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.facts: dict[str, str] = {}
        self.total = ""
        self.caption = self.term = self.open = ""

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.open = "total" if dict(attributes).get("id") == "total" else tag
        if tag == "caption":
            self.caption = ""
        if tag == "tr":
            self.tables.setdefault(self.caption, []).append([])
        if tag == "td":
            self.tables[self.caption][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open == "caption":
            self.caption += data
        elif self.open == "td":
            self.tables[self.caption][-1][-1] += data
        elif self.open == "dt":
            self.term = data
        elif self.open == "dd":
            self.facts[self.term] = data
        elif self.open == "total":
            self.total += data

    def rows(self, start: str) -> list[list[str]]:
        [found] = [rows for name, rows in self.tables.items() if name.startswith(start)]
        return [row for row in found if row]


def expect_equal(what: str, expected: object, found: object) -> None:
    if expected != found:
        sys.exit(f"{what}\n  expected: {expected}\n  found:    {found}")


def fixed(value: float, decimals: int) -> str:
    """Rounds 2.25 to 2.3. Python's format() makes it even, as shares are: 2.2."""
    step = Decimal(1).scaleb(-decimals)
    return str(Decimal(value).quantize(step, ROUND_HALF_UP))


def amount(size: float) -> str:
    for unit, decimals in (("B", 0), ("KiB", 1), ("MiB", 1), ("GiB", 2)):
        text = fixed(size, decimals)
        if float(text) < 1024:
            return "0" if size == 0 else f"{text} {unit}"
        size /= 1024
    raise ValueError("too large for a test")


def share(part: float, whole: float) -> str:
    percent = 100 * part / whole
    if percent == 0:
        return "0%"
    if percent < 0.005:
        return "<0.01%"
    if percent < 0.995:
        return f"{percent:.2f}%"
    return "100%" if percent >= 99.95 else f"{percent:.1f}%"


def holders(report: dict) -> list[list[str]]:
    total = report["shown"]["value"]
    own, rest = [], []
    for row in report["rows"]:
        value, size = row["flat"]["value"], row["mean_object_size"]["flat"]
        cells = [amount(value), share(value, total),
                 "" if size is None else amount(size), row["name"]]
        if value != 0:
            (rest if row["name"] == "[outside your code]" else own).append(cells)
    return own[:ROWS] + rest


def total_text(measure: dict) -> str:
    """The amount, without its error."""
    return amount(measure["value"]).split(" ")[0]


def main() -> None:
    page = Overview()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    report, own = (json.load(open(path, encoding="utf-8")) for path in sys.argv[2:4])

    expect_equal("total", total_text(report["shown"]), page.total.split(" ")[0])
    is_exact = report["shown"]["interval"] is None
    expect_equal("error of the total", is_exact, "±" not in page.total)
    for name, measure in report["totals"].items():
        objects = name.endswith("objects")
        fact = page.facts[
            ("Live" if name.startswith("inuse") else "Allocated")
            + (" objects" if objects else " bytes")
        ]
        expected = f"{measure['value']:.0f}" if objects else total_text(measure)
        expect_equal(name, expected, fact.split(" ")[0])

    expect_equal("own code", holders(own), page.rows("Your code"))
    expect_equal("functions", holders(report), page.rows("Functions that allocate"))
    modules = sorted(report["modules"], key=lambda module: -module["share"])
    expect_equal(
        "modules",
        [[share(m["share"], 1), m["status"], m["path"]] for m in modules[:ROWS]],
        page.rows("Modules"),
    )
    threads = sorted(report["threads"], key=lambda thread: -thread["held"]["value"])
    expect_equal(
        "threads",
        [
            [amount(t["held"]["value"]), f"t{t['uid']} {t['name']}", t["top_function"]]
            for t in threads[:ROWS]
        ],
        page.rows("The threads"),
    )


main()
