#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All kinds of programs run as they do without `heapprof record`."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import recorded


class ProgramsTest(recorded.RecordTest):
    def script(self, text, name="start.sh"):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_environment_and_streams(self):
        self.environment |= {"MALLOC_CONF": "narenas:2", "LD_PRELOAD": ""}
        without = subprocess.run(["env"], env=self.environment, text=True,
                                 capture_output=True, check=True)
        done = self.record(self.program, "system",
                           "env; cat; ls /proc/self/fd; exit 8", input="text\n")
        self.assertEqual(done.returncode, 8)
        lines = done.stdout.splitlines()
        files = [line for line in lines if line.isdigit()]
        self.assertEqual(files, ["0", "1", "2", "3"])
        self.assertIn("text", lines)
        expected = {line for line in without.stdout.splitlines()
                    if not line.startswith(("_=", "PWD=", "OLDPWD=", "SHLVL="))}
        self.assertEqual(expected - set(lines), set())
        for line in lines:
            self.assertNotIn("HEAPPROF", line)
        self.assertIn("MALLOC_CONF=narenas:2", lines)
        self.assert_one_dump()

    def test_rate_of_the_settings(self):
        self.environment["MALLOC_CONF"] = "lg_prof_sample:14,narenas:2"
        for options, period in ((), 16384), (("--rate=1MiB",), 1 << 20):
            self.record(self.program, "exit", options=options)
            (dump,) = self.dumps()
            self.assertTrue(dump.read_text().startswith(f"heap_v2/{period}\n"))
            dump.unlink()

    def test_threads_that_are_not_sampled(self):
        self.environment["MALLOC_CONF"] = "prof_thread_active_init:false"
        self.record(self.program, "exit")
        self.assert_one_dump()

    def test_modules_that_prefer_their_own_libraries(self):
        """As those of PHP: with the free() of glibc, they would crash."""
        (self.folder / "lib").mkdir()
        for name, text, options in (
                ("lib/module.so", """
                    #include <stdlib.h>
                    void Release(void* block) { free(block); }
                    void* Hold(void) { return malloc(100000); }""",
                 ["-shared", "-fPIC"]),
                ("host", """
                    #define _GNU_SOURCE
                    #include <dlfcn.h>
                    #include <malloc.h>
                    #include <stdlib.h>
                    int main(void) {
                      /* Found by the path in this program. */
                      void* module = dlopen("module.so",
                                            RTLD_NOW | RTLD_DEEPBIND);
                      void (*release)(void*);
                      void* (*hold)(void);
                      if (module == NULL) return 5;
                      *(void**)&release = dlsym(module, "Release");
                      *(void**)&hold = dlsym(module, "Hold");
                      release(malloc(100));
                      free(hold());
                      return 6;
                    }""", ["-Wl,-rpath,$ORIGIN/lib"])):
            source = self.folder / "source.c"
            source.write_text(text)
            subprocess.run(["gcc", "-o", self.folder / name, source, *options],
                           check=True)
        for options in (), ("--children",):
            done = self.record(self.folder / "host", options=options)
            self.assertEqual(done.returncode, 6, done.stderr)

    def test_code_that_cannot_be_unwound(self):
        """As that of LuaJIT, in which libgcc aborts."""
        program = self.folder / "no_frame"
        subprocess.run(["gcc", "-g", "-O1", "-o", program,
                        recorded.PROGRAMS / "no_frame.c"], check=True)
        done = self.record(program)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assert_one_dump()
        stacks = self.heapprof("--collapsed", self.dumps()[0]).stdout
        self.assertRegex(stacks, r"(?m)^[^;]+;Hold \d+$")

    @unittest.skipUnless(shutil.which("luajit"), "no LuaJIT")
    def test_luajit(self):
        code = """
            local ffi = require "ffi"
            ffi.cdef "void* malloc(size_t);"
            local held = {}
            for i = 1, 800 do held[i] = ffi.C.malloc(10000) end
            os.exit(6)"""
        done = self.record("luajit", "-e", code)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assert_one_dump()

    def test_library_with_a_jemalloc_of_its_own(self):
        done = self.record(self.build_with_private_jemalloc())
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("libcolumns.so has a jemalloc of its own: what it "
                      "allocates is not in the dump", done.stderr)
        self.assertNotIn("of its own", self.record(self.program, "exit").stderr)

    def test_functions_that_jemalloc_lacks(self):
        """A library has one, as that of mimalloc; the other is in libc."""
        for name, text, options in (
                ("libother.so", """
                    #include <stdlib.h>
                    void* reallocarray(void* block, size_t count, size_t size) {
                      (void)block; (void)count; (void)size;
                      abort();
                    }""", ["-shared", "-fPIC"]),
                ("program", """
                    #include <malloc.h>
                    #include <stdint.h>
                    #include <stdlib.h>
                    void* volatile held[80];
                    int main(void) {
                      for (int i = 0; i < 80; ++i)
                        held[i] = reallocarray(malloc(10), 1000, 100);
                      char* page = pvalloc(5000);
                      page[8191] = 1;
                      if ((uintptr_t)page % 4096 != 0) return 1;
                      free(page);
                      if (reallocarray(NULL, SIZE_MAX / 2, 3)) return 2;
                      return pvalloc(SIZE_MAX) == NULL ? 5 : 3;
                    }""", ["-L.", "-lother", "-Wl,-rpath,$ORIGIN"])):
            source = self.folder / "source.c"
            source.write_text(text)
            subprocess.run(["gcc", "-D_GNU_SOURCE", "-g", "-w", "-o", name, source,
                            *options], check=True, cwd=self.folder)
        done = self.record("./program")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assert_one_dump()
        table = self.heapprof("--text", self.dumps()[0]).stdout
        self.assertRegex(table.splitlines()[1], r" main$")

    def test_program_with_a_malloc_of_its_own(self):
        for body, lacks in (("return block;", True),
                            ("return real(size);", False)):
            source = self.folder / "source.c"
            source.write_text("""
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <stddef.h>
                static char block[4096];
                void* malloc(size_t size) {
                  static void* (*real)(size_t);
                  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "malloc");
                  """ + body + """
                }
                void free(void* old) {
                  static void (*real)(void*);
                  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "free");
                  if (old != block) real(old);
                }
                int main(void) { return malloc(8) ? 5 : 6; }""")
            program = self.folder / "own"
            subprocess.run(["gcc", "-o", program, source, "-fno-builtin"],
                           check=True)
            done = self.record(program)
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertEqual(
                f"{program} has a malloc() of its own" in done.stderr, lacks,
                done.stderr)
            facts = self.heapprof("doctor", program).stdout
            self.assertIn("the program has a malloc() of its own", facts)
        self.assertNotIn("coverage",
                         self.heapprof("doctor", self.program).stdout)

    def test_any_prefix_of_a_jemalloc(self):
        program = self.folder / "prefixed"
        subprocess.run(["gcc", "-o", program, recorded.PROGRAMS / "prefixed.c"],
                       check=True)
        done = self.record(program)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assert_one_dump()

    def test_auxiliary_vector(self):
        """As Go's runtime looks for it: behind the environment, else in /proc."""
        source = self.folder / "auxv.c"
        source.write_text("""
            int main(int argc, char** argv, char** entry) {
              while (*entry) ++entry;
              const unsigned long* pair = (unsigned long*)(entry + 1);
              if (*pair == 0) return 5;
              while (*pair != 0 && *pair != 6) pair += 2;
              return *pair == 6 ? 5 : 6;
            }""")
        program = self.folder / "auxv"
        subprocess.run(["gcc", "-o", program, source], check=True)
        self.environment |= {"MALLOC_CONF": "narenas:2", "LD_PRELOAD": ""}
        self.assertEqual(self.record(program).returncode, 5)

    def test_script_that_executes(self):
        script = self.script(f"#!/bin/sh\nls >/dev/null\n"
                             f"exec {self.program} exit\n")
        done = self.record(script)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assert_one_dump()
        self.dumps()[0].unlink()
        done = self.record(self.program, "execute", self.program, "_exit")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assert_one_dump()

    def test_lists_of_arguments(self):
        for ending in "execute_list", "execute_environment", "execute_file":
            done = self.record(self.program, ending, self.program, "_exit")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assert_one_dump()
            self.dumps()[0].unlink()

    def test_script_that_changes_the_settings(self):
        self.environment |= {"MALLOC_CONF": "narenas:2", "LD_PRELOAD": ""}
        for settings, library in (
                ("confirm_conf:true,narenas:3", "libresolv.so.2"),
                ("confirm_conf:true", "")):
            script = self.script(
                f"#!/bin/sh\nexport MALLOC_CONF={settings}\n"
                f"export LD_PRELOAD={library}\n"
                f"exec {self.program} system 'echo =$MALLOC_CONF=$LD_PRELOAD='")
            done = self.record(script)
            self.assertIn(f"={settings}={library}=", done.stdout)
            self.assertIn(f'"{settings},prof:true', done.stderr)
            self.assert_one_dump()
            dump = self.dumps()[0]
            self.assertEqual("libresolv" in dump.read_text(), library != "")
            dump.unlink()
        done = self.record(self.script(
            f"#!/bin/sh\nunset MALLOC_CONF\n"
            f"exec {self.program} system 'echo =${{MALLOC_CONF-none}}='"))
        self.assertIn("=none=", done.stdout)
        self.assert_one_dump()

    def test_children_with_other_settings(self):
        script = self.script(
            f"#!/bin/sh\nexport MALLOC_CONF=confirm_conf:true\n"
            f"export LD_PRELOAD=libresolv.so.2\n{self.program} exit\n"
            f"env -i {self.program} exit\n:\n")
        done = self.record(script, options=("--rate=4KiB", "--children"))
        self.assertIn('"confirm_conf:true,prof:true', done.stderr)
        large = [dump for dump in self.dumps()
                 if self.total(dump) > 0.9 * recorded.LIVE]
        self.assertEqual(["libresolv" in dump.read_text() for dump in large],
                         [True, False], done.stderr)

    def test_children(self):
        script = self.script(f"#!/bin/sh\nls >/dev/null\n{self.program} exit\n"
                             f"echo $?\n")
        done = self.record(script, options=())
        self.assertRegex(done.stdout, r"\n3\n$")
        self.assertEqual(len(self.dumps()), 1)  # that of the shell
        self.assertIn("use --children", done.stderr)
        self.dumps()[0].unlink()
        done = self.record(script, options=("--rate=4KiB", "--children"))
        self.assertRegex(done.stdout, r"\n3\n$")
        self.assertEqual(done.returncode, 0)
        totals = [self.total(dump) for dump in self.dumps()]
        self.assertGreater(max(totals), 0.9 * recorded.LIVE)
        self.assertIn("Fill", done.stderr)

    def test_children_of_which_the_first_holds_most(self):
        # An older dump with the same prefix is not of this run.
        self.record(self.program, "exit", options=("--rate=4KiB", "-o", "old"))
        (old,) = self.dumps()
        old.rename(old.with_name(f"{old.name}".replace("old", "all")))
        script = self.script(f"#!/bin/sh\n{self.program} exit\nls >/dev/null\n:\n")
        done = self.record(
            script, options=("--rate=4KiB", "--children", "-o", "all"))
        # One dump of each process tells no trend.
        self.assertIn("the 3 dumps of 3 processes are all.*.heap; "
                      "their sum: heapprof all.*.heap\n", done.stderr)
        shown = re.search(r"(all\S+\.heap) ", done.stderr)[1]
        self.assertGreater(self.total(self.folder / shown), 0.9 * recorded.LIVE)
        self.assertNotIn(old.name.replace("old", "all"), done.stderr)

    def test_children_that_hold_nothing(self):
        script = self.script("#!/bin/sh\nls >/dev/null\n:\n")
        done = self.record(script, options=("--children",))
        self.assertNotIn("use --children", done.stderr)
        self.assertIn("'heapprof dump PID' shows what it holds", done.stderr)

    def test_prefix_like_an_option(self):
        done = self.record(self.program, "exit",
                           options=("--rate=4KiB", "--output=-x"))
        self.assertIn("Fill", done.stderr)
        self.assertRegex(done.stderr, r"the dump is \./-x\.")

    def test_forked_child(self):
        done = self.record(self.program, "fork",
                           options=("--rate=4KiB", "--children"))
        self.assertEqual(done.returncode, 7)
        self.assertEqual(len(self.dumps()), 2)
        for dump in self.dumps():
            self.assert_holds_all(dump)

    @unittest.skipUnless(os.path.exists("/usr/bin/python3"), "no CPython")
    def test_python(self):
        code = ("import os, signal, time; data = [str(i) for i in range(100000)]; "
                "print(signal.getsignal(signal.SIGINT), "
                "signal.getsignal(signal.SIGTERM), os.environ['PYTHONMALLOC']); "
                "time.sleep(0.7)")
        done = self.record("/usr/bin/python3", "-c", code,
                           options=("--rate=4KiB", "--every=200ms"))
        self.assertEqual(done.returncode, 0, done.stderr)
        # As without us: ^C raises KeyboardInterrupt, SIGTERM ends it.
        self.assertRegex(done.stdout, r"default_int_handler> 0 malloc\n$")
        # The objects are gone before main() returns; the overview shows the
        # dump before that.
        shown = re.search(r"^python\S+ +(\S+\.heap) ", done.stderr, re.M)[1]
        dumps = self.dumps()
        pid = dumps[0].name.split(".")[-4]
        self.assertRegex(done.stderr, rf"the {len(dumps)} dumps are "
                                      rf"python\S*\.{pid}\.\*\.heap\n")
        totals = [self.total(dump) for dump in dumps]
        self.assertGreater(max(totals), 5_000_000)
        self.assertGreater(self.total(self.folder / shown), totals[-1])

    def test_static_programs(self):
        static = self.folder / "static"
        self.build(static, "-static")
        done = self.record(static, "exit")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it is static, so nothing can be preloaded", done.stderr)
        self.assertEqual(done.stdout, "")
        archive = "/usr/lib/x86_64-linux-gnu/libjemalloc.a"
        if not os.path.exists(archive):
            return
        flags = [archive, "-ldl", "-lm"]
        # With the functions of jemalloc in the program, no library is needed.
        dynamic = self.folder / "dynamic"
        self.build(dynamic, *flags)
        done = self.record(dynamic, "exit")
        self.assertEqual(done.returncode, 3)
        self.assertIn("with the jemalloc in the program", done.stderr)
        self.assert_one_dump()
        self.dumps()[0].unlink()
        subprocess.run(["strip", str(dynamic)], check=True)
        done = self.record(dynamic, "exit")
        self.assertEqual(done.returncode, 3)
        self.assertIn("is stripped: only jemalloc", done.stderr)
        self.assertRegex(self.dumps()[0].name, r"\.f\.heap$")

    def test_linked_jemalloc_without_profiler(self):
        """It answers that it has none; --jemalloc names one that has."""
        source = self.folder / "library.c"
        source.write_text("""
            #include <string.h>
            int mallctl(const char* name, void* old, size_t* size, void* value,
                        size_t value_size) {
              if (strcmp(name, "config.prof") != 0) return 2;
              *(char*)old = 0;
              return 0;
            }""")
        library = self.folder / "libjemalloc.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source],
                       check=True)
        linked = self.folder / "linked"
        self.build(linked, "-Wl,--no-as-needed", library)
        done = self.record(linked, "exit")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("there is no dump: the jemalloc that it uses was built "
                      "without --enable-prof; --jemalloc FILE records with "
                      "another\n", done.stderr)
        done = self.record(linked, "exit", options=(
            "--rate=4KiB", "--jemalloc",
            "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assert_one_dump()

    def test_cannot_run(self):
        self.assertEqual(self.record("./nothing").returncode, 127)
        self.assertEqual(self.record("no-such-program").returncode, 127)
        # As in a shell, but with a hint.
        shutil.copy2(self.program, self.folder / "here")
        done = self.record("here")
        self.assertEqual(done.returncode, 127)
        self.assertRegex(done.stderr, "cannot run 'here': no folder in PATH "
                         r"has it; did you mean \./here\?$")
        self.assertRegex(self.record("here --now").stderr,
                         "has it; leave out the quotes around a program ")
        text = self.folder / "text"
        text.write_text("text")
        self.assertEqual(self.record("./text").returncode, 126)
        done = self.record(self.program, options=("-o", "text/dumps"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write dumps to ", done.stderr)
        self.assertEqual(done.stdout, "")
        done = self.record(self.program, options=("--jemalloc", str(text)))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("expected a jemalloc library", done.stderr)
        self.assertEqual(self.record(options=()).returncode, 2)
        done = self.record(self.program, options=("--every=5",))
        self.assertEqual(done.returncode, 2)
        self.assertIn("--every: expected a time such as 30s", done.stderr)

    def test_advises_other_options_than_those_used(self):
        advice = "if the program frees its memory before it ends, "
        done = self.record("/bin/true", options=())
        self.assertIn(advice + "use 'heapprof record --every 30s'", done.stderr)
        done = self.record("/bin/true", options=("--every=10s",))
        self.assertIn(advice + "dump more often", done.stderr)

    def test_dumps_that_cannot_be_written(self):
        folder = self.folder / "dumps"
        folder.mkdir()
        done = self.record(self.program, "system", f"rmdir {folder}; exit 3",
                           options=("-o", str(folder)))
        self.assertEqual(done.returncode, 3)
        self.assertIn("there is no dump: cannot write ", done.stderr)
        self.assertIn("No such file or directory", done.stderr)

    def test_failures_are_said_at_once_and_only_a_few(self):
        folder = self.folder / "dumps"
        folder.mkdir()
        process, pid = self.start_program(
            "nap", options=("--every=500ms", "-o", str(folder)))
        shutil.rmtree(folder)
        for line in process.stderr:
            if "warning: cannot write" in line:
                break
        time.sleep(3)
        folder.mkdir()
        os.kill(pid, signal.SIGTERM)
        messages = process.communicate(timeout=60)[1]
        self.assertEqual(messages.count("cannot write"), 3, messages)
        self.assertRegex(messages, r"heap: No such file or directory \(and \d+ "
                                   r"more of this kind\)\n")

    def test_dump_that_does_not_fit(self):
        # A write that ends at the limit is short, and jemalloc accepts that.
        script = self.script(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f 8\n"
                             f"exec {self.program} exit\n")
        done = self.record(script)
        self.assertEqual(done.returncode, 3)
        self.assertIn("is the disk full?", done.stderr)
        self.assertEqual(list(self.folder.glob("*.heap*")), [])

    def test_dump_that_fits_without_the_files_of_rss(self):
        self.folder.joinpath("dumps").mkdir()
        # usage: sh -c SCRIPT sh BYTES COMMAND...
        command = ("unshare", "--map-root-user", "--mount", "sh", "-ec",
                   'mount -t tmpfs -o "size=$1" none dumps; shift; "$@" || :; '
                   "ls --size --block-size=1 dumps", "sh")
        if subprocess.run([*command, "4096", "true"], cwd=self.folder,
                          stdout=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("mounting is not allowed")

        def record(size):
            """Returns the sizes of the files that a disk of this size got."""
            done = subprocess.run(
                [*command, str(size), recorded.HEAPPROF, "record",
                 "--rss", "--quiet", "--rate=4KiB", "-o", "dumps/", "--",
                 self.program, "exit"],
                cwd=self.folder, env=self.environment, text=True, timeout=60,
                stdout=subprocess.PIPE, check=True)
            rows = re.findall(r"^ *(\d+) .*\.r0\.(.*)", done.stdout, re.M)
            return {name: int(size) for size, name in rows}

        page = 4096
        files = record(64 << 20)
        dump = files["heap"]
        rest = sum(files.values()) - dump
        self.assertEqual(len(files), 4, files)
        for size in range(rest - 2 * page, rest + dump + 2 * page, page):
            files = record(size)
            self.assertIn("heap", files)
            self.assertIn(len(files), (1, 4), files)

    def test_messages(self):
        done = self.record(self.program, options=("--rate=3000", "-o", "a/b"))
        self.assertIn("--rate: rounded to 4 KiB", done.stderr)
        self.assertRegex(done.stderr, r"the dump is a/b\.\d+\.0\.r0\.heap\n")
        done = self.record(self.program, options=("--quiet", "-o", "a/"))
        self.assertEqual(done.stderr, "")
        self.assertEqual(len(self.dumps(pathlib.Path(self.folder, "a"))), 2)
        shutil.rmtree(self.folder / "a")


recorded.main()
