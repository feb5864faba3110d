#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks how often 95 % intervals contain the truth, in runs under jemalloc.

usage: intervals.py SOURCES FOLDER

Compiles turns.cc in FOLDER and runs it many times: with one thread, with
threads at once and with threads one after another. A run in which every
allocation is sampled gives the true values. Counts the runs whose intervals of
the total and of functions contain them, and the pairs of runs whose intervals
of the differences contain the true difference. Fails if a count is too low for
a coverage of 93 %, or if 'check' finds growth in too many unchanged pairs.

A few runs of each kind; with $HEAPPROF_FULL enough to measure it.
"""

import json
import math
import os
import pathlib
import subprocess
import sys

import check_pprof

FULL = "HEAPPROF_FULL" in os.environ
RUNS = 200 if FULL else 8
LEAST_COVERAGE = 0.93
# The probability of a count below its limit at the least coverage.
FALSE_ALARM = 0.001
FUNCTIONS = ("demo::HoldNodes",)
KINDS = ("one", "together", "in-turn", "alike")
if FULL:
    FUNCTIONS += ("demo::HoldPages", "demo::HoldBuffers")
    KINDS += ("joined",)
PERIOD = 16  # 2^16 bytes


def heapprof(*arguments: str) -> str:
    command = [os.environ["HEAPPROF"], *arguments, "--quiet"]
    return subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout


def draw(
    folder: str, name: str, lg_period: int, *arguments: str, unbias: bool = True
) -> str:
    """Runs the program once; its dump is renamed. Without `unbias`, the dump is
    like those of jemalloc before 5.3."""
    options = "prof:true,prof_final:true,prof_active:true"
    options += f",prof_unbias:{str(unbias).lower()}"
    environment = {
        **os.environ,
        "LD_PRELOAD": "libjemalloc.so.2",
        "MALLOC_CONF": f"{options},lg_prof_sample:{lg_period},"
        f"prof_prefix:{folder}/run",
    }
    subprocess.run([f"{folder}/turns", *arguments], env=environment, check=True)
    (dump,) = pathlib.Path(folder).glob("run.*.heap")
    return str(dump.rename(f"{folder}/{name}.heap"))


def total(*arguments: str) -> tuple[float, float, float]:
    """The total of a profile, and its bounds."""
    info = json.loads(heapprof("info", "--json", *arguments))
    found = info["totals"]["inuse_space"]
    bounds = found["interval"] or {"lower": 0, "upper": 0}
    return found["value"], bounds["lower"], bounds["upper"]


def change(old: str, new: str) -> tuple[float, float, float]:
    profile = f"{new}.pb.gz"
    heapprof("--proto", "-o", profile, "--base", old, new)
    problems = check_pprof.problems_of(pathlib.Path(profile).read_bytes())
    assert not problems, problems
    return total(profile)


def rows(*arguments: str) -> dict[str, tuple[float, float, float]]:
    """What each function and its callees hold, or its change, with bounds."""
    found = {}
    for row in json.loads(heapprof("--json", *arguments))["rows"]:
        measure = row["cumulative"]
        measure = measure.get("change", measure)
        bounds = measure["interval"] or {"lower": 0, "upper": 0}
        name = (row["function"] or row["name"]).partition("(")[0]
        found[name] = (measure["value"], bounds["lower"], bounds["upper"])
    return found


def finds_growth(old: str, new: str) -> bool:
    limit = "--max-growth=0B"
    command = [os.environ["HEAPPROF"], "check", limit, "--base", old, new]
    status = subprocess.run(command, capture_output=True, check=False).returncode
    assert status in (0, 1), status
    return status == 1


def least_hits(runs: int) -> int:
    """Fewer have a probability below FALSE_ALARM."""
    probability = 0.0
    for hits in range(runs + 1):
        probability += (
            math.comb(runs, hits)
            * LEAST_COVERAGE**hits
            * (1 - LEAST_COVERAGE) ** (runs - hits)
        )
        if probability > FALSE_ALARM:
            return hits
    return runs


class Coverage:
    """Counts of hits, by what the interval is of."""

    def __init__(self) -> None:
        self.hits: dict[str, list[bool]] = {}
        self.widths: dict[str, list[float]] = {}

    def add(
        self, what: str, found: tuple[float, float, float], truth: float
    ) -> None:
        value, lower, upper = found
        if not lower <= value <= upper or lower == upper:
            sys.exit(f"{what}: {value} is not in [{lower}, {upper}]")
        self.hits.setdefault(what, []).append(lower <= truth <= upper)
        self.widths.setdefault(what, []).append((upper - lower) / 2)

    def add_check(self, what: str, found: bool) -> None:
        """An unchanged pair, in which 'check' should find no growth."""
        self.hits.setdefault(what, []).append(not found)

    def report(self) -> bool:
        """Prints the counts; False if one is too low."""
        good = True
        for what, hits in self.hits.items():
            enough = sum(hits) >= least_hits(len(hits))
            good = good and enough
            widths = self.widths.get(what)
            width = sum(widths) / len(hits) / 2**20 if widths else 0
            print(
                f"{what}: {sum(hits)} of {len(hits)}"
                f"{f', +- {width:.2f} MiB' if widths else ''}"
                f"{'' if enough else ': TOO FEW'}"
            )
        return good


def measure_kind(folder: str, kind: str, coverage: Coverage) -> None:
    truth = draw(folder, "truth", 0, kind)
    of_all = total(truth)[0]
    of_functions = rows(truth)
    for _ in range(RUNS):
        dump = draw(folder, "sampled", PERIOD, kind)
        coverage.add(f"{kind}, total", total(dump), of_all)
        found = rows(dump)
        for function in FUNCTIONS:
            if function in found:
                coverage.add(
                    f"{kind}, {function}",
                    found[function],
                    of_functions[function][0],
                )


def measure_pairs(folder: str, coverage: Coverage) -> None:
    """Unchanged, and with a function that holds half as much."""
    truths = [draw(folder, f"truth{p}", 0, "one", p) for p in ("100", "50")]
    shrunk = total(truths[1])[0] - total(truths[0])[0]
    for _ in range(RUNS):
        old, same = (draw(folder, n, PERIOD, "one") for n in ("old", "same"))
        half = draw(folder, "half", PERIOD, "one", "50")
        coverage.add("pair, unchanged", change(old, same), 0)
        coverage.add("pair, shrunk", change(old, half), shrunk)


def expect_note_of_profile(dump: str) -> None:
    """A profile without the threads says that its bounds are too narrow."""
    heapprof("--proto", "-o", f"{dump}.pb.gz", dump)
    for name, is_noted in ((dump, False), (f"{dump}.pb.gz", True)):
        info = subprocess.run(
            [os.environ["HEAPPROF"], "info", name],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("bounds may be too narrow" in info.stderr) == is_noted, info


def measure_threads_alike(folder: str, coverage: Coverage) -> None:
    """Unchanged pairs of runs whose threads sample the same bytes."""
    for _ in range(RUNS):
        old, new = (draw(folder, n, PERIOD, "alike") for n in ("old", "new"))
        found = rows("--base", old, new)
        for function in FUNCTIONS + ("demo::Work",):
            if function in found:
                coverage.add(f"alike pair, {function}", found[function], 0)
        coverage.add_check("alike pair, check", finds_growth(old, new))
        baseline = f"{folder}/baseline.pb.gz"
        heapprof("check", "--save-baseline", baseline, old)
        coverage.add_check("alike pair, baseline", finds_growth(baseline, new))
    expect_note_of_profile(new)


def expect_warning_of_means(folder: str) -> None:
    """A dump with nothing but mean sizes says how much may be missing."""
    for unbias in (True, False):
        dump = draw(folder, "means", PERIOD, "one", unbias=unbias)
        info = subprocess.run(
            [os.environ["HEAPPROF"], "info", dump],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("may lack up to" in info.stderr) != unbias, info


def main() -> int:
    sources, folder = sys.argv[1:]
    pathlib.Path(folder).mkdir(exist_ok=True)
    for left in pathlib.Path(folder).glob("*.heap"):
        left.unlink()
    subprocess.run(
        ["g++", "-std=c++17", "-g", "-O1", "-pthread"]
        + ["-o", f"{folder}/turns", f"{sources}/turns.cc"],
        check=True,
    )
    coverage = Coverage()
    for kind in KINDS:
        measure_kind(folder, kind, coverage)
    measure_pairs(folder, coverage)
    measure_threads_alike(folder, coverage)
    expect_warning_of_means(folder)
    return 0 if coverage.report() else 1


if __name__ == "__main__":
    sys.exit(main())
