# SPDX-License-Identifier: Apache-2.0
"""The dumps on which `heapprof trend` is tested, and how it is run."""

import atexit
import fcntl
import glob
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

import check_json

HEAPPROF = os.environ["HEAPPROF"]
PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
SCHEMA = os.environ["SCHEMA"]

DUMPS = 120
KIB = 1024
LEAKED = 128 * KIB  # per dump
START = 1_764_000_000
HOUR = 3600


def sequence(path):
    return int(path.split(".")[-3])


class TrendCase(unittest.TestCase):
    tree = None

    @classmethod
    def setUpClass(cls):
        """Makes the dumps once, for all classes of a run."""
        if TrendCase.tree is None:
            TrendCase.tree = pathlib.Path(tempfile.mkdtemp())
            atexit.register(shutil.rmtree, TrendCase.tree)
            TrendCase.make_dumps()

    @classmethod
    def make_dumps(cls):
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
        path = self.tree / "trend.json"
        path.write_text(self.run_heapprof("trend", "--json", *arguments,
                                          status=status).stdout)
        document = check_json.read(path)
        check_json.validator_of(SCHEMA).validate(document)
        return document

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
        # A slow run shows its progress, and erases it.
        shown = re.sub(r"[^\n]*\r\x1b\[K", "",
                       text.decode().replace("\r\n", "\n"))
        lines = shown.splitlines()
        for line in lines:
            if not line.startswith(("Next:", "heapprof:")):
                self.assertLessEqual(len(line), 80, line)
        return lines
