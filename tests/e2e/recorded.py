# SPDX-License-Identifier: Apache-2.0
"""What the tests of `heapprof record` share."""

import contextlib
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
PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
# The live bytes of testdata/programs/recorded.cc.
LIVE = 8_000_000


class RecordTest(unittest.TestCase):
    """Each test runs in a folder of its own, next to the built program."""

    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        cls.program = cls.tree / "recorded"
        cls.build(cls.program)

    @classmethod
    def build(cls, output, *flags):
        source = str(PROGRAMS / "recorded.cc")
        command = ["g++", "-g", "-O1", "-pthread", "-o", str(output), source]
        subprocess.run([*command, *flags], check=True)

    def build_with_private_jemalloc(self):
        """Builds a program that uses a library with a prefixed jemalloc, going
        by its strings. It exits with 7, or waits if it has an argument."""
        for name, text, options in (
                ("libcolumns.so", """
                    const char* const names[] =
                        {"COLUMNS_MALLOC_CONF", "<jemalloc>: %s"};
                    const char* Name(int i) { return names[i]; }""",
                 ["-shared", "-fPIC"]),
                ("host", """
                    #include <stdio.h>
                    #include <unistd.h>
                    const char* Name(int i);
                    int main(int argc, char** argv) {
                      (void)argv;
                      puts("started");
                      fflush(stdout);
                      if (argc > 1) pause();
                      return *Name(0) - 60;
                    }""", ["-L.", "-lcolumns", "-Wl,-rpath,$ORIGIN"])):
            source = self.folder / "source.c"
            source.write_text(text)
            subprocess.run(["gcc", "-o", name, source, *options], check=True,
                           cwd=self.folder)
        return self.folder / "host"

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.tree))
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HEAPPROF", "MALLOC_CONF", "LD_PRELOAD"))
        }
        self.environment["HOME"] = str(self.folder)
        self.environment["XDG_CACHE_HOME"] = str(self.tree / "cache")

    def start(self, *command, options=("--rate=4KiB",), **settings):
        """Starts `heapprof record` with pipes for its output."""
        process = subprocess.Popen(
            [HEAPPROF, "record", *options, "--", *map(str, command)],
            cwd=self.folder, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        """heapprof removes its files if it can."""
        if process.poll() is None:
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=20)
        if process.poll() is None:
            process.kill()
        process.communicate()

    def start_program(self, *command, **settings):
        """Starts recorded.cc; returns heapprof and the program's number."""
        process = self.start(self.program, *command, **settings)
        word, pid = process.stdout.readline().split()
        self.assertEqual(word, command[0])
        self.addCleanup(self.kill, int(pid))
        return process, int(pid)

    @staticmethod
    def kill(pid):
        """A program that is left holds the pipe on which end() waits."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def heapprof(self, *arguments, status=0):
        """Runs heapprof in the folder; it must end with this status."""
        done = subprocess.run(
            [HEAPPROF, *map(str, arguments)], cwd=self.folder,
            env=self.environment, text=True, timeout=60, capture_output=True,
            check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def record(self, *command, options=("--rate=4KiB",), **settings):
        """Runs `heapprof record` to its end."""
        return subprocess.run(
            [HEAPPROF, "record", *options, "--", *map(str, command)],
            cwd=self.folder, env=self.environment, text=True, timeout=60,
            capture_output=True, check=False, **settings)

    def ask(self, *pids, **settings):
        """Runs `heapprof dump`."""
        return subprocess.run(
            [HEAPPROF, "dump", *map(str, pids)], env=self.environment, text=True,
            timeout=60, capture_output=True, check=False, **settings)

    def dumps(self, folder=None):
        files = (folder or self.folder).glob("*.heap")
        # Two dumps may be of one tick of the clock of the file system.
        return sorted(files, key=lambda file: (file.stat().st_mtime_ns,
                                               int(file.name.split(".")[-3])))

    def total(self, dump):
        text = subprocess.run(
            [HEAPPROF, "--text", "--show_bytes", str(dump)],
            env=self.environment, text=True, capture_output=True, check=True)
        return int(re.search(r"Total: (\d+)", text.stdout)[1])

    def assert_holds_all(self, dump):
        """One sample per 4 KiB: the error is about one per cent."""
        self.assertGreater(self.total(dump), 0.9 * LIVE)
        self.assertLess(self.total(dump), 1.3 * LIVE)

    def assert_one_dump(self):
        dumps = self.dumps()
        self.assertEqual(len(dumps), 1, dumps)
        self.assertEqual(list(self.folder.glob("*.part")), [])
        self.assert_holds_all(dumps[0])

    def wait_until(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.05)
        self.fail("waited in vain")


def main():
    sys.dont_write_bytecode = True
    unittest.main()
