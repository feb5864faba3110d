#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/release_notes.py in a small repository."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = (pathlib.Path(__file__).resolve().parents[2] / "scripts" /
          "release_notes.py")
IDENTITY = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@a"}


class ReleaseNotesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.run_here("git", "init", "--quiet")

    def run_here(self, *command: str) -> str:
        return subprocess.run(command, cwd=self.root, check=True, text=True,
                              capture_output=True,
                              env=os.environ | IDENTITY).stdout

    def commit(self, subject: str, path: str):
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(subject)
        self.run_here("git", "add", path)
        self.run_here("git", "commit", "--quiet", "-m", subject)

    def notes(self) -> str:
        return self.run_here(sys.executable, str(SCRIPT), "1.2")

    def test_sorts_subjects_by_their_first_words(self):
        self.commit("Show trees", "src/a")
        self.commit("Say less", "src/b")
        self.commit("Do not copy", "include/c")
        self.commit("Add trends", "proto/d")
        self.assertEqual(self.notes(), """\
# heapprof 1.2

## Added

- Add trends
- Show trees

## Changed

- Say less

## Fixed

- Do not copy
""")

    def test_leaves_out_what_users_do_not_see(self):
        self.commit("Say less", "src/a")
        self.commit("Add a test", "tests/b")
        self.commit("Fix a script", "scripts/c")
        self.assertEqual(self.notes(),
                         "# heapprof 1.2\n\n## Changed\n\n- Say less\n")

    def test_begins_after_the_last_tag(self):
        self.commit("Add trends", "src/a")
        self.run_here("git", "tag", "v1.1")
        self.commit("Fix trends", "src/a")
        self.assertEqual(self.notes(),
                         "# heapprof 1.2\n\n## Fixed\n\n- Fix trends\n")


unittest.main()
