#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows for engines (--ndjson, --label), and folded stacks as an input. With
$HEAPPROF_FULL, a million rows in ClickHouse and DuckDB, by the commands of
'heapprof help fleet'."""

import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import check_pprof
import fleet_engines
from check_json import read

HEAPPROF = os.environ["HEAPPROF"]
E2E = pathlib.Path(os.environ["E2E"])
SCHEMA = read(os.environ["SCHEMA"])
DUMPS = sorted((E2E / "dumps").glob("*.heap"))
SAMPLED = E2E / "sampled/quickstart.gcc-O2.heap"
EXACT = E2E / "dumps/inlining.gcc-O2.heap"
THREADS = E2E / "dumps/threads.gcc-O2.heap"
METRICS = ("inuse_space", "inuse_objects", "alloc_space", "alloc_objects")


class FleetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        cls.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("DEBUGINFOD")
        } | {"HOME": str(cls.tree), "XDG_CACHE_HOME": str(E2E / "cache"),
             "PATH": f"{cls.tree}/bin:{os.environ['PATH']}"}
        (cls.tree / "bin").mkdir()
        (cls.tree / "bin/heapprof").symlink_to(HEAPPROF)

    def run_heapprof(self, *arguments, status=0, stdin=b""):
        done = subprocess.run(
            [HEAPPROF, *map(str, arguments)], env=self.environment,
            input=stdin, capture_output=True)
        self.assertEqual(
            done.returncode, status,
            f"{arguments}\n{done.stdout[:2000]}{done.stderr.decode()}")
        return done

    def output(self, *arguments, stdin=b""):
        return self.run_heapprof("--quiet", *arguments, stdin=stdin).stdout

    def rows(self, *arguments):
        return [json.loads(line)
                for line in self.output("--ndjson", *arguments).splitlines()]

    def write(self, name, content):
        path = self.tree / name
        path.write_bytes(content)
        return path


def folded(rows):
    return "".join(f"{';'.join(row['frames'])} {row['value']}\n"
                   for row in rows if row["value"] > 0).encode()


class RowsTest(FleetTest):
    def test_every_row_has_the_columns_of_the_schema(self):
        from jsonschema import Draft202012Validator

        validator = Draft202012Validator(
            {"$ref": "#/$defs/ndjson_row", "$defs": SCHEMA["$defs"]})
        for arguments in ([SAMPLED], ["--thread=*", THREADS],
                          ["--lines", "--label", "version=1", EXACT]):
            rows = self.rows(*arguments)
            self.assertTrue(rows)
            for row in rows:
                validator.validate(row)
                self.assertEqual(len(row["frames"]), len(row["places"]))
                self.assertEqual(list(row)[:17],
                                 SCHEMA["$defs"]["ndjson_row"]["required"])
        self.assertFalse(validator.is_valid(rows[0] | {"value": 0}))

    def test_rows_are_those_of_other_outputs(self):
        for dump in (SAMPLED, EXACT, THREADS):
            rows = self.rows(dump)
            totals = json.loads(self.output("--json", dump))["totals"]
            self.assertEqual({row["metric"] for row in rows},
                             {name for name, total in totals.items()
                              if total["value"]})
            for metric in METRICS:
                of_metric = [row for row in rows if row["metric"] == metric]
                if not of_metric:
                    continue
                self.assertEqual(sum(row["value"] for row in of_metric),
                                 totals[metric]["value"])
                self.assertEqual(folded(of_metric),
                                 self.output("--collapsed", f"--{metric}",
                                             dump))
                self.assertEqual(self.rows(f"--{metric}", dump), of_metric)
        for option in ("--lines", "--files", "--modules", "--hide=@std"):
            self.assertEqual(
                folded(self.rows("--inuse_space", option, SAMPLED)),
                self.output("--collapsed", option, SAMPLED))

    def test_bounds_are_those_of_a_line_with_one_stack(self):
        compared = 0
        for dump in (SAMPLED, E2E / "sampled/quickstart.clang-O2.heap"):
            rows = self.rows("--inuse_space", "--lines", dump)
            leaves = collections.Counter(row["frames"][-1] for row in rows)
            report = json.loads(
                self.output("--json", "--names=full", "--lines", dump))
            flat = {row["name"].replace(" (inline)", ""): row["flat"]
                    for row in report["rows"] if row["flat"]["value"]}
            for row in rows:
                leaf = row["frames"][-1]
                if leaves[leaf] != 1 or leaf not in flat:
                    continue
                compared += 1
                held = flat[leaf]
                self.assertLessEqual(abs(held["value"] - row["value"]), 1)
                self.assertEqual(held["samples"], row["samples"])
                self.assertEqual(
                    held["interval"],
                    {"lower": row["lower"], "upper": row["upper"],
                     "confidence": 0.95})
        self.assertGreaterEqual(compared, 2)

    def test_several_dumps_have_the_rows_of_each(self):
        dumps = []
        for name, dump in (("server.71.10.i10.heap", SAMPLED),
                           ("server.71.9.i9.heap", EXACT),
                           ("other.8.3.f.heap.gz", THREADS)):
            content = dump.read_bytes()
            path = self.write(
                name,
                gzip.compress(content) if name.endswith("gz") else content)
            os.utime(path, (1_764_000_000 + len(dumps),) * 2)
            dumps.append(path)
        for options in ([], ["--thread=*"], ["--lines", "--focus=demo"]):
            done = self.run_heapprof("--ndjson", *options, *dumps)
            self.assertNotIn(b"added up", done.stderr)
            # The dumps of a process are in the order of their numbers.
            alone = [self.output("--ndjson", *options, dumps[i])
                     for i in (1, 0, 2)]
            self.assertEqual(done.stdout, b"".join(alone))
        first = json.loads(alone[0].splitlines()[0])
        self.assertEqual(
            (first["dump"], first["pid"], first["sequence"], first["time"]),
            (str(dumps[1]), 71, 9, 1_764_000_001))
        self.assertRegex(first["build_id"], "^[0-9a-f]{40}$")
        self.assertTrue(first["program"].endswith("/bin/gcc-O2/inlining"))

    def test_threads_have_rows_that_add_up(self):
        total = json.loads(self.output("--json", THREADS))["totals"]
        rows = self.rows("--thread=*", THREADS)
        for metric in ("inuse_space", "inuse_objects"):
            self.assertEqual(
                sum(row["value"] for row in rows if row["metric"] == metric),
                total[metric]["value"])
        threads = json.loads(self.output("--json", THREADS))["threads"]
        held = collections.Counter()
        for row in rows:
            if row["metric"] == "inuse_space":
                held[row["thread_uid"]] += row["value"]
        self.assertEqual(
            held, {thread["uid"]: thread["held"]["value"]
                   for thread in threads if thread["held"]["value"]})
        uid = threads[0]["uid"]
        for row in self.rows(f"--thread={uid}", THREADS):
            self.assertEqual((row["thread"], row["thread_uid"]),
                             (str(uid), None))

    def test_labels_are_columns_and_labels_of_samples(self):
        labels = ["--label", "version=1.3", "--label=host=web-1"]
        for row in self.rows(*labels, EXACT):
            self.assertEqual((row["host"], row["version"]), ("web-1", "1.3"))
            self.assertEqual(list(row)[-1], "version")
        path = self.tree / "labels.pb"
        self.run_heapprof(*labels, "-o", path, EXACT)
        self.assertEqual(check_pprof.problems_of(path.read_bytes()), [])
        parts = list(check_pprof.fields(path.read_bytes()))
        strings = [value.decode() for number, value in parts if number == 6]
        samples = [value for number, value in parts if number == 2]
        self.assertTrue(samples)
        for sample in samples:
            found = [dict(check_pprof.fields(label))
                     for number, label in check_pprof.fields(sample)
                     if number == 3]
            self.assertEqual(
                [(strings[label[1]], strings[label[2]]) for label in found],
                [("version", "1.3"), ("host", "web-1")])

    def test_a_difference_is_refused(self):
        self.run_heapprof("--ndjson", "--base", EXACT, EXACT, status=2)
        path = self.tree / "difference.pb.gz"
        self.run_heapprof("--base", E2E / "dumps/growth.first.heap", "-o",
                          path, E2E / "dumps/growth.grown.heap")
        done = self.run_heapprof("--ndjson", path, status=1)
        self.assertIn(b"a difference", done.stderr)
        self.assertEqual(done.stdout, b"")


class FoldedTest(FleetTest):
    def read_back(self, stacks, *options):
        self.assertEqual(
            self.output("--collapsed", *options, "-", stdin=stacks), stacks)

    def test_what_is_written_reads_back_as_the_same_bytes(self):
        for dump in [*DUMPS, SAMPLED]:
            self.read_back(self.output("--collapsed", dump))
        for option in ("--lines", "--files", "--modules", "--addresses",
                       "--thread=*", "--names=short", "--own=auto"):
            self.read_back(self.output("--collapsed", option, SAMPLED))
        for option in ("--inuse_objects", "--allocator-frames"):
            self.read_back(self.output("--collapsed", option, SAMPLED), option)

    def test_flamegraph_pl_draws_the_same(self):
        listed = subprocess.run(["dpkg", "-L", "libdevel-nytprof-perl"],
                                check=True, capture_output=True, text=True)
        script = re.search(r"^.*/flamegraph\.pl$", listed.stdout, re.M)[0]
        stacks = self.output("--collapsed", SAMPLED)
        pictures = [
            subprocess.run(["perl", script, "--hash"], input=of, check=True,
                           env={"PERL_HASH_SEED": "0"},
                           capture_output=True).stdout
            for of in (stacks, self.output("--collapsed", "-", stdin=stacks))]
        self.assertEqual(*pictures)
        self.assertIn(b"</svg>", pictures[0])

    def test_is_an_input_of_every_output(self):
        stacks = self.output("--collapsed", SAMPLED)
        path = self.write("fleet.folded", stacks)
        total = sum(int(line.rsplit(b" ", 1)[1])
                    for line in stacks.splitlines())
        outputs = [self.tree / f"fleet.{kind}" for kind in (
            "txt", "json", "ndjson", "html", "flame.svg", "pb.gz", "raw",
            "speedscope.json", "callgrind", "dot")]
        self.run_heapprof("--show_bytes",
                          *(part for output in outputs
                            for part in ("-o", output)), path)
        for output in outputs:
            self.assertGreater(output.stat().st_size, 500, output)
        text = outputs[0].read_text().splitlines()[0]
        self.assertEqual(text, f"Total: {total} B")
        report = json.loads(outputs[1].read_text())
        self.assertEqual(report["totals"].keys(), {"inuse_space"})
        self.assertEqual(report["totals"]["inuse_space"]["value"], total)
        self.assertTrue(report["is_exact"])
        self.assertEqual(report["inputs"][0]["format"], "folded stacks")
        for again in outputs[5], outputs[6]:
            self.assertEqual(self.output("--collapsed", again), stacks)
        for table in ("--tree", "--traces", "--callers=Handle", "--overview",
                      "--callees=Serve", "--peek=Handle"):
            self.assertIn(b"Handle", self.output(table, path), table)
        for table in ("--sizes", "--disasm=main"):
            self.run_heapprof(table, path, status=1)

    def test_is_read_compressed_and_from_a_folder(self):
        stacks = b"main;f 4096\nmain;g 7\n"
        packed = self.write("a.folded.gz", gzip.compress(stacks))
        self.assertEqual(self.output("--collapsed", packed), stacks)
        folder = self.tree / "folder"
        folder.mkdir()
        (folder / "a.collapsed").write_bytes(stacks)
        (folder / "access.log").write_bytes(b"GET / 200\n")
        self.assertEqual(self.output("--collapsed", folder), stacks)

    def test_bad_lines_have_one_message(self):
        bad = self.write("bad.folded", b"a 1\n" * 2000 + b"no\nno\n\xff\nb 2\n")
        done = self.run_heapprof("--collapsed", bad)
        self.assertEqual(done.stdout, b"a 2000\nb 2\n")
        messages = done.stderr.decode().splitlines()
        self.assertEqual(len(messages), 1, messages)
        self.assertIn("bad.folded:2001: expected 'frame;frame NUMBER'",
                      messages[0])
        self.assertIn("(and 2 more of this kind)", messages[0])
        for damaged in (b"main;f 5\n\nno number\n", b"main;f 0x5\n"):
            self.run_heapprof(self.write("text", damaged), status=1)

    def test_compares(self):
        old, new = (self.write(f"{name}.folded", self.output(
            "--collapsed", E2E / f"dumps/growth.{name}.heap"))
            for name in ("first", "grown"))
        both = self.write("both.folded", self.output(
            "--collapsed", "--two-column", "--base", old, new))
        dumps = ["--base", E2E / "dumps/growth.first.heap",
                 E2E / "dumps/growth.grown.heap"]
        growth = self.output("--collapsed", *dumps)
        self.assertEqual(self.output("--collapsed", "--base", old, new), growth)
        self.assertEqual(self.output("--collapsed", both), growth)
        limit = ["check", "--max-growth", "1MiB"]
        done = self.run_heapprof(*limit, "--base", old, new, status=1)
        self.assertIn(b"demo::Grow", done.stdout)
        self.run_heapprof(*limit, "--base", old, old)

    def test_a_period_gives_bounds(self):
        path = self.write("sampled.folded", b"main;f 10485760\n")
        report = json.loads(self.output("--json", "--sample-period=524288",
                                        path))
        # 20 samples.
        interval = report["totals"]["inuse_space"]["interval"]
        self.assertAlmostEqual(interval["lower"], 0.611 * 10485760, -5)
        self.assertAlmostEqual(interval["upper"], 1.544 * 10485760, -5)


@unittest.skipUnless(os.environ.get("HEAPPROF_FULL"),
                     "a million rows are loaded only with HEAPPROF_FULL=1")
class EnginesTest(FleetTest):
    def test_queries_have_the_numbers_of_heapprof(self):
        fleet_engines.check(self)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
