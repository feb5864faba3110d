// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {
  arrowHead, bendsOf, pathOf, placeLabels,
} from "../../src/report/assets/html/edge_lines.js";
import {layeredLayout} from "../../src/report/assets/html/layered_layout.js";

const BOX = {width: 230, height: 50, gap: 18, rise: 62};

test("lines are straight beside boxes and end in an arrow head", () => {
  const bends = bendsOf(
      [{x: 0, y: 25}, {x: 50, y: 137}, {x: 50, y: 249}], BOX.height);
  assert.deepEqual(bends, [{from: {x: 0, y: 50}, to: {x: 50, y: 112}},
                           {from: {x: 50, y: 162}, to: {x: 50, y: 224}}]);
  assert.equal(pathOf(bends),
               "M0.0 50.0C0.0 81.0 50.0 81.0 50.0 112.0" +
               "L50.0 162.0C50.0 193.0 50.0 193.0 50.0 224.0");
  assert.equal(arrowHead(bends), "M46.0 216.0h8L50.0 224.0z");
});

test("a call of a caller leads upwards", () => {
  const bends = bendsOf([{x: 0, y: 137}, {x: 50, y: 25}], BOX.height);
  assert.deepEqual(bends, [{from: {x: 0, y: 112}, to: {x: 50, y: 50}}]);
  assert.equal(arrowHead(bends), "M46.0 58.0h8L50.0 50.0z");
});

/** Where the text of a label is. */
const rectOf = ({x, y, width}) =>
  ({left: x, right: x + width, top: y - 9, bottom: y + 3});

const overlap = (a, b) => a.left < b.right && b.left < a.right &&
  a.top < b.bottom && b.top < a.bottom;

test("labels overlap neither each other nor boxes", () => {
  let seed = 1;
  const random = (below) => {
    seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
    return Math.floor((seed >>> 8) / 2 ** 24 * below);
  };
  for (let round = 0; round < 20; ++round) {
    const count = 10 + random(50);
    const edges = Array.from({length: 2 * count}, () =>
      ({from: random(count), to: random(count)}))
        .filter(({from, to}) => from !== to);
    const layout = layeredLayout(count, edges, BOX);
    const labels = placeLabels(
        layout.lines.map((line) =>
          ({bends: bendsOf(line, BOX.height), thickness: 2,
            width: 30 + random(40)})),
        layout.width);
    const placed = labels.filter((label) => label !== null).map(rectOf);
    const boxes = layout.boxes.map(({x, y}) => ({
      left: x - BOX.width / 2, right: x + BOX.width / 2,
      top: y - BOX.height / 2, bottom: y + BOX.height / 2}));
    assert.ok(placed.length > 0.9 * edges.length,
              `${placed.length} of ${edges.length} labels`);
    placed.forEach((label, i) => {
      assert.ok(label.left >= 0 && label.right <= layout.width);
      for (const other of [...placed.slice(0, i), ...boxes])
        assert.ok(!overlap(label, other));
    });
  }
});

test("a label without room is left out", () => {
  const bends = [{from: {x: 50, y: 0}, to: {x: 50, y: 62}}];
  const labels = placeLabels(
      Array.from({length: 20}, () => ({bends, thickness: 2, width: 40})), 100);
  assert.ok(labels[0]);
  assert.equal(labels.filter((label) => label).length, 8);
});
