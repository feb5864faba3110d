#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof explain` against programs that know where their memory is."""

import itertools
import json
import os
import pathlib
import subprocess
import sys

import check_json
import recorded

# Of the size of the whole, where nothing else is said.
PAGE = 4096
PIECE = 1 << 18  # of what the C library and the loader have on their own


class ExplainTest(recorded.RecordTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.resident = cls.tree / "resident"
        source = str(recorded.PROGRAMS / "resident.cc")
        subprocess.run(["g++", "-O1", "-std=c++20", "-o", str(cls.resident),
                        source, "-ljemalloc", "-lpthread"], check=True)

    def explain(self, *arguments, status=0):
        done = subprocess.run(
            [recorded.HEAPPROF, "explain", *map(str, arguments)],
            cwd=self.folder, env=self.environment, text=True, timeout=60,
            capture_output=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def document(self, *arguments):
        """Returns the document, its lines by name, and its remarks' names."""
        document = json.loads(self.explain("--json", *arguments).stdout)
        check_json.validator_of(os.environ["SCHEMA"]).validate(document)
        lines = {line["name"]: line["bytes"] for line in document["lines"]}
        self.assertEqual(sum(lines.values()), document["total_bytes"])
        remarks = [remark["name"] for remark in document["remarks"]]
        return document, lines, remarks

    def snapshot(self, scenario, seed, settings="prof:true"):
        """Runs a program; returns what it knows."""
        known = subprocess.run(
            [str(self.resident), scenario, str(seed), str(self.folder)],
            env=self.environment | {"MALLOC_CONF": settings}, text=True,
            capture_output=True, check=True, timeout=60)
        return json.loads(known.stdout)

    def check_process(self, document, lines, known):
        """What holds for each program."""
        self.assertTrue(document["is_jemalloc_exact"])
        smaps = (self.folder / "r.smaps").read_text()
        rss = sum(int(line.split()[1]) << 10 for line in smaps.splitlines()
                  if line.startswith("Rss:"))
        self.assertEqual(document["total_bytes"], rss)
        # The stats list sampled objects with their extents, whose number comes
        # from the dump.
        self.assertAlmostEqual(lines["live"], known["live"], delta=PIECE)
        self.assertGreaterEqual(lines["other"], known["outside"])
        self.assertLess(lines["other"], known["outside"] + PIECE)

    def test_slabs(self):
        for seed in (1, 2):
            known = self.snapshot("slabs", seed)
            document, lines, remarks = self.document("r.heap")
            self.check_process(document, lines, known)
            self.assertAlmostEqual(lines["free_regions"],
                                   known["free_regions"],
                                   delta=0.01 * known["free_regions"])
            self.assertEqual(document["classes"][0]["size"], 224)
            self.assertEqual(remarks, ["one_dump"])

    def test_dirty(self):
        # In ten seconds, a busy machine gives some pages back.
        known = self.snapshot("dirty", 1, "prof:true,dirty_decay_ms:600000")
        document, lines, _ = self.document("r.heap")
        self.check_process(document, lines, known)
        self.assertGreater(lines["dirty"], 0.95 * known["freed"])
        # jemalloc counts more pages as dirty than were freed. Nobody has
        # touched these, nor a part of jemalloc's metadata.
        untouched = -lines["untouched"] - known["untouched"]
        never_freed = lines["dirty"] - known["freed"]
        self.assertGreater(untouched, never_freed)
        self.assertLess(untouched, never_freed + lines["base"])
        advice = {line["name"]: line["advice"] for line in document["lines"]}
        self.assertIn("dirty_decay_ms, now 600000", advice["dirty"])

    def test_threads(self):
        known = self.snapshot("threads", 1)
        document, lines, _ = self.document("r.heap")
        self.check_process(document, lines, known)
        self.assertAlmostEqual(lines["thread_caches"],
                               known["thread_caches"], delta=PIECE)
        self.assertIn(f'{known["threads"] + 1} threads', self.explain(
            "r.heap").stdout)

    def test_text_of_stats_is_json_of_stats(self):
        self.snapshot("threads", 2)
        by_text = self.explain("--json", "r.heap", "--stats", "r.stats.txt")
        self.assertEqual(by_text.stdout,
                         self.explain("--json", "r.heap").stdout)

    def test_fewer_files_say_less(self):
        self.snapshot("slabs", 3)
        stats = ["--stats", "r.stats.json"]
        document, lines, remarks = self.document(*stats)
        self.assertEqual(document["total"], "resident")
        self.assertEqual(remarks, ["no_process_file", "unknown_sampled"])
        _, lines, remarks = self.document(*stats, "--status", "r.status")
        self.assertIn("no_regions", remarks)
        self.assertIn("untold", lines)
        self.assertNotIn("untouched", lines)
        _, full, _ = self.document("r.heap")
        self.assertEqual(lines["free_regions"], full["free_regions"])

    def test_files_of_other_moments(self):
        self.snapshot("slabs", 4)
        for name in ("heap", "smaps"):
            (self.folder / f"r.{name}").rename(self.folder / f"old.{name}")
        self.snapshot("threads", 4)
        _, _, remarks = self.document(
            "old.heap", "--stats", "r.stats.json", "--smaps", "old.smaps",
            "--status", "r.status")
        self.assertEqual({"other_moment", "other_rss", "foreign_mappings"},
                         set(remarks) - {"one_dump"})

    def test_fits_a_terminal(self):
        self.snapshot("threads", 5)
        for line in self.explain("r.heap").stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.explain("r.heap", "-o", "out.json")
        self.assertEqual((self.folder / "out.json").read_text(),
                         self.explain("--json", "r.heap").stdout)

    def test_unusable_files(self):
        self.snapshot("threads", 6)
        errors = [
            (["r.heap", "--stats", "r.smaps"], "r.smaps: expected output of"),
            (["r.heap", "--smaps", "r.heap"], "r.heap: expected a copy of"),
            (["r.heap", "--stats", "none"], "none: "),
            (["r.stats.json"], "r.stats.json"),
        ]
        whole = {name: (self.folder / f"r.{name}").read_bytes()
                 for name in ("stats.json", "stats.txt", "smaps")}
        for (name, content), part in itertools.product(whole.items(),
                                                       (0.1, 0.5, 0.99)):
            (self.folder / name).write_bytes(
                content[:int(part * len(content))])
            option = "--smaps" if name == "smaps" else "--stats"
            errors.append((["r.heap", option, name], name + ": "))
        for arguments, message in errors:
            done = self.explain(*arguments, status=1)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(message, done.stderr)
        (self.folder / "r.stats.json").unlink()
        self.assertIn("--stats FILE", self.explain("r.heap", status=2).stderr)
        self.explain(status=2)

    def test_record_writes_the_files(self):
        done = self.record(self.program, "exit", options=("--rss",))
        self.assertIn("heapprof explain recorded.", done.stderr)
        (dump,) = self.dumps()
        names = {path.name.removeprefix(dump.stem)
                 for path in self.folder.glob(dump.stem + ".*")}
        self.assertEqual(names,
                         {".heap", ".smaps", ".status", ".stats.json"})
        document, lines, remarks = self.document(dump)
        self.assertTrue(document["is_jemalloc_exact"], remarks)
        self.assertGreater(lines["live"], recorded.LIVE)

    def test_dump_writes_the_files_when_asked(self):
        _, pid = self.start_program("nap")
        plain = pathlib.Path(self.ask(pid).stdout.strip())
        self.assertFalse(plain.with_suffix(".smaps").exists())
        asked = subprocess.run(
            [recorded.HEAPPROF, "dump", "--rss", str(pid)],
            env=self.environment, text=True, capture_output=True, check=True)
        document, _, _ = self.document(asked.stdout.strip())
        self.assertEqual(document["total"], "rss")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_code_of_the_manual(self):
        manual = subprocess.run([recorded.HEAPPROF, "help", "rss"], text=True,
                                capture_output=True, check=True).stdout
        begin = manual.index("  #include")
        code = manual[begin:manual.index("\n  }\n", begin) + 5]
        self.assertLessEqual(code.count("\n"), 20)
        main = "int main(void) { WriteRssFiles(\"x y\"); }\n"
        (self.folder / "x.c").write_text(code + main)
        for compiler in ("gcc", "g++"):
            subprocess.run([compiler, "-Wall", "-Werror", "x.c", "-ljemalloc"],
                           cwd=self.folder, check=True)
            subprocess.run(["./a.out"], cwd=self.folder, check=True,
                           env=self.environment)
            document, _, _ = self.document(
                "--stats", "x y.stats.json", "--smaps", "x y.smaps",
                "--status", "x y.status")
            self.assertTrue(document["is_jemalloc_exact"])


sys.dont_write_bytecode = True
recorded.main()
