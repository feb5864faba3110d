// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";
import {placeBoxes} from "../../src/report/assets/shared/place_boxes.js";
import {FlameLayout} from "../../src/report/assets/html/flame_layout.js";

// all: 100 bytes; 1: 30, with 2 (20) and 3 (1); 4: 70
const depth = Uint32Array.of(0, 1, 2, 2, 1);
const tree = new CallTree(Uint32Array.of(0, 1, 2, 3, 4), depth);
const sizes = tree.totals(Float64Array.of(0, 9, 20, 1, 70));

test("children stay in order, and what is not shown is one box at the end",
     () => {
  const placed = placeBoxes(tree, sizes, [0], 0, {
    isShown: (node) => sizes[node] > 1});
  assert.deepEqual(placed.map(({node, hidden, start, size}) =>
    [node, hidden, start, size]), [
    [0, [], 0, 100], [1, [], 0, 30], [2, [], 0, 20], [1, [3], 20, 1],
    [4, [], 30, 70]]);
  assert.deepEqual(placed[3].parent, {start: 0, end: 30});
});

test("several siblings begin where they are told to", () => {
  const placed = placeBoxes(tree, sizes, [2, 3], 5, {isShown: () => true});
  assert.deepEqual(placed.map(({node, start}) => [node, start]),
                   [[2, 5], [3, 25]]);
});

test("the largest child comes first in the page", () => {
  const layout = new FlameLayout(tree, sizes);
  const boxes = layout.boxes({start: 0, size: 100}, 1000);
  assert.deepEqual(boxes.map(({node, level, x, width}) =>
    [node, level, x, width]), [
    [0, 0, 0, 1000], [4, 1, 0, 700], [1, 1, 700, 300], [2, 2, 700, 200],
    [3, 2, 900, 10]]);
  assert.deepEqual(layout.spanOf(2), {start: 70, size: 20});
});

test("frames that are too thin to see are folded", () => {
  const many = new CallTree(Uint32Array.of(0, 1, 2, 3),
                            Uint32Array.of(0, 1, 1, 1));
  const [, box] = new FlameLayout(many, Float64Array.of(3, 1, 1, 1))
      .boxes({start: 0, size: 3}, 1);
  assert.deepEqual(box, {node: 0, folded: [1, 2, 3], level: 1, x: 0, width: 1});
});

test("what is outside the window is not placed", () => {
  const boxes = new FlameLayout(tree, sizes).boxes({start: 70, size: 20}, 100);
  assert.deepEqual(boxes.map(({node, x, width}) => [node, x, width]),
                   [[0, -350, 500], [1, 0, 150], [2, 0, 100]]);
});
