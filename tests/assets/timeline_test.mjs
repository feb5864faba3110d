// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {
  shortDumpNames, tickStep,
} from "../../src/report/assets/html/time_chart.js";
import {Timeline} from "../../src/report/assets/html/timeline.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

// all: leak(1), steady(2), freed(3)
const tree = new CallTree(Uint32Array.of(0, 1, 2, 3), Uint32Array.of(0, 1, 1, 1));

/** The labels that grew. @param {...number[]} dumps  by node 1, 2, 3 */
function grown(...dumps) {
  const timeline = new Timeline({
    tree, labels: ["", "leak", "steady", "freed"], header: {dumps},
    sparse: (_, {index}) => ({node: Uint32Array.of(1, 2, 3),
                              self: Float64Array.from(dumps[index])}),
  }, 0, null);
  return timeline.growth().map(({label, first, last}) => [label, last - first]);
}

test("the functions that grew most come first", () => {
  assert.deepEqual(grown([100, 500, 0], [0, 0, 0], [1100, 700, 0]),
                   [[1, 1000], [2, 200]]);
});

test("what is rounded to another number did not grow", () => {
  assert.deepEqual(grown([0, 50_000, 0], [40_000, 50_001, 0]),
                   [[1, 40_000]]);
  assert.deepEqual(grown([0, 50_000, 9000], [0, 50_001, 0]), []);
});

test("the names of dumps below a chart tell them apart", () => {
  assert.deepEqual(shortDumpNames(["app.12.0.r0.heap", "app.12.0007.i7.heap"]),
                   ["0", "0007"]);
  assert.deepEqual(shortDumpNames(["app.12.0.f.heap", "app.34.0.f.heap"]),
                   ["12.0.f", "34.0.f"]);
  assert.deepEqual(shortDumpNames(["app-old.heap.bz2", "app-new.heap.gz"]),
                   ["old", "new"]);
  assert.deepEqual(shortDumpNames(["a.heap", "b.34.0.f.heap"]),
                   ["a", "b.34.0.f"]);
});

test("a chart has three to six ticks at round numbers", () => {
  const KIB = 1024, MIB = 1024 * KIB;
  assert.equal(tickStep(5 * MIB, 1024), MIB);
  assert.equal(tickStep(5.1 * MIB, 1024), 2 * MIB);
  assert.equal(tickStep(3000 * KIB, 1024), MIB);
  assert.equal(tickStep(3000, 1000), 1000);
  assert.equal(tickStep(10_000_000, 1000), 2_000_000);
  assert.equal(tickStep(1, 1000), 1);
});
