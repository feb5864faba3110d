#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof trend` on the dumps of a real server, which leaks, fills a cache,
answers requests and empties a log; and what a terminal shows of many dumps."""

import csv
import html.parser
import glob
import io
import json
import os
import pathlib
import pty
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import fcntl
import termios

HEAPPROF = os.environ["HEAPPROF"]
PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
SCHEMA = os.environ["SCHEMA"]
CHECK_JSON = pathlib.Path(__file__).with_name("check_json.py")

DUMPS = 120
KIB = 1024
LEAKED = 128 * KIB  # per dump
START = 1_764_000_000
HOUR = 3600
LEAK = "demo::Session::Open"


def sequence(path):
    return int(path.split(".")[-3])


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


class TrendTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        cls.program = cls.tree / "soak"
        subprocess.run(
            ["g++", "-std=c++17", "-g", "-O2", "-o", cls.program,
             PROGRAMS / "soak.cc"],
            check=True)
        cls.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MALLOC_CONF", "LD_PRELOAD"))
        } | {"HOME": str(cls.tree), "XDG_CACHE_HOME": str(cls.tree / "cache")}
        cls.leaking = cls.soak("leaking", LEAKED // KIB, 14)
        # Every allocation is sampled, so that no row can grow by chance.
        cls.exact = cls.soak("exact", LEAKED // KIB, 0)
        cls.healthy = cls.soak("healthy", 0, 0)

    @classmethod
    def soak(cls, name, leaked, period):
        """Returns the dumps in their order, one hour apart."""
        folder = cls.tree / name
        folder.mkdir()
        settings = (f"prof:true,lg_prof_sample:{period},"
                    f"prof_prefix:{folder}/server")
        subprocess.run(
            [cls.program, str(DUMPS), str(leaked)], check=True,
            env=cls.environment | {"LD_PRELOAD": "libjemalloc.so.2",
                                   "MALLOC_CONF": settings})
        dumps = sorted(glob.glob(f"{folder}/*.heap"), key=sequence)
        assert len(dumps) == DUMPS
        for hour, dump in enumerate(dumps):
            os.utime(dump, (START + HOUR * hour,) * 2)
        return dumps

    def run_heapprof(self, *arguments, status=0):
        done = subprocess.run(
            [HEAPPROF, *map(str, arguments)], env=self.environment,
            capture_output=True, text=True)
        self.assertEqual(done.returncode, status,
                         f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def trend(self, *arguments, status=0):
        done = self.run_heapprof("trend", "--json", *arguments, status=status)
        path = self.tree / "trend.json"
        path.write_text(done.stdout)
        subprocess.run([sys.executable, "-B", CHECK_JSON, "valid", SCHEMA,
                        path], check=True)
        return json.loads(done.stdout)

    def copied(self, dumps):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        return [shutil.copy2(dump, folder) for dump in dumps]

    def on_terminal(self, *arguments, rows=40):
        """Returns what a terminal of 80 columns shows."""
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ,
                        struct.pack("HHHH", rows, 80, 0, 0))
            os.execve(HEAPPROF, [HEAPPROF, *map(str, arguments)],
                      self.environment | {"NO_COLOR": "1", "TERM": "xterm"})
        text = b""
        while True:
            try:
                block = os.read(terminal, 4096)
            except OSError:
                break
            if not block:
                break
            text += block
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(status, 0, text)
        lines = text.decode().replace("\r\n", "\n").splitlines()
        for line in lines:
            if not line.startswith(("Next:", "heapprof:")):
                self.assertLessEqual(len(line), 80, line)
        return lines

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
            # One interval in 20 misses the true rate, but hardly any by half
            # its width.
            self.assertLess(slope["lower"] - width / 2, LEAKED)
            self.assertGreater(slope["upper"] + width / 2, LEAKED)
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
            series, = self.trend("--by", by, *self.leaking)["series"]
            names = [row["key" if by == "module" else "name"]
                     for row in series["rows"]]
            self.assertTrue(any(found.endswith(name) for found in names),
                            f"{by}: {names}")
            # Rows are charged once, so that they add up to the total.
            for i in (0, DUMPS - 1):
                total = series["total"]["values"][i]
                rows = sum(row["values"][i] for row in series["rows"])
                self.assertLess(abs(total - rows), 0.01 * total, by)

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
        settings = f"prof:true,prof_accum:true,prof_prefix:{folder}/server"
        subprocess.run(
            [self.program, "12", "1024"], check=True,
            env=self.environment | {"LD_PRELOAD": "libjemalloc.so.2",
                                    "MALLOC_CONF": settings})
        series, = self.trend("--per=gib", folder)["series"]
        self.assertEqual(series["per"], "gib")
        allocated = [dump["allocated"] for dump in series["dumps"]]
        self.assertEqual(allocated, sorted(allocated))
        # 1 MiB of about 6 MiB that each step allocates is not freed.
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
        self.run_heapprof("trend", *cut, *whole)
        self.run_heapprof("trend", "--fail-on", "growth>1GiB/h", *cut[:19])
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

    def test_worst_process_first(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        limit = ("--fail-on", "growth>32KiB/h")
        for pid in range(100, 124):
            dumps = self.leaking if pid == 122 else self.healthy
            for i, dump in enumerate(dumps[20:60]):
                shutil.copy2(dump, folder / f"jeprof.{pid}.{i}.i{i}.heap")
        series = self.trend(*limit, folder, status=1)["series"]
        self.assertEqual(series[0]["process"], "jeprof.122")
        text = self.run_heapprof("trend", *limit, folder, status=1).stdout
        self.assertTrue(text.startswith("jeprof.122: "), text[:200])
        self.assertIn("\n\ngrowth>32KiB/h: 1 of 24 processes fails\n\nNext:",
                      text)
        # Without a report on standard output, a message says why it fails.
        done = self.run_heapprof("trend", *limit, folder, "-o",
                                 self.tree / "trend.html", status=1)
        self.assertEqual(done.stdout, "")
        self.assertIn("heapprof: growth>32KiB/h: 1 of 24 processes fails\n",
                      done.stderr)
        # A process that does not grow has a line.
        self.assertEqual(len(re.findall(r"(sawtooth|steady) +jeprof",
                                        text)), 23)
        self.assertLess(len(text.splitlines()), 55)
        whole = self.run_heapprof("trend", *limit, "--top=1", folder, status=1)
        self.assertIn("\njeprof.100: ", whole.stdout)
        self.assertEqual(len(re.findall("^jeprof", whole.stdout, re.M)), 20)
        self.assertIn("/jeprof.122.", text[text.index("Next:"):])

    def test_next_is_the_process_that_holds_most(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        for pid, dumps in ((100, self.healthy[:1] * 6),
                           (101, self.leaking[-2:])):
            for i, dump in enumerate(dumps):
                shutil.copy2(dump, folder / f"server.{pid}.{i}.i{i}.heap")
        for i in range(2):
            (folder / f"server.102.{i}.i{i}.heap").write_text(
                pathlib.Path(dump).read_text().replace("/soak\n", "/server\n"))
        text = self.run_heapprof("trend", folder).stdout
        self.assertIn("nothing is proven to grow", text)
        self.assertRegex(text, r"Next: .*/server\.101\.1\.")
        self.assertRegex(text, r" server\.101 \(soak\)\n(?s:.*) server\.102\n")

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

    def test_folder_of_many(self):
        folder = pathlib.Path(self.copied(self.leaking[:20])[0]).parent
        for dump in self.healthy[:10]:
            shutil.copy2(dump, folder)
        pid = self.leaking[0].split(".")[-4]
        cut = folder / f"server.{pid}.990.m990.heap"
        text = pathlib.Path(self.leaking[-1]).read_text()
        cut.write_text(text[:text.index("MAPPED_LIBRARIES") // 2])
        (folder / f"server.{pid}.991.m991.heap").touch()
        (folder / f"server.{pid}.992.m992.heap").write_text("no dump")
        # Another program had the same process id.
        other = folder / f"server.{pid}.993.m993.heap"
        other.write_text(text.replace("/soak\n", "/other\n"))
        (folder / "notes.txt").write_text("not a dump either")
        done = self.run_heapprof("trend", folder)
        left_out = re.findall(r"left out: \S*\.(\d+)\.m\d+\.heap:", done.stderr)
        self.assertEqual(sorted(left_out), ["990", "991", "992"])
        self.assertIn("1 process with only one dump", done.stderr)
        self.assertEqual(
            len(re.findall(r"^server\.\d+: ", done.stdout, re.M)), 2)
        headings = re.findall(r"^(\d+) dumps in", done.stdout, re.M)
        self.assertEqual(sorted(headings), ["10", "20"])
        self.assertEqual(done.stderr.count("notes.txt"), 0)

    def test_containers_of_two_hosts(self):
        # In each of them, the process has the number 1.
        hosts = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        for host, dumps in (("a", self.leaking), ("b", self.healthy)):
            (hosts / host / "dumps").mkdir(parents=True)
            for dump in dumps[:8]:
                number = sequence(dump)
                shutil.copy2(dump, hosts / host / "dumps" /
                             f"server.1.{number}.m{number}.heap")
        series = self.trend(hosts / "a/dumps", hosts / "b/dumps")["series"]
        self.assertCountEqual([one["process"] for one in series],
                              ["a/dumps/server.1", "b/dumps/server.1"])
        done = self.run_heapprof("trend", hosts, status=2)
        self.assertIn(f"no dump in {hosts}; name the folders in it, as in",
                      done.stderr)

    def test_processes_of_one_number(self):
        # In a container, a process that is restarted has the same number, and
        # replaces the first dumps of the one before.
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        for later, dumps in enumerate([self.leaking[:12], self.healthy[:5]]):
            for dump in dumps:
                number = sequence(dump)
                to = folder / f"server.1.{number}.m{number}.heap"
                shutil.copy(dump, to)
                os.utime(to, (START + HOUR * (number + 100 * later),) * 2)
        series = self.trend(folder)["series"]
        self.assertCountEqual([(one["process"], len(one["dumps"]))
                               for one in series],
                              [("server.1 (1 of 2)", 7),
                               ("server.1 (2 of 2)", 5)])
        self.assertEqual({one["per"] for one in series}, {"hour"})
        # The next command names the folder with the binary, not that with dumps.
        binaries = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        shutil.copy(self.program, binaries)
        done = self.run_heapprof("trend", folder, binaries)
        self.assertRegex(done.stdout,
                         rf"\nNext:  heapprof {binaries} {folder}/\S+\n"
                         rf"       heapprof {binaries} --base {folder}/\S+ "
                         rf"{folder}/\S+\n")
        self.assertIn("server.1: 2 processes have had this number; they are "
                      "told apart by their programs and memory maps",
                      done.stderr)

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
        least = min(stacks, key=lambda stack: int(
            re.search(r"t\*: \d+: (\d+)", stack)[1]))
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
        page = self.run_heapprof("--html", *dumps, final).stdout
        self.assertIn("live in dump 20 of 21, before the program freed its "
                      "memory</p>", page)
        ticket = self.run_heapprof("--markdown", *dumps, final).stdout
        self.assertRegex(ticket, r"\ndump 20 of `.*` and 20 more, before the "
                         "program freed its memory, ")
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
        self.assertIn("(and 4 more dumps)", "".join(lines))

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
