#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what has changed since the last tag, as a draft for a person.

usage: release_notes.py VERSION     (in the repository)

The first word of a commit's subject says whether something was added or fixed;
all else has changed. Commits that touch only tests, scripts and the README are
left out.
"""

import re
import subprocess
import sys

HEADINGS = {
    "Added": r"(Add|Complete|Learn|Link|Record|Show|Suggest|Support)\b",
    "Fixed": r"(Allow|Avoid|Bound|Correct|Do not|Escape|Fix|Mend|Refuse|Reject"
             r"|Repair)\b",
    "Changed": "",
}
USERS_FILES = ["src", "include", "proto"]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True,
                          text=True).stdout


def main():
    tags = git("tag", "--merged", "HEAD", "--sort=-creatordate").split()
    since = [f"{tags[0]}..HEAD"] if tags else ["HEAD"]
    subjects = git("log", "--no-merges", "--format=%s", *since, "--",
                   *USERS_FILES).splitlines()
    notes = {heading: [] for heading in HEADINGS}
    for subject in subjects:
        heading = next(name for name, words in HEADINGS.items()
                       if re.match(words, subject))
        notes[heading].append(subject)
    print(f"# heapprof {sys.argv[1]}")
    for heading in ("Added", "Changed", "Fixed"):
        if notes[heading]:
            print(f"\n## {heading}\n")
            print("\n".join(f"- {subject}" for subject in notes[heading]))


main()
