// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {Graph} from "../../src/report/assets/html/graph.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

// all(0) > 1 > 2 > {3, 4}; 5 has not changed
const tree = new CallTree(Uint32Array.of(0, 1, 2, 3, 4, 5),
                          Uint32Array.of(0, 1, 2, 3, 3, 1));
const EXACT = {interval: () => null, hasChanged: () => true, countsAll: true};

function graphOf(self, baseSelf) {
  const [now, base] = [self, baseSelf].map((all) => Float64Array.from(all));
  return new Graph(tree, {self: now, total: tree.totals(now), baseSelf: base,
                          baseTotal: tree.totals(base)}, EXACT);
}

test("changes are shown where they divide, the largest first", () => {
  const graph = graphOf([0, 0, 0, 60, 40, 7], [0, 0, 0, 0, 0, 7]);
  assert.deepEqual(graph.forksOfChange(), [2, 3, 4]);
});

test("what shrinks is a change, too", () => {
  const graph = graphOf([0, 0, 0, 0, 5, 7], [0, 0, 0, 80, 0, 7]);
  assert.deepEqual(graph.forksOfChange(), [3, 4]);
});

test("widths of a comparison", () => {
  const graph = graphOf([0, 0, 0, 60, 40, 7], [0, 0, 0, 80, 0, 7]);
  const widths = (kind) => graph.sizes(kind)[0];
  assert.deepEqual(["larger", "new", "old", "change"].map(widths),
                   [127, 107, 87, 60]);
});
