#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""However a program ends, its dump holds what was alive."""

import itertools
import os
import re
import signal
import subprocess
import unittest

import recorded


class EndingsTest(recorded.RecordTest):
    def test_ends_by_itself(self):
        for ending, status in {
            "return": 0, "exit": 3, "_exit": 4, "quick_exit": 5, "threads": 6,
            "fork": 7, "ignore": 13, "pthread_exit": 0, "clearenv": 0,
        }.items():
            with self.subTest(ending):
                done = self.record(self.program, ending)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertRegex(done.stdout, rf"^{ending} \d+\n$")
                self.assertIn("Fill", done.stderr)  # the overview
                self.assert_one_dump()
                self.dumps()[0].unlink()

    def test_signals_end_it(self):
        for ending in ("nap", "work", "workers"):
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(ending, signal=number):
                    process, pid = self.start_program(ending)
                    # Either one is as good: heapprof passes it on.
                    target = pid if ending == "work" else process.pid
                    subprocess.run(["kill", f"-{number}", str(target)],
                                   check=True)
                    process.communicate(timeout=60)
                    self.assertEqual(process.returncode, 128 + number)
                    dumps = self.dumps()
                    self.assertEqual(len(dumps), 1, dumps)
                    self.assertGreater(self.total(dumps[0]), recorded.LIVE / 2)
                    dumps[0].unlink()

    def test_frees_before_it_ends(self):
        """So do servers that handle signals."""
        for ending, number in itertools.product(
                ("graceful", "graceful_info", "sigwait", "sigwaitinfo"),
                (signal.SIGTERM, signal.SIGINT)):
            with self.subTest(ending, signal=number):
                process, pid = self.start_program(ending)
                # Either one is as good.
                os.kill(pid if ending == "graceful" else process.pid, number)
                _, messages = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 10)
                self.assert_one_dump()
                self.assertIn("Fill", messages)
                self.dumps()[0].unlink()

    def test_handler_that_ends_it(self):
        process, pid = self.start_program("handler")
        subprocess.run(["kill", str(pid)], check=True)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 12)
        self.assertLessEqual(len(self.dumps()), 1)

    def test_no_dump(self):
        done = self.record(self.program, "abort")
        self.assertEqual(done.returncode, 128 + signal.SIGABRT)
        self.assertIn("there is no dump: signal 6 ended it; --every 30s keeps",
                      done.stderr)
        done = self.record(self.program, "abort", options=("--every=10s",))
        self.assertIn("signal 6 ended it before the first dump of --every",
                      done.stderr)
        self.assertEqual(self.dumps(), [])

    def test_killed_while_it_dumps(self):
        process, pid = self.start_program("nap")
        part = self.folder / f"recorded.{pid}.9.r9.heap.part"
        of_another = self.folder / f"recorded.{pid}0.9.r9.heap.part"
        for path in (part, of_another):
            path.touch()
        subprocess.run(["kill", "-9", str(pid)], check=True)
        process.communicate(timeout=60)
        self.assertFalse(part.exists())
        self.assertTrue(of_another.exists())

    def test_out_of_memory(self):
        source = self.folder / "source.c"
        source.write_text("""
            #include <stdlib.h>
            #include <sys/resource.h>
            int main(void) {
              const struct rlimit limit = {400000000, 400000000};
              setrlimit(RLIMIT_AS, &limit);
              void** last = NULL;
              for (void** next; (next = malloc(100)) != NULL; last = next)
                *next = last;
              return last == NULL ? 6 : 5; }""")
        program = self.folder / "program"
        subprocess.run(["gcc", "-o", program, source], check=True)
        done = self.record(program)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertGreater(self.total(self.dumps()[0]), 50_000_000)

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its user")
    def test_user_who_may_not_write(self):
        source = self.folder / "source.c"
        source.write_text("""
            #include <unistd.h>
            int main(void) { return setuid(65534) == 0 ? 5 : 6; }""")
        program = self.folder / "program"
        subprocess.run(["gcc", "-o", program, source], check=True)
        self.folder.chmod(0o755)
        done = self.record(program)
        self.assertEqual(done.returncode, 5)
        self.assertRegex(done.stderr, "there is no dump: cannot write .*heap: "
                                      "Permission denied for user 65534\n")

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its user")
    def test_start_script_that_changes_the_user(self):
        """As gosu, su-exec and start-stop-daemon do."""
        self.tree.chmod(0o755)
        for mode, message in (0o777, ""), (0o755, "Permission denied"):
            self.folder.chmod(mode)
            done = self.record("chroot", "--userspec=65534:65534", "/",
                               self.program, "exit",
                               options=("--rate=4KiB", "-o", f"{self.folder}/"))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertNotIn("ld.so", done.stderr)
            self.assertIn(message, done.stderr)
            self.assertEqual(len(self.dumps()), 1, done.stderr)
        self.assert_one_dump()
        (dump,) = self.dumps()
        library = re.search(r" (/\S+)/libheapprof_record.so$",
                            dump.read_text(), re.M)[1]
        self.assertFalse(os.path.exists(library))

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its user")
    def test_programs_that_need_one_thread(self):
        self.tree.chmod(0o755)
        self.folder.chmod(0o777)
        for start in (("setpriv", "--reuid=65534", "--regid=65534",
                       "--clear-groups"), ("unshare", "--user", "--map-root")):
            if subprocess.run([*start, "true"], check=False).returncode != 0:
                continue  # a container may forbid it
            done = self.record(*start, self.program, "exit",
                               options=("--rate=4KiB", "-o", f"{self.folder}/"))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assert_one_dump()
            self.dumps()[0].unlink()

    @unittest.skipUnless(os.geteuid() == 0, "only root can change its root")
    def test_new_root(self):
        source = self.folder / "source.c"
        source.write_text("""
            #include <stdlib.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int main(int count, char** arguments) {
              (void)arguments;
              void* volatile kept = malloc(1 << 20);
              int status = 0;
              if (count > 1 && fork() != 0) return wait(&status) < 0;
              return kept && chroot("root") == 0 && chdir("/") == 0 ? 5 : 6; }""")
        program = self.folder / "program"
        subprocess.run(["gcc", "-o", program, source], check=True)
        (self.folder / "root").mkdir()
        done = self.record(program)
        self.assertEqual(done.returncode, 5)
        self.assertGreater(self.total(self.dumps()[0]), 1_000_000)
        self.assertIn("MAPPED_LIBRARIES:\n5", self.dumps()[0].read_text())
        # A child changes it at once, as a worker of a server does.
        done = self.record(program, "fork", options=("--children",))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(self.dumps()), 3, done.stderr)

    def test_triggers(self):
        options = ("--rate=4KiB", "--every=200ms")
        process, pid = self.start_program("nap", options=options)
        self.wait_until(lambda: len(self.dumps()) >= 2)
        subprocess.run(["kill", str(pid)], check=True)
        process.communicate(timeout=60)
        self.assert_holds_all(self.dumps()[-1])
        self.dumps()[0].unlink()
        # jemalloc counts a sampled object as 16 KiB, so with a finer rate the
        # dump would come much earlier.
        options = ("--rate=32KiB", "--on-growth=4MB", "-o", "grown/")
        process, pid = self.start_program("nap", options=options)
        grown = self.folder / "grown"
        self.wait_until(lambda: self.dumps(grown))
        subprocess.run(["kill", "-9", str(pid)], check=True)
        process.communicate(timeout=60)
        self.assertGreater(self.total(self.dumps(grown)[0]), 1_500_000)


recorded.main()
