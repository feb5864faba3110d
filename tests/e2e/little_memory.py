# SPDX-License-Identifier: Apache-2.0
"""Runs heapprof where memory, mappings or threads run out.

usage: little_memory.py HEAPPROF LIBRARY KIND FIRST LAST STEP ARGUMENT...

KIND says what runs out at FIRST, FIRST + STEP, ... LAST:

  limit        address space, at so many KiB
  allocation   the allocation of that number, and no other
  allocations  that one and all later ones
  mapping      the mmap of that number
  threads      every thread of that number, and its multiples

LAST may be "all" where calls are counted. LIBRARY is failing_calls.so. Each
run must end with the report of an undisturbed one and status 0, or with
nothing but one line "heapprof: error: ..." and status 1. Without threads, it
must end with the report. Nothing else is required, because what a limit leaves
depends on the system.
"""

import os
import resource
import subprocess
import sys

SECONDS = 60
VARIABLES = {
    "allocation": "FAIL_ALLOCATION",
    "allocations": "FAIL_ALLOCATIONS",
    "mapping": "FAIL_MAPPING",
    "threads": "FAIL_THREADS",
}
# Messages of ld.so have nothing to do with heapprof.
LOADER_STATUS = 127


def run(
    command: list[str], library: str, kind: str, number: int
) -> subprocess.CompletedProcess[bytes]:
    environment = dict(os.environ)
    if kind in VARIABLES:
        environment["LD_PRELOAD"] = library
        environment[VARIABLES[kind]] = str(number)

    def limit() -> None:
        if kind == "limit":
            size = number << 10
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        env=environment,
        preexec_fn=limit,
        timeout=SECONDS,
    )


def count_allocations(command: list[str], library: str) -> int:
    environment = dict(os.environ, LD_PRELOAD=library, COUNT_ALLOCATIONS="2")
    done = subprocess.run(
        command, capture_output=True, check=True, env=environment
    )
    return int(done.stderr.split()[-1])


def problem_of(
    done: subprocess.CompletedProcess[bytes], report: bytes, must_work: bool
) -> str:
    """What is wrong with a run; empty if nothing is."""
    if done.returncode == 0:
        return "" if done.stdout == report else "another report, status 0"
    if done.returncode == LOADER_STATUS:
        return ""
    if done.returncode != 1 or must_work:
        return f"status {done.returncode}"
    if done.stdout not in (b"", report):
        return "a part of the report"
    errors = [
        line for line in done.stderr.splitlines() if b" warning: " not in line
    ]
    if len(errors) != 1 or not errors[0].startswith(b"heapprof: error: "):
        return f"{len(errors)} lines instead of one error"
    if b"internal" in errors[0] or b"bad_alloc" in errors[0]:
        return "a line that says nothing"
    return ""


def main(
    heapprof: str,
    library: str,
    kind: str,
    first: str,
    last: str,
    step: str,
    *arguments: str,
) -> int:
    command = [heapprof, *arguments]
    report = run(command, library, "", 0).stdout
    end = count_allocations(command, library) if last == "all" else int(last)
    statuses: dict[int, int] = {}
    problems = 0
    for number in range(int(first), end + 1, int(step)):
        done = run(command, library, kind, number)
        statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
        problem = problem_of(done, report, kind == "threads")
        if problem:
            problems += 1
            text = done.stderr.decode(errors="replace")[-400:]
            print(f"{kind} {number}: {problem}: {text}")
    print(f"{kind} {first}..{end}: runs by status: {sorted(statuses.items())}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
