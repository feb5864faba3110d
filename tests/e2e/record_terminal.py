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
            self.environment["PS1"] = "$? ready "
            os.execve("/bin/bash", ["bash", "--norc", "--noediting", "-i"], self.environment)
        self.unread = b""
        self.addCleanup(self.leave, pid)
        self.read_until(b"ready ")

    def leave(self, pid):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(self.terminal)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def sees(self, text, seconds):
        """Returns whether `text` comes, and keeps what comes after it."""
        end = time.monotonic() + seconds
        while text not in self.unread and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                self.unread += os.read(self.terminal, 4096)
        if text not in self.unread:
            return False
        self.unread = self.unread.partition(text)[2]
        return True

    def read_until(self, text):
        self.assertTrue(self.sees(text, 60), f"{text} is not in {self.unread}")

    def wait_for_shell(self, text):
        """Waits for `text` and then for the shell. While it takes the terminal
        back, it may lose what is typed, so it is asked until it answers."""
        self.read_until(text)
        for _ in range(12):
            self.type("echo =$((6 * 7))=\n")
            if self.sees(b"=42=", 5):
                return
        self.fail(f"the shell does not answer: {self.unread}")

    def test_interrupt(self):
        self.type(f"{recorded.HEAPPROF} record {self.program} nap\n")
        self.read_until(b"\nnap ")
        self.type("\x03")
        self.read_until(b"the dump is ")
        self.read_until(b"130 ready ")
        self.assertEqual(len(self.dumps()), 1)

    def test_input_and_jobs(self):
        self.type(f"{recorded.HEAPPROF} record sh -c "
                  "'read -r a; echo +$a+; read -r b; echo =$b='\n")
        self.read_until(b"recording with ")
        self.type("one\n")
        self.read_until(b"+one+")
        self.type("\x1a")
        self.wait_for_shell(b"Stopped")
        self.type("fg\n")
        self.read_until(b"record sh")
        self.type("two\n")
        self.read_until(b"=two=")
        self.read_until(b"the dump is ")


recorded.main()
