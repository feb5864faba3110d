// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import {FlameFrames} from "../../src/report/assets/flamegraph/frames.js";

/** Three frames that have grown by 60, each with the same error. */
const framesOf = (data) => new FlameFrames({
  names: ["f", "g", "h"], short: [0, 0, 0], modules: [""], module: [0, 0, 0],
  color: [0, 0, 0], own: [0, 0, 0], label: [-1, 0, 1, 2], depth: [0, 1, 1, 1],
  now: [0, 100, 100, 100], before: [0, 40, 40, 40], changed: [],
  others: [], unit: "B", side: 0, inverted: false, fixed: false, least: 1,
  levels: 10, ...data,
});
const errors = (size) =>
  ({below: Array(4).fill(size), above: Array(4).fill(size)});
const hasChanged = (frames, parts) => frames.sumOf(parts).hasChanged;

test("a sum may have changed though no part is proven to", () => {
  const frames = framesOf({...errors(70), strictness: 1});
  assert.equal(hasChanged(frames, [1]), false);
  assert.equal(hasChanged(frames, [1, 2, 3]), true);
  assert.equal(hasChanged(framesOf({...errors(70), strictness: 2}), [1, 2, 3]),
               false);
});

test("a single frame has changed if the file says so", () => {
  const frames = framesOf({...errors(59), changed: [2], strictness: 2});
  assert.equal(hasChanged(frames, [1]), false);
  assert.equal(hasChanged(frames, [2]), true);
});

test("without errors, a sum has changed if all parts have alike", () => {
  const grown = framesOf({changed: [2, 3], strictness: 1});
  assert.equal(hasChanged(grown, [1, 2, 3]), false);
  assert.equal(hasChanged(grown, [2, 3]), true);
  const mixed = {now: [0, 100, 100, 0], changed: [2, 3], strictness: 1};
  assert.equal(hasChanged(framesOf(mixed), [2, 3]), false);
});

test("if nothing is chance, each sum has changed", () => {
  assert.equal(hasChanged(framesOf({}), [1, 2]), true);
});
