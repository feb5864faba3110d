#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads flame graphs, ours and those of flamegraph.pl.

usage: read_flamegraph.py compare OURS THEIRS LEAST
       read_flamegraph.py check|sums OURS

compare  fails unless both have the same frames, by depth and path, with the
         same width and value; frames narrower than LEAST pixels are left out.
         Prints how many frames were compared.
check    fails unless the boxes fit into their parents, and texts into their
         boxes
sums     prints the totals: now, before, the sum of all differences, the number
         of frames in the file and that of folded ones
"""

import collections
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

SVG = "{http://www.w3.org/2000/svg}"
ROUNDING = 0.011  # pixels


class Box(NamedTuple):
    """A rectangle; `name` is empty for those that sum up others."""

    depth: int
    x: float
    width: float
    value: float
    name: str
    text: str = ""


class Frames:
    """The frames in the data of our file."""

    def __init__(self, root: ElementTree.Element) -> None:
        element = next(e for e in root.iter(SVG + "script") if e.get("id"))
        self.data = json.loads(element.text)
        self.depth = self.data["depth"]
        self.self = [self.data["now"], self.data.get("before")]
        if self.self[1] is None:
            self.self[1] = [0] * len(self.depth)
        self.total = [list(values) for values in self.self]
        parents = self.parents()
        for totals in self.total:
            for i in range(len(totals) - 1, 0, -1):
                totals[parents[i]] += totals[i]

    def parents(self) -> list[int]:
        """The index of the parent of each frame."""
        path: list[int] = []
        parents = []
        for i, depth in enumerate(self.depth):
            del path[depth:]
            parents.append(path[-1] if path else 0)
            path.append(i)
        return parents

    def name(self, i: int) -> str:
        label = self.data["label"][i]
        return "all" if i == 0 else self.data["names"][label]


def read_ours(root: ElementTree.Element) -> list[Box]:
    frames = Frames(root)
    group = next(e for e in root.iter(SVG + "g") if e.get("id") == "frames")
    boxes = []
    rows = {}
    for element in group:
        rects = [element] if element.tag == SVG + "rect" else list(element)
        rect = rects[0]
        if rect.get("class") in ("folded", "new"):
            continue  # drawn over the last one
        text = element.findtext(SVG + "text") or ""
        place = {k: float(rect.get(k)) for k in ("x", "y", "width")}
        index = rect.get("data-i")
        rows[place["y"]] = None
        name = "" if index is None else frames.name(int(index))
        side = frames.data["side"]
        value = 0 if index is None else frames.total[side][int(index)]
        boxes.append((place, value, name, text))
    top, bottom = min(rows), max(rows)
    inverted = frames.data["inverted"]
    return [
        Box(round((p["y"] - top if inverted else bottom - p["y"]) / 16),
            p["x"], p["width"], value, name, text)
        for p, value, name, text in boxes
    ]


def read_theirs(root: ElementTree.Element) -> list[Box]:
    boxes = []
    for group in root.iter(SVG + "g"):
        title = group.findtext(SVG + "title")
        rect = group.find(SVG + "rect")
        name, value = re.fullmatch(
            r"(.*) \(([\d,]+) samples, [\d.]+%\)", title, re.DOTALL
        ).groups()
        boxes.append((rect, int(value.replace(",", "")), name))
    root_y = next(float(r.get("y")) for r, _, name in boxes if name == "all")
    return [
        Box(round(abs(float(rect.get("y")) - root_y) / 16),
            float(rect.get("x")), float(rect.get("width")), value, name)
        for rect, value, name in boxes
    ]


def parents_of(boxes: list[Box], tolerance: float) -> dict[Box, Box]:
    """Finds for each box the one of the level below that contains it."""
    levels = collections.defaultdict(list)
    for box in boxes:
        levels[box.depth].append(box)
    parents = {}
    for depth, level in levels.items():
        below = sorted(b for b in levels[depth - 1] if b.name) if depth else []
        below.sort(key=lambda b: b.x)
        at = 0
        for box in sorted(level, key=lambda b: b.x):
            middle = box.x + box.width / 2
            while at + 1 < len(below) and below[at + 1].x <= middle + 1e-9:
                at += 1
            if below:
                parents[box] = below[at]
                fits = (box.x >= below[at].x - tolerance and box.x + box.width
                        <= below[at].x + below[at].width + tolerance)
                if not fits:
                    sys.exit(f"{box} is not inside {below[at]}")
            elif depth:
                sys.exit(f"{box} has nothing below it")
    return parents


# The path of a frame, and its width and value. A frame that flamegraph.pl has
# split is put together again.
Frames_by_path = dict[str, list[float]]


def by_path(boxes: list[Box], tolerance: float) -> Frames_by_path:
    parents = parents_of(boxes, tolerance)
    paths: dict[Box, str] = {}
    merged: Frames_by_path = {}
    for box in sorted(boxes):
        if not box.name:
            continue
        below = paths[parents[box]] + ";" if box in parents else ""
        # flamegraph.pl replaces these characters.
        name = box.name.translate(str.maketrans("<>", "()"))
        paths[box] = below + name
        sums = merged.setdefault(paths[box], [0, 0])
        sums[0] += box.width
        sums[1] += box.value
    return merged


def compare(ours: Frames_by_path, theirs: Frames_by_path, least: float) -> None:
    total = ours["all"][1]
    for path in ours.keys() | theirs.keys():
        (width, value), (their_width, their_value) = (
            frames.get(path, (0, 0)) for frames in (ours, theirs)
        )
        if max(width, their_width) < least + 0.1:
            continue  # may be left out due to rounding
        # They round both edges to tenths of a pixel, and add up whole values.
        if (abs(width - their_width) > 0.11
                or abs(value - their_value) > 1 + 1e-6 * total):
            sys.exit(f"{path} has the width {width} and the value {value} "
                     f"instead of {their_width} and {their_value}")
    print(len(ours))


def check(root: ElementTree.Element) -> None:
    boxes = read_ours(root)
    parents = parents_of(boxes, ROUNDING)
    children = collections.defaultdict(list)
    for box, parent in parents.items():
        children[parent].append(box)
    for parent, above in children.items():
        kept = [box for box in above if box.name]
        if sum(b.width for b in kept) > parent.width + ROUNDING * len(kept):
            sys.exit(f"the boxes on {parent} are too wide")
        if len(above) - len(kept) > 1:
            sys.exit(f"{parent} has more than one box of others")
    for box in boxes:
        if len(box.text) * 6.6 > box.width:
            sys.exit(f"the text of {box} does not fit")


def print_sums(root: ElementTree.Element) -> None:
    frames = Frames(root)
    now, before = (sum(values) for values in frames.self)
    changes = sum(n - b for n, b in zip(*frames.self))
    folded = sum(count for _, count in frames.data["others"])
    print(now, before, changes, len(frames.depth), folded)


def main() -> None:
    what, *paths = sys.argv[1:]
    root = ElementTree.parse(paths[0]).getroot()
    if what == "compare":
        theirs = ElementTree.parse(paths[1]).getroot()
        compare(by_path(read_ours(root), ROUNDING),
                by_path(read_theirs(theirs), 0.11), float(paths[2]))
    elif what == "check":
        check(root)
    else:
        print_sums(root)


if __name__ == "__main__":
    main()
