#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof record --recent-log` and `explain` on two programs as they are.

usage: real_programs.py [--seeds N]

CPython, with its own allocator off, and a server with threads. Both know which
of their objects keep slabs; in both, a large table has most objects of that
size and keeps nothing. With --seeds, prints a line for each program.
"""

import json
import os
import statistics
import subprocess
import sys
import typing

import check_json
import explain_sentences
import recorded


class Program(typing.NamedTuple):
    command: tuple[str, ...]
    innocent: str  # a function in the stacks of the large table
    table: str  # what the program calls the table in its answer


class Run(typing.NamedTuple):
    """Shares of the stacks that are not the table's."""

    fits: bool
    true: float
    kept: float  # by explain
    by_objects: float  # in proportion to their objects
    is_within: bool  # its bounds
    rank: int  # of the first of these stacks
    rank_by_objects: int


class RealProgramsTest(recorded.RecordTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        server = str(cls.tree / "session_cache")
        subprocess.run(
            ["g++", "-g", "-O1", "-std=c++20", "-o", server,
             str(recorded.PROGRAMS / "session_cache.cc"), "-ljemalloc",
             "-lpthread"], check=True)
        cls.validator = check_json.validator_of(os.environ["SCHEMA"])
        cls.programs = {
            "CPython": Program(
                (sys.executable, str(recorded.PROGRAMS / "dicts.py")),
                "PyDict_Copy", "copied"),
            "server": Program((server,), "LoadCatalog", "products"),
        }

    def explain(self, dump):
        document = json.loads(
            self.heapprof("explain", "--json", dump).stdout)
        self.validator.validate(document)
        self.assertEqual(explain_sentences.unlisted_in(document), [])
        self.assertTrue(document["is_jemalloc_exact"])
        smaps = dump.with_suffix(".smaps").read_text()
        rss = sum(int(line.split()[1]) << 10 for line in smaps.splitlines()
                  if line.startswith("Rss:"))
        self.assertEqual(document["total_bytes"], rss)
        self.assertEqual(sum(line["bytes"] for line in document["lines"]), rss)
        text = self.heapprof("explain", dump).stdout
        self.assertEqual(explain_sentences.unlisted_in_text(text), [])
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        return document

    def run_program(self, program, seed):
        for file in self.folder.glob("*"):
            file.unlink()
        answer = self.folder / "known.json"
        done = self.record(*program.command, seed, answer,
                           options=("--recent-log", "--rate=128KiB"))
        self.assertEqual(done.returncode, 0, done.stderr)
        known = json.loads(answer.read_text())
        (dump,) = self.dumps()
        # The first class has most free regions.
        found = self.explain(dump)["classes"][0]
        # The program's count is that of all objects but the sampled ones.
        self.assertAlmostEqual(sum(known.values()), found["free_bytes"],
                               delta=0.02 * found["free_bytes"])
        return self.judge(program, known, found)

    @staticmethod
    def judge(program, known, found):
        true = 1 - known[program.table] / sum(known.values())
        fits = found["replay"]["fits"]
        innocent = kept = objects = lower = upper = 0
        ranks = []
        for by in (lambda one: one["kept"]["share"] if one["kept"] else 0,
                   lambda one: one["objects"]):
            order = sorted(found["holders"], key=by, reverse=True)
            ranks.append(1 + next(
                (i for i, one in enumerate(order)
                 if not is_innocent(program, one)), len(order)))
        for holder in found["holders"]:
            objects += holder["objects"]
            if is_innocent(program, holder):
                innocent += holder["objects"]
            elif holder["kept"]:
                kept += holder["kept"]["share"]
                lower += holder["kept"]["lower"]
                upper += holder["kept"]["upper"]
        return Run(fits, true, kept, 1 - innocent / objects,
                   lower - 0.005 <= true <= upper + 0.005, *ranks)

    seeds = 0

    def measure(self, name, seeds):
        program = self.programs[name]
        runs = [self.run_program(program, seed)
                for seed in range(1, seeds + 1)]
        fitting = [run for run in runs if run.fits]
        kept = [run.kept for run in fitting]
        print(f"{name:8}: fits {len(fitting)} of {seeds}; first "
              f"{sum(run.rank == 1 for run in fitting)}, by objects "
              f"{sum(run.rank_by_objects == 1 for run in runs)}; share "
              f"{statistics.mean(kept):.2f} ± {statistics.pstdev(kept):.2f}, "
              f"by objects "
              f"{statistics.mean(run.by_objects for run in runs):.2f}, true "
              f"{statistics.mean(run.true for run in runs):.2f}; within bounds "
              f"{sum(run.is_within for run in fitting)}", flush=True)
        self.assertGreaterEqual(len(fitting), 0.9 * seeds)
        self.assertEqual({run.rank for run in fitting}, {1})
        for run in fitting:
            self.assertAlmostEqual(run.kept, run.true, delta=0.15)
        # Proportional charging names the table.
        self.assertNotIn(1, {run.rank_by_objects for run in runs})

    def test_cpython(self):
        self.measure("CPython", self.seeds or 2)

    def test_server(self):
        self.measure("server", self.seeds or 2)


def is_innocent(program, holder):
    return any(program.innocent in frame for frame in holder["frames"])


sys.dont_write_bytecode = True
if "--seeds" in sys.argv:
    at = sys.argv.index("--seeds")
    RealProgramsTest.seeds = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
recorded.main()
