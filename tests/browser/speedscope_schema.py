#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks files for speedscope against the schema in its npm package."""

import json
import os
import pathlib
import subprocess

from jsonschema import Draft7Validator

DUMPS = pathlib.Path(os.environ["E2E"])
RELEASE = pathlib.Path(os.environ["NODE_MODULES"], "speedscope/dist/release")
COMMANDS = [
    [DUMPS / "dumps/inlining.gcc-O2.heap"],
    [DUMPS / "sampled/quickstart.gcc-O2.heap"],
    ["--lines", DUMPS / "dumps/inlining.gcc-O2.heap"],
    ["--thread=*", DUMPS / "dumps/threads.gcc-O2.heap"],
    ["--focus=nothing", DUMPS / "dumps/inlining.gcc-O2.heap"],
    [
        f"--base={DUMPS}/dumps/growth.grown.heap",
        DUMPS / "dumps/growth.first.heap",
    ],
]


def main() -> None:
    schema = json.loads((RELEASE / "file-format-schema.json").read_text())
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    assert not validator.is_valid({"profiles": []}), "the schema demands nothing"
    for command in COMMANDS:
        written = subprocess.run(
            [os.environ["HEAPPROF"], "--quiet", "--speedscope", *command],
            check=True,
            capture_output=True,
        )
        validator.validate(json.loads(written.stdout))


main()
