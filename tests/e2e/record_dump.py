#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof dump PID`. With HEAPPROF_FULL=1, 200 dumps of a busy process."""

import os
import signal
import socket
import subprocess

import recorded

COUNT = 200 if os.environ.get("HEAPPROF_FULL") else 20


class DumpTest(recorded.RecordTest):
    def test_under_load(self):
        process, pid = self.start_program("workers")
        paths = set()
        for _ in range(COUNT):
            asked = self.ask(pid)
            self.assertEqual(asked.returncode, 0, asked.stderr)
            paths.add(asked.stdout)
        self.assertEqual(len(paths), COUNT)
        self.assertEqual(len(self.dumps()), COUNT)
        for dump in (self.dumps()[0], self.dumps()[-1]):
            self.assertGreater(self.total(dump), 0.9 * recorded.LIVE)
        subprocess.run(["kill", str(pid)], check=True)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertEqual(len(self.dumps()), COUNT + 1)

    def test_program_that_closes_all_files(self):
        _, pid = self.start_program("files")
        for _ in range(3):
            self.assertEqual(self.ask(pid).returncode, 0)
        subprocess.run(["kill", str(pid)], check=True)

    def test_child_without_children(self):
        process = self.start("bash", "-c",
                             "(kill -STOP $BASHPID) & echo $!; wait")
        child = int(process.stdout.readline())
        self.addCleanup(self.kill, child)
        asked = self.ask(child)
        self.assertEqual(asked.returncode, 1)
        self.assertIn("it is a child without --children", asked.stderr)

    def test_several_processes(self):
        pids = [self.start_program("nap")[1] for _ in range(2)]
        asked = self.ask(pids[0], os.getpid(), pids[1])
        self.assertEqual(asked.returncode, 1)
        self.assertIn(f"process {os.getpid()} was not started by 'heapprof",
                      asked.stderr)
        self.assertEqual([path.split(".")[-4]
                          for path in asked.stdout.splitlines()],
                         [str(pid) for pid in pids])
        self.assertEqual(self.ask(*pids).returncode, 0)
        self.assertEqual(len(self.dumps()), 4)
        self.assertIn("found 'server'", self.ask(pids[0], "server").stderr)

    def test_others_are_refused(self):
        _, pid = self.start_program("nap")
        # Anybody can take the name of a socket.
        name = "\0heapprof-record.%d" % os.getpid()
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(name)
            asked = self.ask(os.getppid())
            self.assertEqual(asked.returncode, 1)
        if os.getuid() == 0:
            asked = self.ask(pid, user=65534, group=65534)
            self.assertEqual((asked.returncode, asked.stdout), (1, ""))
            self.assertIn("belongs to another user", asked.stderr)
        self.assertEqual(self.dumps(), [])
        subprocess.run(["kill", str(pid)], check=True)

    def test_other_processes(self):
        self.environment["MALLOC_CONF"] = "prof:true"
        with subprocess.Popen(["sleep", "100"], env=self.environment) as other:
            asked = self.ask(other.pid)
            other.kill()
        self.assertEqual(asked.returncode, 1)
        self.assertRegex(asked.stderr, f"(gdb|lldb) -p {other.pid} .*'(call|expr) "
                                       r"\(int\)mallctl\(.prof.dump")
        asked = self.ask(os.getpid())
        self.assertIn("was not started by 'heapprof record', so", asked.stderr)
        self.assertEqual(self.ask("0x1").returncode, 2)
        self.assertEqual(self.ask(2**31 - 1).returncode, 1)


recorded.main()
