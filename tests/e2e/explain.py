#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof explain` against programs that know where their memory is."""

import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import check_json
import explain_sentences
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
        done = self.heapprof("explain", *arguments, status=status)
        if done.stdout.startswith(("RSS", "jemalloc")):
            self.assertEqual(explain_sentences.unlisted_in_text(done.stdout),
                             [])
        return done

    def document(self, *arguments):
        """Returns the document, its lines by name, and its remarks' names."""
        document = json.loads(self.explain("--json", *arguments).stdout)
        check_json.validator_of(os.environ["SCHEMA"]).validate(document)
        self.assertEqual(explain_sentences.unlisted_in(document), [])
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
            # At this rate, a stack may well be missed.
            self.assertEqual(remarks, ["one_dump", "unsampled"])

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

    def test_arenas_of_glibc(self):
        known = self.snapshot("arenas", 1)
        document, lines, _ = self.document("r.heap")
        self.check_process(document, lines, known)
        # One of the threads may use the arena below the program break.
        held = lines["malloc_arenas"] + lines["program_break"]
        self.assertGreater(held, known["other_malloc"])
        self.assertLess(held, 1.1 * known["other_malloc"])

    def test_huge_pages(self):
        setting = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
        if not setting.exists() or "[never]" in setting.read_text():
            self.skipTest("the kernel gives no huge pages")
        known = self.snapshot("slabs", 8, "prof:true,thp:always")
        document, lines, remarks = self.document("r.heap")
        self.check_process(document, lines, known)
        self.assertAlmostEqual(lines["free_regions"], known["free_regions"],
                               delta=0.01 * known["free_regions"])
        if sum(int(line.split()[1]) for line in (
                self.folder / "r.smaps").read_text().splitlines()
               if line.startswith("AnonHugePages:")) > 100 << 10:
            self.assertIn("huge_pages", remarks)

    def test_swapped_memory(self):
        """As few machines have swap, a quarter of jemalloc's pages moves."""
        self.snapshot("slabs", 10)
        before, _, remarks = self.document("r.heap")
        self.assertNotIn("swapped", remarks)
        smaps = self.folder / "r.smaps"
        regions, swapped = [], 0
        for region in re.split(r"(?m)^(?=[0-9a-f]+-)", smaps.read_text()):
            resident = re.search(r"(?m)^Rss: +([0-9]+) kB", region)
            if resident and re.search(r"(?m)^VmFlags:.* nr ", region):
                moved = int(resident[1]) // 4
                swapped += moved
                region = region.replace(
                    resident[0], f"Rss: {int(resident[1]) - moved} kB")
                region = re.sub(r"(?m)^Swap: .*", f"Swap: {moved} kB", region)
            regions.append(region)
        smaps.write_text("".join(regions))
        (self.folder / "r.status").unlink()  # of the moment before
        after, lines, remarks = self.document("r.heap")
        self.assertIn("swapped", remarks)
        self.assertTrue(after["is_jemalloc_exact"])
        self.assertEqual(before["total_bytes"] - after["total_bytes"],
                         swapped << 10)
        self.assertEqual(lines.pop("swapped"), -swapped << 10)
        known = {line["name"]: line["bytes"] for line in before["lines"]}
        self.assertEqual(known, lines)

    def test_huge_page_allocator(self):
        known = self.snapshot("slabs", 9, "prof:true,hpa:true")
        _, lines, remarks = self.document("r.heap")
        self.assertIn("huge_page_allocator", remarks)
        # jemalloc 5.3.0 counts its mappings wrongly then.
        self.assertIn("foreign_mappings", remarks)
        self.assertAlmostEqual(lines["live"], known["live"], delta=PIECE)
        self.assertAlmostEqual(lines["free_regions"], known["free_regions"],
                               delta=0.01 * known["free_regions"])

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

    def test_growth(self):
        known = []
        for scenario, name in (("threads", "old"), ("slabs", "r")):
            known.append(self.snapshot(scenario, 7))
            if name != "r":
                for path in self.folder.glob("r.*"):
                    path.rename(self.folder /
                                path.name.replace("r.", name + ".", 1))
        old, now = known
        document, lines, remarks = self.document("--base", "old.heap",
                                                 "r.heap")
        self.assertEqual(
            sum(line["base_bytes"] for line in document["lines"]),
            document["base_total_bytes"])
        base, before, _ = self.document("old.heap")
        self.assertEqual(document["base_total_bytes"], base["total_bytes"])
        for line in document["lines"]:
            self.assertEqual(line["base_bytes"], before.get(line["name"], 0))
        grown = {line["name"]: line["bytes"] - line["base_bytes"]
                 for line in document["lines"]}
        self.assertAlmostEqual(grown["live"], now["live"] - old["live"],
                               delta=2 * PIECE)
        self.assertAlmostEqual(grown["thread_caches"], -old["thread_caches"],
                               delta=2 * PIECE)
        self.assertEqual(document["classes"][0]["size"], 224)
        self.assertNotIn("divided_alike", remarks)
        text = self.explain("--base", "old.heap", "r.heap").stdout
        self.assertIn("RSS grew by", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        # Without the smaps of one side, the sums are as exact.
        document, _, remarks = self.document(
            "r.heap", "--base-stats", "old.stats.json", "--base-status",
            "old.status")
        self.assertIn("divided_alike", remarks)
        self.assertEqual(
            sum(line["base_bytes"] for line in document["lines"]),
            document["base_total_bytes"])
        self.explain("--base", "old.heap", "--stats", "r.stats.json",
                     status=2)
        (self.folder / "old.stats.json").unlink()
        self.assertIn("--base-stats FILE", self.explain(
            "--base", "old.heap", "r.heap", status=2).stderr)

    def trend(self, *arguments, status=0):
        return self.heapprof("trend", *arguments, status=status)

    def test_trend_of_the_lines(self):
        known = self.snapshot("series", 1)
        dumps = sorted(self.folder.glob("r.1.*.heap"))
        self.assertEqual(len(dumps), known["steps"])
        for hour, dump in enumerate(dumps):
            os.utime(dump, (1_764_000_000 + 3600 * hour,) * 2)
        done = self.trend("--by", "rss", ".", "--json", "--fail-on",
                          "growth>1MiB/h", status=1)
        document = json.loads(done.stdout)
        check_json.validator_of(os.environ["SCHEMA"]).validate(document)
        (series,) = document["series"]
        rows = {row["key"]: row for row in series["rows"]}
        for i, dump in enumerate(dumps):
            one, lines, _ = self.document(dump)
            self.assertEqual(series["total"]["values"][i], one["total_bytes"])
            for name, row in rows.items():
                self.assertEqual(row["values"][i], lines.get(name, 0))
        labels = {name: row["label"] for name, row in rows.items()}
        self.assertEqual(labels["live"], "growing")
        self.assertEqual(labels["free_regions"], "growing")
        self.assertEqual(labels["files"], "steady")
        self.assertAlmostEqual(rows["live"]["last"], known["live"],
                               delta=PIECE)
        self.assertIn("free regions in slabs",
                      {finding["name"] for finding in series["findings"]})
        # What the program frees to exit hides no growth.
        records, maps = dumps[-1].read_text().split("\nMAPPED_LIBRARIES:")
        header = records.split("\n@")[0]
        last = dumps[-1].name.removesuffix(".heap")
        final = self.folder / f"r.1.{len(dumps)}.f.heap"
        final.write_text(f"{header}\n@ 0x1\n  t*: 1: 64 [0: 0]\n"
                         f"  t0: 1: 64 [0: 0]\n\nMAPPED_LIBRARIES:{maps}")
        for part in "stats.json", "smaps", "status":
            beside = self.folder / f"{last}.{part}"
            if beside.exists():
                shutil.copy(beside, final.with_suffix(f".{part}"))
        again = self.trend("--by", "rss", ".", "--json")
        self.assertIn(f"left out: ./{final.name}: the program had freed",
                      again.stderr)
        self.assertEqual(json.loads(again.stdout)["series"],
                         json.loads(self.trend("--by", "rss", *(
                             f"./{dump.name}" for dump in dumps),
                             "--json").stdout)["series"])
        final.unlink()
        # What lacks files is left out, with a note.
        (self.folder / "r.1.3.m3.stats.json").unlink()
        done = self.trend("--by", "rss", ".")
        self.assertIn("5 of 6 dumps in 5 hours", done.stdout)
        self.assertIn("left out: ./r.1.3.m3.heap: no file", done.stderr)
        self.assertIn("heapprof explain --base ./r.1.0.m0.heap "
                      "./r.1.5.m5.heap", done.stdout)
        (self.folder / "r.1.4.m4.smaps").unlink()
        self.assertIn("the files of some dumps say less than those of others",
                      self.trend("--by", "rss", ".").stderr)
        for name in self.folder.glob("*.stats.json"):
            name.unlink()
        self.assertIn("record --rss", self.trend("--by", "rss", ".",
                                                 status=3).stderr)
        self.trend("--by", "rss", "--focus=main", ".", status=2)

    def test_fits_a_terminal(self):
        self.snapshot("threads", 5)
        for line in self.explain("r.heap").stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.explain("r.heap", "-o", "out.json", "-o", "out.html", "-o",
                     "out.md")
        for name, option in (("json", "--json"), ("html", "--html"),
                             ("md", "--markdown")):
            self.assertEqual((self.folder / f"out.{name}").read_text(),
                             self.explain(option, "r.heap").stdout)
        self.assertRegex((self.folder / "out.md").read_text(),
                         r"\n`r\.heap, [-0-9]{10} [:0-9]{8} UTC`\n")
        self.explain("r.heap", "-o", "out.pb.gz", status=2)
        self.assertFalse((self.folder / "out.pb.gz").exists())

    def test_fits_a_low_terminal(self):
        self.snapshot("slabs", 5)
        whole = self.explain("r.heap").stdout.splitlines()
        self.assertGreater(len(whole), 24)

        def on_terminal(*arguments):
            command = shlex.join([recorded.HEAPPROF, "explain", *arguments])
            return subprocess.run(
                ["script", "--quiet", "--return", "--flush", "--command",
                 f"stty cols 80 rows 24; {command}", "/dev/null"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                cwd=self.folder, check=True).stdout.splitlines()

        screen = on_terminal("--color=never", "r.heap")
        self.assertLess(len(screen), 24)
        self.assertEqual(screen[0], whole[0])
        self.assertIn("more lines", "".join(screen))
        self.assertEqual(len(on_terminal("--verbose", "r.heap")), len(whole))

    def test_names_by_a_binary_that_has_moved(self):
        self.snapshot("slabs", 5)
        moved = self.folder / "moved"
        self.resident.rename(moved)
        self.addCleanup(moved.rename, self.resident)
        names = [holder["frames"][0] for holder in self.document(
            "r.heap", moved)[0]["classes"][0]["holders"]]
        self.assertEqual(len(names), 2)
        self.assertTrue(all("Dense" in name or "Survivor" in name
                            for name in names), names)

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

    def test_record_writes_the_log(self):
        done = self.record(self.program, "exit",
                           options=("--rate=4KiB", "--recent-log"))
        self.assertIn("heapprof explain recorded.", done.stderr)
        (dump,) = self.dumps()
        log = json.loads(dump.with_suffix(".recent.json").read_text())
        self.assertEqual(log["recent_alloc_max"], 100000)
        live = sum(one["usize"] for one in log["recent_alloc"]
                   if not one["released"])
        # Of an object that is smaller, the whole rate is one sample.
        self.assertGreater(len(log["recent_alloc"]), 1000)
        self.assertGreater(live, 0)
        self.document(dump, "--recent", dump.with_suffix(".recent.json"))
        # jemalloc before 5.3 does not know the setting.
        self.assertEqual([line for line in done.stderr.splitlines()
                          if line.startswith("<jemalloc>")], [])

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
        manual = subprocess.run([recorded.HEAPPROF, "help", "unrecorded"], text=True,
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

    def test_rust_of_the_manual(self):
        rustc = shutil.which("rustc")
        if rustc is None:
            self.skipTest("no rustc")
        manual = subprocess.run([recorded.HEAPPROF, "help", "unrecorded"], text=True,
                                capture_output=True, check=True).stdout
        begin = manual.index("  use std::")
        code = manual[begin:manual.index("\n  }\n\n", manual.index(
            "fn write_rss_files")) + 5]
        main = ("fn main() { let kept: Vec<Vec<u8>> = (0..50000)"
                ".map(|i| vec![i as u8; 300]).collect();"
                " write_rss_files(\"r\").unwrap();"
                " println!(\"{}\", kept.len()); }\n")
        (self.folder / "x.rs").write_text(code + main)
        subprocess.run([rustc, "x.rs", "-L", "/usr/lib/x86_64-linux-gnu"],
                       cwd=self.folder, check=True)
        subprocess.run(["./x"], cwd=self.folder, env=self.environment,
                       stdout=subprocess.DEVNULL, check=True)
        document, lines, _ = self.document(
            "--stats", "r.stats.json", "--smaps", "r.smaps", "--status",
            "r.status")
        self.assertTrue(document["is_jemalloc_exact"])
        self.assertGreater(lines["live"], 50000 * 320)
        self.assertLess(lines["live"], 1.3 * 50000 * 320)

    def test_log_of_the_manual(self):
        manual = subprocess.run([recorded.HEAPPROF, "help", "unrecorded"], text=True,
                                capture_output=True, check=True).stdout
        begin = manual.index("  static void Put")
        code = ("#include <jemalloc/jemalloc.h>\n#include <stdio.h>\n" +
                manual[begin:manual.index("\n  }\n", begin) + 5] +
                "int main(void) { WriteRecent(\"r.json\");"
                " return mallctl(\"prof.dump\", NULL, NULL, NULL, 0); }\n")
        (self.folder / "x.c").write_text(code)
        settings = ("prof:true,lg_prof_sample:17,prof_recent_alloc_max:100000,"
                    "prof_time_resolution:high")
        slabs = subprocess.run([recorded.HEAPPROF, "help", "slabs"], text=True,
                               capture_output=True, check=True).stdout
        self.assertIn(settings, slabs.replace("\\\n  ", ""))
        for compiler in ("gcc", "g++"):
            subprocess.run([compiler, "-Wall", "-Werror", "x.c", "-ljemalloc"],
                           cwd=self.folder, check=True)
            subprocess.run(
                ["./a.out"], cwd=self.folder, check=True,
                env=self.environment | {"MALLOC_CONF": settings})
            log = json.loads((self.folder / "r.json").read_text())
            self.assertEqual(log["recent_alloc_max"], 100000)


sys.dont_write_bytecode = True
recorded.main()
