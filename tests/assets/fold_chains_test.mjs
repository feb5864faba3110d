// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {foldChains} from "../../src/report/assets/html/fold_chains.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

// all > 1 > 2 > {3 > 4, 5 > 4}; 6 holds nothing
const tree = new CallTree(Uint32Array.of(0, 1, 2, 3, 4, 5, 4, 6),
                          Uint32Array.of(0, 1, 2, 3, 4, 3, 4, 1));
const self = Float64Array.of(0, 0, 0, 0, 8, 0, 4, 0);
const values = {self, total: tree.totals(self), baseSelf: null,
                baseTotal: null};

test("a chain is its innermost own call, or its innermost call", () => {
  const folded = foldChains(tree, values, (label) => label === 3);
  assert.deepEqual([...folded.tree.label], [0, 2, 3, 4]);
  assert.deepEqual([...folded.tree.depth], [0, 1, 2, 2]);
  assert.deepEqual([...folded.first], [0, 2, 3, 6]);
  assert.deepEqual(folded.calls, [1, 2, 2, 2]);
  assert.deepEqual([...folded.target], [0, 1, 1, 2, 2, 3, 3, -1]);
});

test("calls that hold memory themselves do not vanish", () => {
  const some = Float64Array.of(0, 0, 1, 0, 8, 0, 4, 0);
  const folded = foldChains(tree, {...values, self: some,
                                   total: tree.totals(some)}, () => false);
  assert.deepEqual([...folded.tree.label], [0, 2, 4, 4]);
});

test("in a comparison, both sides must be the same", () => {
  const base = Float64Array.of(0, 1, 0, 0, 0, 0, 0, 0);
  const folded = foldChains(
      tree, {...values, baseSelf: base, baseTotal: tree.totals(base)},
      () => false);
  assert.deepEqual([...folded.tree.label], [0, 1, 2, 4, 4]);
});

test("frames of groups keep a row of their own", () => {
  const folded = foldChains(tree, values, () => false, [1]);
  assert.deepEqual([...folded.tree.label], [0, 1, 2, 4, 4]);
  assert.deepEqual(folded.calls, [1, 1, 1, 2, 2]);
});
