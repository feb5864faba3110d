#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof --each` on the dumps of many builds: its outputs are those of a run
for each dump.

usage: each.py FOLDER      (with bin/ and dumps/ of make_dumps.sh)
"""

import filecmp
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEAPPROF = os.environ["HEAPPROF"]
TREE = pathlib.Path(sys.argv.pop(1))
BIN, DUMPS = TREE / "bin", TREE / "dumps"
EXTENSIONS = ("pb.gz", "txt", "json", "collapsed", "html", "flame.svg",
              "speedscope.json", "callgrind", "dot", "raw")


def name_of(dump):
    return re.sub(r"\.(heap|pb)?(\.gz)?$", "", dump.name)


class EachTest(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.tree)
        self.out = self.tree / "new" / "each"
        self.environment = os.environ | {
            "HOME": str(self.tree), "XDG_CACHE_HOME": str(self.tree / "cache")}

    def run_heapprof(self, *arguments, status=0):
        done = subprocess.run([HEAPPROF, *map(str, arguments)],
                              env=self.environment, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, status,
                         f"{arguments}\n{done.stdout}{done.stderr}")
        self.assertEqual(done.stdout, "")
        return done.stderr.splitlines()

    def each(self, *arguments, extensions=EXTENSIONS, status=0):
        shutil.rmtree(self.out, ignore_errors=True)
        outputs = [f"-o={self.out}/{{name}}.{extension}"
                   for extension in extensions]
        return self.run_heapprof("--each", *outputs, *arguments, status=status)

    def alone(self, dump, *arguments, extensions=EXTENSIONS):
        """Writes the outputs of a run for one dump; returns their paths."""
        folder = self.tree / "alone"
        folder.mkdir(exist_ok=True)
        paths = [folder / f"{name_of(dump)}.{extension}"
                 for extension in extensions]
        self.run_heapprof(*[f"-o={path}" for path in paths], *arguments, dump)
        return paths

    def expect_outputs(self, expected):
        """`expected` are all outputs there should be."""
        self.assertEqual(sorted(os.listdir(self.out)),
                         sorted(path.name for path in expected))
        for path in expected:
            self.assertTrue(filecmp.cmp(path, self.out / path.name, False),
                            path.name)

    def copy(self, dump, name):
        """Copies a dump of DUMPS to the folder "dumps"."""
        folder = self.tree / "dumps"
        folder.mkdir(exist_ok=True)
        return pathlib.Path(shutil.copy2(DUMPS / dump, folder / name))

    def test_many_builds(self):
        dumps = sorted(DUMPS.glob("*.heap"))
        self.assertGreater(len(dumps), 15)
        # With its debug file and with symbols only, each dump has names.
        expected = [path for dump in dumps for path in self.alone(dump)]
        for options in (["--jobs=1", f"--cache-dir={self.tree}/cold"],
                        ["--jobs=3", "--no-cache"], ["--jobs=2"]):
            with self.subTest(options):
                lines = self.each(*options, DUMPS)
                self.expect_outputs(expected)
                self.assertEqual(
                    lines[-1], f"heapprof: wrote the outputs of {len(dumps)} "
                    f"of {len(dumps)} dumps")

    def test_options_and_base(self):
        """Each dump is compared with the same base, which is read once."""
        base = DUMPS / "growth.first.heap"
        dumps = [self.copy(f"growth.{name}.heap", f"{name}.heap")
                 for name in ("grown", "old-build")]
        options = ["--base", base, "--hide=@std", "--lines", "--show_bytes"]
        extensions = ("txt", "json", "html", "pb.gz", "flame.svg")
        expected = [path for dump in dumps
                    for path in self.alone(dump, *options,
                                           extensions=extensions)]
        self.each(*options, *dumps, extensions=extensions)
        self.expect_outputs(expected)
        self.assertTrue(any(" demo::" in path.read_text() for path in expected
                            if path.suffix == ".txt"))

    def test_outputs_by_option(self):
        dumps = [self.copy("inlining.gcc-O2.heap", "a.heap"),
                 self.copy("inlining.clang-O2.heap", "b.heap")]
        for option in ("--overview", "--tree", "--threads", "--traces",
                       "--peek=Grow|main", "--disasm=main", "--list=main",
                       "--collapsed"):
            with self.subTest(option):
                self.each(option, *dumps, extensions=("x",))
                together = {name: (self.out / name).read_bytes()
                            for name in os.listdir(self.out)}
                self.assertEqual(sorted(together), ["a.x", "b.x"])
                for dump in dumps:
                    path = self.out / f"{name_of(dump)}.x"
                    self.run_heapprof(option, f"--output={path}", dump)
                    self.assertEqual(path.read_bytes(), together[path.name])

    def test_pprof_inputs(self):
        self.each("--jobs=2", DUMPS, extensions=("pb.gz",))
        profiles = self.tree / "profiles"
        self.out.rename(profiles)
        inputs = sorted(profiles.iterdir())
        extensions = ("txt", "json", "raw.gz")[:2]
        expected = [path for profile in inputs
                    for path in self.alone(profile, extensions=extensions)]
        self.each(profiles, extensions=extensions)
        self.expect_outputs(expected)

    def test_builds_at_one_path(self):
        """The code of each dump names the build; both builds were run from one
        path and have moved."""
        programs = self.tree / "programs"
        programs.mkdir()
        dumps = []
        for build in ("gcc-O0", "gcc-O2", "clang-O2"):
            shutil.copy2(BIN / build / "inlining", programs / build)
            dump = self.copy(f"inlining.{build}.heap", f"{build}.heap")
            text = dump.read_bytes()
            dump.write_bytes(re.sub(rb"/\S*/inlining$", b"/opt/server", text,
                                    flags=re.M))
            dumps.append(dump)
        expected = [path for dump in dumps
                    for path in self.alone(dump, programs)]
        self.each("--jobs=2", programs, dumps[0].parent)
        self.expect_outputs(expected)
        for dump in dumps:
            build = name_of(dump)
            of_build = self.tree / "of_build.txt"
            self.run_heapprof(f"-o={of_build}", BIN / build / "inlining",
                              DUMPS / f"inlining.{build}.heap")
            self.assertEqual((self.out / f"{build}.txt").read_text(),
                             of_build.read_text())

    def test_broken_dumps(self):
        good = [self.copy("inlining.gcc-O2.heap", f"server.7.{i}.i{i}.heap")
                for i in range(12)]
        text = good[0].read_bytes()
        cut = self.copy("inlining.gcc-O2.heap", "cut.heap")
        cut.write_bytes(text[:text.index(b"\nMAPPED") - 40])
        folder = good[0].parent
        (folder / "server.7.12.i12.heap").write_bytes(b"")
        (folder / "empty.heap").write_bytes(b"")
        (folder / "other.heap").write_bytes(b"\x7f\0garbage" * 40)
        (folder / "notes.txt").write_text("not a dump\n")
        expected = [path for dump in [*good, cut]
                    for path in self.alone(dump, extensions=("txt",))]
        for options in ([], ["--quiet"]):
            lines = self.each(*options, folder, self.tree / "gone.heap",
                              extensions=("txt",), status=1)
            self.expect_outputs(expected)
            errors = [line for line in lines if ": error: " in line]
            for name in ("server.7.12.i12.heap", "empty.heap", "other.heap",
                         "gone.heap"):
                self.assertEqual(
                    sum(f"/{name}: " in line for line in errors), 1, name)
            self.assertEqual(len(errors), 4)
            if options:
                self.assertEqual(lines, errors)
        lines = self.each(folder, extensions=("txt",), status=1)
        self.assertEqual(
            lines[-1], "heapprof: wrote the outputs of 13 of 16 dumps; "
            "3 could not be read")
        warnings = [line for line in lines if "/cut.heap" in line
                    and "warning: " in line]
        self.assertEqual(len(warnings), 1, lines)
        self.assertFalse(any("notes.txt" in line for line in lines))

    def test_similar_messages(self):
        dumps = [self.copy("inlining.gcc-O2.heap", f"{i}.heap")
                 for i in range(5)]
        for dump in dumps:
            dump.write_bytes(re.sub(rb"/\S*/inlining$", b"/gone/server",
                                    dump.read_bytes(), flags=re.M))
        lines = self.each(*dumps, extensions=("txt",))
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r"/0\.heap: .*have no names.* \(and 4 more "
                         r"dumps\)$")
        lines = self.each("--verbose", *dumps, extensions=("txt",))
        for i in range(5):
            self.assertEqual(sum(f"/{i}.heap: " in line
                                 and "have no names" in line
                                 for line in lines), 1)

    def test_places(self):
        dumps = [self.copy("inlining.gcc-O2.heap", f"server.77.{i}.i{i}.heap")
                 for i in (9, 10)]
        dumps.append(self.copy("inlining.gcc-O2.heap", "...heap"))
        self.run_heapprof("--each", f"-o={self.out}/{{pid}}/{{seq}}/{{name}}",
                          *dumps[:2])
        self.assertTrue((self.out / "77/9/server.77.9.i9").is_file())
        self.assertTrue((self.out / "77/10/server.77.10.i10").is_file())
        # A name cannot lead out of the folder.
        self.run_heapprof("--each", "--text", f"-o={self.out}/{{name}}/x",
                          dumps[2])
        self.assertTrue((self.out / "...heap/x").is_file())
        # A dump counts once, even if its folder is named, too.
        lines = self.each(dumps[0].parent, *dumps, extensions=("txt",))
        self.assertIn("3 of 3 dumps", lines[-1])

    def test_usage(self):
        dump = self.copy("inlining.gcc-O2.heap", "a.heap")
        other = self.tree / "a.heap.gz"
        other.write_bytes(dump.read_bytes())
        here = dump.parent
        for arguments, message in (
                ([dump], r"where the outputs go.* -o 'named/\{name\}\.txt'"),
                (["--proto", dump], r"-o 'named/\{name\}\.pb\.gz'"),
                (["--text", "-o=-", dump], "writes to files"),
                ([f"-o={here}/x.txt", dump], r"use \{name\}, as in -o"),
                ([f"-o={here}/{{nam}}.txt", dump], "braces contain name, "),
                ([f"-o={here}/{{name.txt", dump], "braces contain"),
                ([f"-o={here}/{{seq}}.txt", dump], r"a\.heap: its name has no"),
                ([f"-o={here}/{{name}}.txt", dump, other],
                 r"would both be written to .*/a\.txt"),
                (["--raw", f"-o={here}/{{name}}.heap", dump], "would be repl"),
                (["--symbols", f"-o={here}/{{name}}.txt", BIN], "addresses"),
                ([f"-o={here}/{{name}}.txt", BIN / "gcc-O2"], "no dump given")):
            with self.subTest(arguments):
                lines = self.run_heapprof("--each", *arguments, status=2)
                self.assertEqual(len(lines), 1)
                self.assertRegex(lines[0], message)
                self.assertEqual(os.listdir(here), ["a.heap"])
        lines = self.run_heapprof("info", "--each", dump, status=2)
        self.assertIn("does not work with 'heapprof info'", lines[0])

    def test_unwritable(self):
        dumps = [self.copy("inlining.gcc-O2.heap", f"{name}.heap")
                 for name in "abc"]
        self.out.mkdir(parents=True)
        (self.out / "b.txt").mkdir()
        lines = self.run_heapprof("--each", f"-o={self.out}/{{name}}.txt",
                                  *dumps, status=1)
        self.assertRegex(lines[-2], r"error: .*/b\.heap: .*/b\.txt: ")
        self.assertIn("2 of 3 dumps; 1 failed", lines[-1])
        self.assertEqual(sorted(os.listdir(self.out)),
                         ["a.txt", "b.txt", "c.txt"])

    def test_interrupt(self):
        """What was written is whole, and nothing else stays."""
        dump = self.copy("inlining.gcc-O2.heap", "first.heap")
        many = 3000
        for i in range(many):
            os.link(dump, dump.parent / f"{i}.heap")
        expected, = self.alone(dump, extensions=("html",))
        with subprocess.Popen(
                [HEAPPROF, "--each", f"-o={self.out}/{{name}}.html",
                 dump.parent], env=self.environment, text=True,
                stderr=subprocess.PIPE) as child:
            while not (self.out.exists() and os.listdir(self.out)):
                self.assertIsNone(child.poll())
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            stderr = child.communicate()[1]
        self.assertEqual(child.returncode, 128 + signal.SIGINT, stderr)
        written = os.listdir(self.out)
        self.assertRegex(stderr.splitlines()[-1],
                         rf"interrupted: wrote the outputs of {len(written)} "
                         rf"of {many + 1} dumps$")
        self.assertLess(len(written), many)
        text = expected.read_text().replace("first.heap", "NAME")
        for name in written:
            self.assertTrue(name.endswith(".html"))
            page = (self.out / name).read_text()
            self.assertTrue(page.endswith(text[-100:]), name)


if __name__ == "__main__":
    unittest.main()
