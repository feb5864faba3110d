# SPDX-License-Identifier: Apache-2.0
"""Runs $HEAPPROF, for tests of what holds for all reports."""

import os
import subprocess
from typing import NamedTuple


class Report(NamedTuple):
    status: int
    text: str
    messages: str


def run(*arguments: str) -> Report:
    done = subprocess.run(
        [os.environ["HEAPPROF"], *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return Report(done.returncode, done.stdout, done.stderr)


def is_sampled(dump: str) -> bool:
    """True if values are not integers, so that printing truncates each."""
    with open(dump, encoding="utf-8", errors="replace") as file:
        return file.readline() != "heap_v2/1\n"
