#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program has the terminal: input, Ctrl-C and job control."""

import os
import pty
import select
import signal
import time

import recorded


class TerminalTest(recorded.RecordTest):
    def setUp(self):
        super().setUp()
        # A shell with job control, as a user has it, but without an editor of
        # its own, which sometimes loses what is typed just after the prompt.
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            self.environment["PS1"] = "ready "
            os.execve("/bin/bash", ["bash", "--norc", "--noediting", "-i"], self.environment)
        self.addCleanup(self.leave, pid)
        self.read_until(b"ready ")

    def leave(self, pid):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(self.terminal)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, text):
        seen = b""
        end = time.monotonic() + 60
        while text not in seen:
            self.assertLess(time.monotonic(), end, seen)
            if select.select([self.terminal], [], [], 1)[0]:
                seen += os.read(self.terminal, 4096)
        return seen

    def wait_for_prompt(self, text):
        """Waits for `text` and then for the shell, which drops what is typed
        before its prompt."""
        seen = self.read_until(text)
        if b"ready " not in seen.partition(text)[2]:
            self.read_until(b"ready ")
        return seen

    def test_interrupt(self):
        self.type(f"{recorded.HEAPPROF} record {self.program} nap\n")
        self.read_until(b"\nnap ")
        self.type("\x03")
        self.wait_for_prompt(b"the dump is ")
        self.type("echo =$?=\n")
        self.read_until(b"=130=")
        self.assertEqual(len(self.dumps()), 1)

    def test_shell_waits_until_the_program_has_stopped(self):
        (self.folder / "slow.sh").write_text("""
trap 'sleep 1; echo stops now; trap - TSTP; kill -TSTP 0; echo goes on' TSTP
echo waits
read -r line || read -r line
""")
        self.type(f"{recorded.HEAPPROF} record sh slow.sh\n")
        self.read_until(b"waits")
        self.type("\x1a")
        self.assertIn(b"stops now", self.wait_for_prompt(b"Stopped"))
        self.type("fg\n")
        self.read_until(b"goes on")
        self.type("\n")  # if it came to a stop before it began to read
        self.read_until(b"the dump is ")

    def test_input_and_jobs(self):
        self.type(f"{recorded.HEAPPROF} record sh -c "
                  "'read -r a; echo +$a+; read -r b; echo =$b='\n")
        self.read_until(b"recording with ")
        self.type("one\n")
        self.read_until(b"+one+")
        self.type("\x1a")
        self.wait_for_prompt(b"Stopped")
        self.type("fg\n")
        self.read_until(b"record sh")
        self.type("two\n")
        self.assertIn(b"=two=", self.read_until(b"the dump is "))


recorded.main()
