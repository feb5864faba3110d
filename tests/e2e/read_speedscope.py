#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a file for speedscope as strictly as its format demands.

usage: read_speedscope.py profiles FILE
       read_speedscope.py folded FILE NAME

profiles  Prints the index of the profile that is shown first, then a line
          "TOTAL UNIT NAME" for each profile.
folded    Prints the stacks of the profile NAME as heapprof --collapsed does.

Exits with 1 if the file breaks a rule, and says which.
"""

import json
import sys

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def expect(holds: bool, rule: str) -> None:
    if not holds:
        sys.exit(f"speedscope file: {rule}")


def check_frames(frames: list[dict]) -> None:
    kinds = {"name": str, "file": str, "line": int}
    for frame in frames:
        expect("name" in frame, "each frame has a name")
        for key, value in frame.items():
            expect(type(value) is kinds.get(key), f"'{key}' has its type")
    names = [frame["name"] for frame in frames]
    expect(len(set(names)) == len(names), "each name belongs to one frame")


def check_profile(profile: dict, frame_count: int) -> None:
    keys = {"type", "name", "unit", "startValue", "endValue", "samples"}
    expect(profile.keys() == keys | {"weights"}, "a profile has its members")
    expect(profile["type"] == "sampled", "stacks are samples")
    expect(profile["unit"] in ("bytes", "none"), "the unit is known")
    samples, weights = profile["samples"], profile["weights"]
    expect(len(samples) == len(weights), "each stack has a weight")
    expect(all(type(w) is int and w > 0 for w in weights), "weights are above 0")
    expect(profile["startValue"] == 0, "a profile starts at 0")
    expect(profile["endValue"] == sum(weights), "the weights add up")
    for stack in samples:
        expect(len(stack) > 0, "a stack has frames")
        for frame in stack:
            expect(0 <= frame < frame_count, "a stack has known frames")
    unique = {tuple(stack) for stack in samples}
    expect(len(unique) == len(samples), "stacks are merged")
    expect(samples == sorted(samples), "stacks with the same root are adjacent")


def read(path: str) -> dict:
    with open(path, encoding="ascii") as file:
        document = json.load(file)
    keys = {"$schema", "exporter", "name", "activeProfileIndex", "shared"}
    expect(document.keys() == keys | {"profiles"}, "a file has its members")
    expect(document["$schema"] == SCHEMA, "a file names its schema")
    expect(document["exporter"].startswith("heapprof "), "the exporter is named")
    frames = document["shared"]["frames"]
    check_frames(frames)
    profiles = document["profiles"]
    for profile in profiles:
        check_profile(profile, len(frames))
    used = {f for p in profiles for stack in p["samples"] for f in stack}
    expect(used == set(range(len(frames))), "each frame is in a stack")
    names = [profile["name"] for profile in profiles]
    expect(len(set(names)) == len(names), "the names of profiles are unique")
    expect(
        0 <= document["activeProfileIndex"] < len(profiles),
        "a profile is shown first",
    )
    return document


def print_folded(document: dict, name: str) -> None:
    names = [
        frame["name"].replace(";", ":").replace("\n", " ").replace("\r", " ")
        for frame in document["shared"]["frames"]
    ]
    [profile] = [p for p in document["profiles"] if p["name"] == name]
    for stack, weight in zip(profile["samples"], profile["weights"]):
        print(";".join(names[frame] for frame in stack), weight)


def main() -> None:
    document = read(sys.argv[2])
    if sys.argv[1] == "folded":
        print_folded(document, sys.argv[3])
        return
    print(document["activeProfileIndex"])
    for profile in document["profiles"]:
        print(profile["endValue"], profile["unit"], profile["name"])


main()
