#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heapprof doctor` says what is missing, and changes nothing."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import check_json
import recorded

ANYBODY = {"user": 65534, "group": 65534, "extra_groups": []}


class DoctorTest(recorded.RecordTest):
    def ask_doctor(self, *arguments, status=0, **settings):
        """Runs it and returns the facts by name."""
        done = subprocess.run(
            [recorded.HEAPPROF, "doctor", "--json", *map(str, arguments)],
            env=self.environment, text=True, timeout=60, capture_output=True,
            check=False, cwd=self.folder, **settings)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        check_json.validator_of(os.environ["SCHEMA"]).validate(document)
        self.assertEqual(document["is_ready"], status == 0)
        return {fact["name"]: fact for fact in document["facts"]}

    def run_program(self, **environment):
        """Starts recorded.cc without `heapprof record`; returns its number."""
        process = subprocess.Popen(
            [self.program, "nap"], cwd=self.folder, stdout=subprocess.PIPE,
            env=self.environment | environment, stderr=subprocess.DEVNULL,
            text=True)
        self.addCleanup(self.end, process)
        process.stdout.readline()
        return process.pid

    def run_with_jemalloc(self, settings, variable="MALLOC_CONF"):
        return self.run_program(**{"LD_PRELOAD": "libjemalloc.so.2",
                                   variable: settings})

    def assert_states(self, facts, **states):
        found = {name: facts[name]["state"] for name in states}
        self.assertEqual(found, states)

    def test_recorded_process(self):
        _, pid = self.start_program("nap")
        facts = self.ask_doctor(pid)
        self.assert_states(facts, jemalloc="ok", profiler="ok", profiling="ok",
                           active="ok", rate="ok", dumps="ok", threads="ok",
                           stacks="ok", names="ok")
        self.assertIn("by heapprof record", facts["profiling"]["text"])
        self.assertIn("4 KiB", facts["rate"]["text"])
        self.assertEqual(facts["dump now"]["command"], f"heapprof dump {pid}")
        self.assertEqual(self.dumps(), [])
        self.assertEqual(self.ask(pid).returncode, 0)
        self.assertIn(str(self.dumps()[0]),
                      self.ask_doctor(pid)["dumps"]["text"])

    def test_process_with_a_second_jemalloc(self):
        process = self.start(self.build_with_private_jemalloc(), "wait")
        process.stdout.readline()
        (pid,) = pathlib.Path(
            f"/proc/{process.pid}/task/{process.pid}/children"
        ).read_text().split()
        self.addCleanup(self.kill, int(pid))
        facts = self.ask_doctor(pid)
        self.assert_states(facts, jemalloc="ok", coverage="missing")
        self.assertIn("libcolumns.so has a jemalloc",
                      facts["coverage"]["text"])

    def test_process_with_a_malloc_of_its_own(self):
        source = self.folder / "own.c"
        source.write_text("""
            #include <stddef.h>
            #include <unistd.h>
            static char block[1 << 20];
            static size_t used;
            void* malloc(size_t size) {
              used += (size + 15) & ~(size_t)15;
              return block + used - ((size + 15) & ~(size_t)15);
            }
            void free(void* old) { (void)old; }
            int main(void) {
              if (malloc(8) != NULL) write(1, "started\\n", 8);
              pause();
            }""")
        program = self.folder / "own"
        subprocess.run(["gcc", "-w", "-fno-builtin", "-o", program, source],
                       check=True)
        process = subprocess.Popen([program], env=self.environment, text=True,
                                   stdout=subprocess.PIPE)
        self.addCleanup(self.end, process)
        process.stdout.readline()
        facts = self.ask_doctor(process.pid, status=1)
        self.assertIn("a malloc() of its own", facts["jemalloc"]["text"])
        self.assertIsNone(facts["jemalloc"]["command"])

    def test_process_with_a_profiler(self):
        pid = self.run_with_jemalloc("prof:true,lg_prof_sample:17,prof_prefix:x")
        facts = self.ask_doctor(pid)
        self.assert_states(facts, profiling="ok", active="unknown", dumps="ok",
                           threads="missing")
        self.assertRegex(facts["active"]["command"], f"db -p {pid} .*prof.act")
        self.assertRegex(facts["dump now"]["command"], f"db -p {pid} .*.dump")
        self.assertIn("128 KiB", facts["rate"]["text"])
        self.assertIn(f"{self.folder}/x.{pid}.", facts["dumps"]["text"])

    def test_process_without_what_it_needs(self):
        record = f"heapprof record {self.program} nap"
        facts = self.ask_doctor(self.run_program(), status=1)
        self.assert_states(facts, jemalloc="missing")
        self.assertEqual(facts["jemalloc"]["command"], record)
        facts = self.ask_doctor(self.run_with_jemalloc(""), status=1)
        self.assertEqual(facts["profiling"]["command"], record)
        facts = self.ask_doctor(
            self.run_with_jemalloc("prof:true", "_RJEM_MALLOC_CONF"), status=1)
        self.assertIn("this jemalloc reads MALLOC_CONF",
                      facts["profiling"]["text"])
        facts = self.ask_doctor(self.run_with_jemalloc("prof:1"), status=1)
        self.assertIn("'prof:1'", facts["profiling"]["text"])
        facts = self.ask_doctor(
            self.run_with_jemalloc("prof:true,prof_active:false"), status=1)
        self.assert_states(facts, profiling="ok", active="missing")
        facts = self.ask_doctor(self.run_with_jemalloc(
            "prof:true,prof_thread_active_init:false,prof_prefix:"), status=1)
        self.assertIn("not in new threads", facts["active"]["text"])
        self.assertIn("prof_prefix is empty", facts["dumps"]["text"])
        facts = self.ask_doctor(
            self.run_with_jemalloc("prof:true,prof_prefix:/none/x"), status=1)
        self.assertIn("No such file", facts["dumps"]["text"])
        self.assertEqual(facts["dumps"]["command"],
                         f"sudo install -d -o {os.getuid()} /none")
        self.assertEqual(self.dumps(), [])

    def test_program_is_gone(self):
        copy = self.folder / "copy"
        self.build(copy)
        process = self.start(copy, "nap")
        pid = int(process.stdout.readline().split()[1])
        self.addCleanup(self.kill, pid)
        copy.unlink()
        facts = self.ask_doctor(pid)
        self.assertEqual(facts["program"]["command"],
                         f"cp /proc/{pid}/exe copy")
        self.assert_states(facts, names="ok")

    def test_jemalloc_in_the_program(self):
        archive = "/usr/lib/x86_64-linux-gnu/libjemalloc.a"
        if not os.path.exists(archive):
            self.skipTest("no libjemalloc.a")
        static = self.folder / "static"
        self.build(static, archive, "-ldl", "-lm")
        facts = self.ask_doctor(static)
        self.assertIn("in the program", facts["jemalloc"]["text"])
        process = subprocess.Popen(
            [static, "nap"], stdout=subprocess.PIPE, text=True,
            env=self.environment | {"MALLOC_CONF": "prof:true"})
        self.addCleanup(self.end, process)
        process.stdout.readline()
        # Its symbols tell what is in use now.
        self.assert_states(self.ask_doctor(process.pid), active="ok")

    def test_containers_and_rights(self):
        pid = self.run_with_jemalloc("prof:true")
        if os.getuid() != 0:
            self.skipTest("not root")
        facts = self.ask_doctor(pid, status=1, **ANYBODY)
        self.assert_states(facts, access="missing")
        self.assertEqual(facts["access"]["command"],
                         f"sudo heapprof doctor {pid}")
        started = subprocess.run(["unshare", "-mpnf", "true"], check=False,
                                 capture_output=True)
        if started.returncode != 0:
            self.skipTest("no namespaces")
        process = subprocess.Popen(
            ["unshare", "-mpnf", "--mount-proc", self.program, "nap"],
            stdout=subprocess.PIPE, text=True,
            env=self.environment | {"MALLOC_CONF": "prof:true,prof_prefix:/tmp/x",
                                    "LD_PRELOAD": "libjemalloc.so.2"})
        self.addCleanup(self.end, process)
        process.stdout.readline()
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        with open(children, encoding="ascii") as file:
            pid = int(file.read())
        self.addCleanup(self.kill, pid)
        facts = self.ask_doctor(pid)
        self.assertIn("in a container", facts["program"]["text"])
        self.assertIn(f"/proc/{pid}/root/tmp/x.1.", facts["dumps"]["text"])

    def test_new_root(self):
        if os.getuid() != 0:
            self.skipTest("not root")
        source = self.folder / "source.c"
        source.write_text("""
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>
            int main(void) {
              if (!malloc(1 << 20) || chroot("root") != 0 || chdir("/") != 0)
                return 1;
              printf("nap %d\\n", getpid());
              fflush(stdout);
              return pause(); }""")
        program = self.folder / "jailed"
        subprocess.run(["gcc", "-o", program, source], check=True)
        (self.folder / "root").mkdir()
        process = self.start(program)
        pid = int(process.stdout.readline().split()[1])
        self.addCleanup(self.kill, pid)
        facts = self.ask_doctor(pid)
        self.assert_states(facts, program="ok", jemalloc="ok", dumps="ok",
                           profiling="ok", threads="ok")
        self.assertIn(f", with {self.folder}/root as its root",
                      facts["program"]["text"])
        self.assertEqual(self.ask(pid).returncode, 0)
        self.assertIn(str(self.dumps()[0]),
                      self.ask_doctor(pid)["dumps"]["text"])
        # jemalloc itself writes below the new root.
        process = subprocess.Popen(
            [program], cwd=self.folder, stdout=subprocess.PIPE, text=True,
            env=self.environment | {"MALLOC_CONF": "prof:true,prof_prefix:d/x",
                                    "LD_PRELOAD": "libjemalloc.so.2"})
        self.addCleanup(self.end, process)
        process.stdout.readline()
        facts = self.ask_doctor(process.pid, status=1)
        self.assert_states(facts, jemalloc="ok", dumps="missing")
        self.assertEqual(facts["dumps"]["command"], "sudo install -d -o 0 "
                         f"/proc/{process.pid}/root/d")

    def test_programs(self):
        self.assert_states(self.ask_doctor(self.program), jemalloc="ok",
                           profiler="ok", dumps="ok", stacks="ok", names="ok")
        static = self.folder / "static"
        self.build(static, "-static")
        self.assert_states(self.ask_doctor(static, status=1),
                           jemalloc="missing")
        self.assertIn("libjemalloc", self.ask_doctor()["jemalloc"]["text"])

    def test_program_with_a_jemalloc_beside_it(self):
        """It is found as the loader finds it, not in the system's folders."""
        (self.folder / "lib").mkdir()
        library = self.folder / "lib/libjemalloc.so.2"
        linked = self.folder / "linked"
        shutil.copy("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", library)
        self.build(linked, "-Wl,--no-as-needed,-rpath,$ORIGIN/lib", library)
        text = self.ask_doctor(linked)["jemalloc"]["text"]
        self.assertIn(f"{library}, jemalloc ", text)
        # Now one that answers nothing, and none.
        library.unlink()
        subprocess.run(["gcc", "-shared", "-x", "c", "-o", library, "/dev/null"],
                       check=True)
        fact = self.ask_doctor(linked, status=1)["jemalloc"]
        self.assertIn(f"the program links {library}: expected", fact["text"])
        self.assertIn("--jemalloc FILE", fact["text"])
        library.unlink()
        self.build(linked, "-Wl,--no-as-needed", "-L/usr/lib/x86_64-linux-gnu",
                   "-l:libjemalloc.so.2")
        self.assert_states(self.ask_doctor(linked), jemalloc="ok")

    def test_dumps(self):
        self.record(self.program, "exit")
        dump = self.dumps()[0]
        self.assert_states(self.ask_doctor(dump), samples="ok", program="ok",
                           stacks="ok", threads="ok")
        empty = self.folder / "empty.1.0.f.heap"
        empty.write_text("heap_v2/524288\n  t*: 0: 0 [0: 0]\n\n"
                         "MAPPED_LIBRARIES:\n")
        self.assert_states(self.ask_doctor(empty, status=1), samples="missing")

    def test_files_named_like_dumps(self):
        def error(name):
            done = subprocess.run(
                [recorded.HEAPPROF, "doctor", name], text=True, check=False,
                env=self.environment, capture_output=True, cwd=self.folder)
            self.assertEqual(done.returncode, 1)
            return done.stderr
        (self.folder / "empty.heap").touch()
        self.assertIn("empty.heap: an empty file", error("empty.heap"))
        for name in ("gone.heap", "gone.heap.gz"):
            self.assertIn(f"{name}: cannot open: No such file", error(name))

    def test_text_and_errors(self):
        def run(*arguments):
            return subprocess.run(
                [recorded.HEAPPROF, "doctor", *map(str, arguments)], text=True,
                env=self.environment, capture_output=True, check=False)
        done = run(self.program)
        self.assertRegex(done.stdout, r"\n  ok       jemalloc +/.*\n")
        self.assertTrue(done.stdout.endswith("\nready\n"))
        for missing in ("2147483647", "./none"):
            self.assertEqual(run(missing).returncode, 1)
        self.assertIn("'none' is neither a file nor a program in PATH",
                      run("none").stderr)
        stats = self.folder / "stats.txt"
        stats.write_text("___ Begin jemalloc statistics ___\n")
        self.assertRegex(run(stats).stderr, "stats.txt: jemalloc's stats, which")
        self.assertEqual(run(self.program, "x").returncode, 2)
        self.assertEqual(run("--text", self.program).returncode, 2)


sys.dont_write_bytecode = True
recorded.main()
