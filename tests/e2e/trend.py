#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof trend` on the dumps of a real server, which leaks, fills a cache,
answers requests and empties a log; and what a terminal shows of many dumps."""

import csv
import html.parser
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

from trend_case import (
    DUMPS, HEAPPROF, HOUR, KIB, LEAKED, PROGRAMS, START, TrendCase)
from trend_processes import TrendOfProcessesTest  # runs on the same dumps

LEAK = "demo::Session::Open"


class TagChecker(html.parser.HTMLParser):
    """Collects texts, and the elements that are not closed."""

    def __init__(self):
        super().__init__()
        self.open, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class TrendTest(TrendCase):
    def test_leak(self):
        done = self.trend("--fail-on", "growth>32KiB/h", *self.leaking,
                          status=1)
        self.assertEqual(done["verdict"], "regression")
        series, = done["series"]
        self.assertEqual(series["per"], "hour")
        self.assertEqual(len(series["dumps"]), DUMPS)
        first = series["rows"][0]
        self.assertEqual(first["name"], LEAK)
        self.assertEqual(first["label"], "growing")
        for slope in (first["rate"], first["last_half"]):
            width = slope["upper"] - slope["lower"]
            self.assertLess(width, LEAKED)
            # One interval in 20 misses the true rate, but none by its width.
            self.assertLess(slope["lower"] - width, LEAKED)
            self.assertGreater(slope["upper"] + width, LEAKED)
        self.assertRegex(series["summary"],
                         rf"^grows by \d+\.\d ± \d+\.\d KiB/h in {LEAK}; at "
                         r"this rate, the process holds \d+ MiB in \d+ days$")
        self.assertIn(LEAK, [row["name"] for row in series["findings"]])

    def test_exact_leak(self):
        series, = self.trend(*self.exact)["series"]
        growing = [row["name"] for row in series["rows"]
                   if row["label"] == "growing"]
        self.assertEqual(growing, [LEAK])
        for slope in (series["rows"][0]["rate"],
                      series["rows"][0]["last_half"]):
            self.assertEqual(slope["value"], LEAKED)
            self.assertLessEqual(slope["upper"] - slope["lower"], 1)

    def test_no_leak(self):
        done = self.trend("--fail-on", "growth>64KiB/h", *self.healthy)
        self.assertEqual(done["verdict"], "ok")
        series, = done["series"]
        self.assertEqual(series["findings"], [])
        labels = {row["name"]: row["label"]
                  for row in [series["total"], *series["rows"]]}
        self.assertNotIn("growing", labels.values())
        self.assertEqual(labels["demo::Log::Write"], "sawtooth")
        # The cache fills in the first dumps.
        early = self.trend(*self.healthy[:24])["series"][0]
        labels = {row["name"]: row["label"] for row in early["rows"]}
        self.assertNotIn("growing", labels.values())
        self.assertEqual(labels["demo::Cache::Insert"], "plateaued")

    def test_rows(self):
        expected = {
            "own": LEAK,
            "function": LEAK,
            "stack": "main;demo::Session::Open(unsigned long)",
            "module": str(self.program),
            "file": str(PROGRAMS / "soak.cc"),
            "thread": "t0",
        }
        for by, name in expected.items():
            trend = self.trend("--by", by, *self.leaking)
            self.assertEqual(trend["by"], by)
            series, = trend["series"]
            names = [row["key" if by == "module" else "name"]
                     for row in series["rows"]]
            self.assertTrue(any(found.endswith(name) for found in names),
                            f"{by}: {names}")
            # Rows are charged once, so that they add up to the total.
            for i in (0, DUMPS - 1):
                total = series["total"]["values"][i]
                rows = sum(row["values"][i] for row in series["rows"])
                self.assertLess(abs(total - rows), 0.01 * total, by)

    def test_rows_without_own_code(self):
        trend = self.trend("--own=none", *self.leaking[:20])
        self.assertEqual(trend["by"], "function")

    def test_any_order(self):
        dumps = self.leaking[:41]
        shuffled = dumps.copy()
        random.Random(1).shuffle(shuffled)
        for output in ("--text", "--json", "--csv"):
            shell = self.run_heapprof("trend", output, *sorted(dumps)).stdout
            for order in (dumps, shuffled):
                self.assertEqual(
                    self.run_heapprof("trend", output, *order).stdout, shell)
        rows = list(csv.DictReader(io.StringIO(shell)))
        self.assertEqual(rows[0]["name"], "total")
        self.assertEqual(rows[1]["label"], "growing")
        for jobs in (1, 4):
            self.assertEqual(self.run_heapprof(
                "trend", "--csv", f"--jobs={jobs}", *shuffled).stdout, shell)

    def test_times_that_say_nothing(self):
        dumps = self.copied(self.leaking)
        for dump in dumps:
            os.utime(dump, (START, START))
        series, = self.trend(*dumps)["series"]
        self.assertEqual(series["per"], "dump")
        self.assertEqual(series["rows"][0]["name"], LEAK)
        self.assertIn(f"\n{DUMPS} dumps\n",
                      self.run_heapprof("trend", *dumps).stdout)
        self.trend("--fail-on", "growth>16KiB/dump", *dumps, status=1)
        done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h",
                                 *dumps, status=3)
        self.assertIn("the times of the files do not increase", done.stderr)
        # Dumps of some seconds say little about an hour, unless one asks.
        for second, dump in enumerate(dumps):
            os.utime(dump, (START + second / 2,) * 2)
        self.assertEqual(self.trend(*dumps)["series"][0]["per"], "dump")
        asked = self.trend("--per=hour", *dumps)["series"][0]
        self.assertEqual(asked["per"], "hour")
        done = self.run_heapprof("trend", "--per=hour", *dumps)
        self.assertIn("written within a minute", done.stderr)
        # As after a copy in the order of a shell.
        for second, dump in enumerate(sorted(dumps)):
            os.utime(dump, (START + 60 * second,) * 2)
        self.assertEqual(self.trend(*dumps)["series"][0]["per"], "dump")
        for second, dump in enumerate(dumps):
            os.utime(dump, (START + 60 * second,) * 2)
        done = self.run_heapprof("trend", "--per=hour", *dumps)
        self.assertNotIn("written within a minute", done.stderr)

    def test_page(self):
        """Several files in one run; the page shows what JSON says."""
        page, data = (self.tree / f"trend.{end}" for end in ("html", "json"))
        self.run_heapprof("trend", "-o", page, "-o", data, *self.leaking)
        series, = json.loads(data.read_text())["series"]
        parser = TagChecker()
        parser.feed(page.read_text())
        self.assertEqual(parser.open, [])
        self.assertIn(f"{series['process']}: {series['summary']}",
                      parser.texts)
        points = [text for text in parser.texts
                  if text.startswith(pathlib.Path(self.leaking[0]).name)]
        first = f"{series['total']['first'] / KIB**2:.1f}"
        self.assertIn(first, points[0])
        for row in series["rows"]:
            self.assertIn(row["name"], parser.texts)
        rate = series["rows"][0]["other_rates"]["dump"]
        # One dump an hour.
        self.assertEqual(rate, series["rows"][0]["rate"])

    def test_per_gigabyte(self):
        folder = self.tree / "accumulated"
        folder.mkdir()
        settings = ("prof:true,prof_accum:true,lg_prof_sample:12,"
                    f"prof_prefix:{folder}/server")
        subprocess.run(
            [self.program, "12", "1024"], check=True,
            env=self.environment | {"LD_PRELOAD": "libjemalloc.so.2",
                                    "MALLOC_CONF": settings})
        series, = self.trend("--per=gib", folder)["series"]
        self.assertEqual(series["per"], "gib")
        allocated = [dump["allocated"] for dump in series["dumps"]]
        self.assertEqual(allocated, sorted(allocated))
        # 1 MiB of about 7 MiB that each step allocates is not freed.
        rate = series["rows"][0]["rate"]
        self.assertLess(rate["lower"], 2**30 / 6)
        self.assertGreater(rate["upper"], 2**30 / 9)
        self.run_heapprof("trend", "--per=gib", *self.leaking[:9], status=3)

    def test_gate_that_cannot_tell(self):
        done = self.trend("--fail-on", "growth>64KiB/h", *self.leaking[:4],
                          status=3)
        self.assertEqual(done["verdict"], "inconclusive")
        done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h",
                                 *self.leaking[:4], status=3)
        self.assertIn("inconclusive: growth>64KiB/h needs 5 dumps or more, "
                      "found 4", done.stdout)
        # A filter for certain names may have removed what grows.
        done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h",
                                 "--focus=no_such_name", *self.leaking[:40],
                                 status=3)
        self.assertIn("trend: the filters leave no samples", done.stderr)
        gone = self.copied(self.leaking[:40])
        for path in gone:
            text = pathlib.Path(path).read_text()
            pathlib.Path(path).write_text(text.replace("/soak", "/gone"))
        done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h",
                                 f"--focus={LEAK}|call_init", *gone, status=3)
        self.assertIn("has no names, so the filters may have", done.stderr)
        # A dump that is named is not there, nor are its stats.
        missing = pathlib.Path(gone[0]).with_name("server.1.900.m900.heap")
        for by in "own", "rss":
            done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h",
                                     f"--by={by}", *self.healthy[:20], missing,
                                     status=3)
            self.assertIn(f"error: {missing}: cannot open: No such file", done.stderr)
            self.assertEqual(done.stdout, "")
        # Files of an earlier run do not pass for those of this one.
        files = [missing.with_name(f"trend.{kind}")
                 for kind in ("txt", "json", "html", "csv")]
        for file in files:
            file.write_text("old")
        self.run_heapprof("trend", "--fail-on", "growth>64KiB/h", missing,
                          *(f"--output={file}" for file in files), status=3)
        text, document, page, rows = [file.read_text() for file in files]
        error = f"{missing}: cannot open: No such file or directory"
        self.assertEqual(text, f"not judged: {error}\n")
        self.assertEqual(json.loads(document), {
            "schema": "heapprof.trend", "schema_version": 1,
            "verdict": "not judged", "error": error})
        self.assertIn(f"<p>{error}</p>", page)
        self.assertEqual(len(rows.splitlines()), 1)
        done = self.run_heapprof("trend", *self.healthy[:20], missing)
        self.assertIn(f"left out: {missing}: cannot open: No such file", done.stderr)
        # Half of the dumps of a process are damaged.
        cut = self.copied(self.healthy[:20])
        for path in cut[10:]:
            os.truncate(path, 400)
        whole = self.leaking[20:60]
        done = self.run_heapprof("trend", "--fail-on", "growth>64KiB/h", *cut,
                                 *whole, status=3)
        self.assertRegex(done.stderr, r"error: trend: .*: 10 of 20 dumps are "
                         "damaged, too many for --fail-on")
        # The messages say what became of the dumps, not of the damaged parts.
        done = self.run_heapprof("trend", *cut, *whole)
        self.assertRegex(done.stderr, r"left out: \S+:\d+: the dump is truncated "
                         r"\(and \d+ more dumps?\)")
        self.assertNotIn("ignored", done.stderr)
        self.run_heapprof("trend", "--fail-on", "growth>1GiB/h", *cut[:19])
        # Only the end of the memory map is lost.
        maps = self.copied(self.healthy[:20])
        for path in maps[10:]:
            os.truncate(path, os.stat(path).st_size - 5)
        done = self.run_heapprof("trend", "--fail-on", "growth>1GiB/h", *maps)
        self.assertIn("20 dumps in ", done.stdout)
        self.assertIn("the last line of its memory map is ignored", done.stderr)
        self.assertNotIn("left out", done.stderr)
        # A folder without dumps may be the wrong one.
        empty = pathlib.Path(cut[0]).parent / "empty"
        empty.mkdir()
        done = self.run_heapprof("trend", *self.healthy[:20], empty)
        self.assertIn(f"no dump in {empty}; folders in it are not read",
                      done.stderr)
        # The disk is full: dumps are empty files.
        for path in cut[10:]:
            os.truncate(path, 0)
        self.run_heapprof("trend", "--fail-on", "growth>1GiB/h", *cut, status=3)
        # Files that are no dumps, dumps without samples and the only dump of
        # another process do not count.
        folder = pathlib.Path(cut[0]).parent
        others = [folder / f"{i}.log" for i in range(30)]
        for i, path in enumerate(others):
            path.write_text("heap_v2/1\n  t*: 0: 0 [0: 0]\n\n"
                            "MAPPED_LIBRARIES:\n" if i % 2 else "started\n")
        only = folder / "server.999999.0.m0.heap"
        only.write_text("")
        self.run_heapprof("trend", "--fail-on", "growth>1GiB/h",
                          *self.healthy[:20], *others, only)
        # A rate is proven to be above its lower bound only if no other row is
        # examined.
        row = self.trend(*self.leaking[:40])["series"][0]["rows"][0]
        limit = min(row["rate"]["lower"], row["last_half"]["lower"]) - KIB
        done = self.run_heapprof("trend", "--fail-on",
                                 f"growth>{limit / KIB:.0f}KiB/h",
                                 *self.leaking[:40], status=3)
        self.assertRegex(done.stdout, r"inconclusive: .* not proven; \d+ dumps "
                         r"over [\d.]+ times as long would do|within the noise")

    def test_usage(self):
        for arguments in (["--fail-on", "growth>1MiB"],
                          ["--fail-on", "growth>1/h"], ["--fail-on", "1MiB/h"],
                          ["--by", "line"], ["--inuse_objects"],
                          ["--per=dump", "--fail-on", "growth>1MiB/h"],
                          ["--csv", "--json"], ["--base", self.leaking[0]]):
            done = self.run_heapprof("trend", *arguments, *self.leaking[:6],
                                     status=2)
            self.assertEqual(done.stdout, "")
        self.run_heapprof("trend", status=2)
        self.run_heapprof("trend", self.tree / "no-such-file", status=3)

    def test_reset(self):
        """prof.reset with another rate drops what was sampled before."""
        dumps = self.copied(self.leaking[:60])
        for dump in dumps[:30]:
            text = pathlib.Path(dump).read_text()
            pathlib.Path(dump).write_text(
                text.replace("heap_v2/16384\n", "heap_v2/131072\n", 1))
        for number, dump in enumerate(dumps):
            os.utime(dump, (START + HOUR * number,) * 2)
        done = self.run_heapprof("trend", *dumps)
        self.assertIn(f"left out: the 30 dumps before {dumps[30]}: the "
                      "sampling rate changes there", done.stderr)
        self.assertRegex(done.stdout, rf"^server\.\d+: grows by .* in {LEAK}")
        self.assertIn("30 dumps in", done.stdout)
        limit = "growth>1KiB/h"
        self.run_heapprof("trend", "--fail-on", limit, *dumps, status=1)
        self.run_heapprof("trend", "--fail-on", limit, *dumps[:33], status=3)
        done = self.run_heapprof("check", "--max-growth=1GiB", "--base",
                                 dumps[0], dumps[59], status=3)
        self.assertIn("a dump of the same process as", done.stderr)
        done = self.run_heapprof("--base", dumps[0], dumps[59])
        self.assertIn("in one process, only prof.reset changes it", done.stderr)

    def test_freed_at_the_end(self):
        """A leak that the program frees at its end is still a leak."""
        dumps = self.copied(self.leaking[:20])
        alone = self.trend(*dumps)["series"]
        text = pathlib.Path(dumps[-1]).read_text()
        records, maps = text.split("\nMAPPED_LIBRARIES:")
        header, *stacks = records.split("\n@")
        def live_bytes(stack):
            return int(re.search(r"t\*: \d+: (\d+)", stack)[1])
        least = min(stacks, key=live_bytes)
        final = re.sub(r"\.20\.m20\.heap$|\.19\.m19\.heap$", ".20.f.heap",
                       dumps[-1])
        self.assertNotEqual(final, dumps[-1])
        pathlib.Path(final).write_text(
            f"{header}\n@{least}\nMAPPED_LIBRARIES:{maps}")
        os.utime(final, (START + HOUR * 20,) * 2)
        limit = "growth>32KiB/h"
        done = self.run_heapprof("trend", "--fail-on", limit, *dumps, final,
                                 status=1)
        self.assertIn(f"left out: {final}: the program had freed nearly all of "
                      "its memory before it ended", done.stderr)
        self.assertEqual(self.trend(*dumps, final)["series"], alone)
        # Python keeps a third of its memory.
        some = []
        for stack in sorted(stacks, key=live_bytes):
            if sum(map(live_bytes, some)) < sum(map(live_bytes, stacks)) / 6:
                some.append(stack)
        python = final.replace(".20.f.", ".20.r20.")
        pathlib.Path(python).write_text(
            "\n@".join([header, *some]) + f"\nMAPPED_LIBRARIES:{maps}")
        os.utime(python, (START + HOUR * 20,) * 2)
        done = self.run_heapprof("trend", "--fail-on", limit, *dumps, python,
                                 status=1)
        self.assertIn(f"left out: {python}: the program had freed half",
                      done.stderr)
        self.assertEqual(self.trend(*dumps, python)["series"], alone)
        later = python.replace(".20.r20.", ".21.r21.")
        shutil.copy2(python, later)
        self.assertEqual(len(self.trend(*dumps, python, later)["series"][0]
                             ["dumps"]), len(dumps) + 2)
        page = self.run_heapprof("--html", *dumps, final).stdout
        self.assertIn("live in dump 20 of 21, before the program freed its "
                      "memory</p>", page)
        ticket = self.run_heapprof("--markdown", *dumps, final).stdout
        self.assertRegex(ticket, r"\ndump 20 of 21, before the program freed "
                         r"its memory \(`.*` and 20 more\), ")
        commands = ticket.split("To go deeper")[1]
        self.assertIn(dumps[-1], commands)
        self.assertNotIn(final, commands)
        self.assertEqual(
            ticket.splitlines()[0],
            self.run_heapprof("--markdown", dumps[-1]).stdout.splitlines()[0])
        # A dump that was asked for counts, but shows less than one before it.
        asked = final.replace(".20.f.", ".21.m21.")
        shutil.copy2(final, asked)
        text = self.run_heapprof("trend", *dumps, asked).stdout
        self.assertRegex(text, rf"\nNext:  heapprof \S*{dumps[-1]}\n")
        # A process of the same number that has just started ends nothing.
        other = pathlib.Path(self.healthy[0]).read_text().split(
            "\nMAPPED_LIBRARIES:")[1]
        pathlib.Path(final).write_text(
            f"{header}\n@{least}\nMAPPED_LIBRARIES:{other}")
        self.assertIn("live in the last of 21 dumps</p>",
                      self.run_heapprof("--html", *dumps, final).stdout)

    def test_terminal(self):
        folder = pathlib.Path(self.leaking[0]).parent
        for arguments in ([folder], self.leaking[:60]):
            lines = self.on_terminal(*arguments)
            self.assertRegex(lines[0],
                             rf"^server\.\d+: grows by .* in {LEAK};")
            self.assertTrue(any(re.search("[▁-█]{8}  growing", line)
                                for line in lines))
            after = [line for line in lines if line.startswith("Next:")]
            self.assertEqual(len(re.findall(r"\.heap", after[0])), 1)
        # An output that is asked for is that of jeprof.
        lines = self.on_terminal("--text", *self.leaking[:3])
        self.assertFalse(any("trend" in line and "course" in line
                             for line in lines))

    def test_low_terminal(self):
        """What grows stays on the screen, and so does the prompt."""
        folder = pathlib.Path(self.copied(self.leaking)[0]).parent
        for process in range(5):
            for index in range(5):
                copy = folder / f"idle.{process}.{index}.m{index}.heap"
                shutil.copy2(self.healthy[0], copy)
                os.utime(copy, (START + HOUR * index,) * 2)
            (folder / f"idle.{process}.5.m5.heap").touch()  # a message each
        lines = self.on_terminal("trend", folder, rows=24)
        self.assertRegex(lines[0], rf"^server\.\d+: grows by .* in {LEAK};")
        self.assertTrue(any("in 5 other processes" in line for line in lines))
        self.assertLess(len(lines), 24)
        self.assertIn("(and 4 more dumps)", " ".join(map(str.strip, lines)))

    def test_pipe(self):
        done = self.run_heapprof(*self.leaking[:41])
        self.assertIn("Total:", done.stdout)
        self.assertEqual(done.stderr.count("added up"), 1)
        self.assertLess(done.stderr.count(".heap"), 2)

    def test_memory(self):
        """Grows with the stacks and the largest dump, not with the dumps."""
        def peak(dumps):
            script = ("import resource, subprocess, sys;"
                      "subprocess.run(sys.argv[1:], check=True, "
                      "stdout=subprocess.DEVNULL);"
                      "print(resource.getrusage(resource.RUSAGE_CHILDREN)"
                      ".ru_maxrss)")
            done = subprocess.run(
                [sys.executable, "-c", script, HEAPPROF, "trend", *dumps],
                env=self.environment, capture_output=True, text=True,
                check=True)
            return int(done.stdout)
        self.assertLess(peak(self.leaking), 1.5 * peak(self.leaking[:3]))


if __name__ == "__main__":
    unittest.main()
