#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof trend` on the dumps of several processes."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from trend_case import HOUR, START, TrendCase, sequence


class TrendOfProcessesTest(TrendCase):
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

    def test_next_is_a_process_that_grows(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        # The first one holds more.
        for pid, dumps in ((100, self.leaking[-1:] * 20),
                           (101, self.leaking[:20])):
            for i, dump in enumerate(dumps):
                shutil.copy2(dump, folder / f"server.{pid}.{i}.i{i}.heap")
        text = self.run_heapprof("trend", folder).stdout
        self.assertRegex(text, r"Next: .*/server\.101\.19\.")

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
        done = self.run_heapprof("trend", "--exclude=main", hosts / "a/dumps",
                                 hosts / "b/dumps")
        self.assertRegex(done.stderr,
                         r"heapprof: [ab]/dumps/server\.1: --exclude=main")
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


if __name__ == "__main__":
    unittest.main()
