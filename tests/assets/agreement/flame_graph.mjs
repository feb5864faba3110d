// SPDX-License-Identifier: Apache-2.0
//
// The script in a picture draws the boxes and says the words that
// src/view/flame_boxes.cc and src/report/flame_text.cc put into the file.
import assert from "node:assert/strict";
import test from "node:test";
import {FlameFrames} from "../../../src/report/assets/flamegraph/frames.js";
import {FrameText} from "../../../src/report/assets/flamegraph/frame_text.js";
import {dump, unescaped, written} from "./pages.mjs";

const MARGIN = 10;
const WIDTH = 1200 - 2 * MARGIN;

/** The boxes in the file, and the words about some of them. */
function drawnIn(svg) {
  const [, group] = /<g id="frames">\n([^]*?)<\/g>\n<script/.exec(svg);
  return group.trimEnd().split("\n").reduce((boxes, line) => {
    const rect = /<rect class="([^"]*)" x="([^"]*)" y="([^"]*)" width="([^"]*)"/
      .exec(line);
    if (rect)
      boxes.push({color: rect[1], x: Number(rect[2]) - MARGIN,
                  y: Number(rect[3]), width: Number(rect[4]), details: ""});
    const isDetails = line.endsWith("</title></g>");
    if (isDetails) boxes.at(-1).details = unescaped(line.slice(0, -12));
    return boxes;
  }, []);
}

function dataIn(svg) {
  const [, json] = /<script id="data"[^>]*><!\[CDATA\[\n([^]*?)\]\]>/.exec(svg);
  return JSON.parse(json);
}

function agrees(svg) {
  const data = dataIn(svg);
  const frames = new FlameFrames(data);
  const text = new FrameText(data.unit, frames.isComparison);
  const {side, least, levels} = data;
  const boxes = frames.boxesOf(
      {roots: [0], rest: [], side, width: WIDTH, least, levels});
  const drawn = drawnIn(svg);
  assert.equal(boxes.length, drawn.length);
  assert.ok(boxes.length > 5);
  assert.ok(drawn.filter(({details}) => details !== "").length > 2);
  const bottom = Math.max(...drawn.map(({y}) => y));
  boxes.forEach((box, i) => {
    const {color, x, y, width, details} = drawn[i];
    assert.equal(frames.colorOf(box), color, `colour of box ${i}`);
    assert.equal(bottom - 16 * box.level, y, `level of box ${i}`);
    assert.ok(Math.abs(box.x - x) < 0.011, `place of box ${i}`);
    assert.ok(Math.abs(box.width - width) < 0.011, `width of box ${i}`);
    if (details !== "")
      assert.equal(text.details(box.values, frames.total[side][0], side),
                   details, `words of box ${i}`);
  });
}

const sampled = ["--min-width=30", "--base",
  dump("sampled/quickstart.clang-O2"), dump("sampled/quickstart.gcc-O2")];
const grown = ["--base", dump("dumps/growth.first"), dump("dumps/growth.grown")];
for (const [name, args] of Object.entries({
  sampled: [dump("sampled/quickstart.gcc-O2")],
  exact: [dump("dumps/inlining.gcc-O2")],
  "many frames are hidden":
    ["--min-width=30", dump("sampled/quickstart.gcc-O2")],
  "static": [dump("dumps/warehouse.gcc-O2-static")],
  objects: ["--inuse_objects", dump("sampled/quickstart.clang-O2")],
  comparison: grown,
  "comparison of objects": ["--inuse_objects", ...grown],
  "comparison of sampled dumps": sampled,
  "comparison of sampled objects": ["--inuse_objects", ...sampled],
}))
  test(name, () => agrees(written(`${name}.flame.svg`, ...args)));
