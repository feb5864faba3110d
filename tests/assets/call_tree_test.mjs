// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";
import {mergeRecursion} from "../../src/report/assets/html/merge.js";

/** Labels by depth: [label, depth]... after the root. */
const treeOf = (...nodes) => new CallTree(
    Uint32Array.from([0, ...nodes.map(([label]) => label)]),
    Uint32Array.from([0, ...nodes.map(([, depth]) => depth)]));

test("links nodes of a preorder", () => {
  const tree = treeOf([1, 1], [2, 2], [3, 2], [4, 1]);
  assert.deepEqual([...tree.parent], [0, 0, 1, 1, 0]);
  assert.deepEqual([...tree.end], [5, 4, 3, 4, 5]);
  assert.deepEqual(tree.children(0), [1, 4]);
  assert.deepEqual(tree.path(3), [1, 3]);
  assert.deepEqual([...tree.totals(Float64Array.of(1, 2, 4, 8, 16))],
                   [31, 14, 4, 8, 16]);
});

test("steps give the same tree as depths", () => {
  const label = Uint32Array.of(0, 1, 2, 3, 4);
  const tree = CallTree.fromSteps(label, Uint32Array.of(0, 0, 0, 1, 2));
  assert.deepEqual([...tree.depth], [0, 1, 2, 2, 1]);
});

test("finds the outermost matches", () => {
  const tree = treeOf([1, 1], [2, 2], [1, 3], [2, 1]);
  assert.deepEqual(tree.outermost(Uint8Array.of(0, 0, 1)), [2, 4]);
  assert.deepEqual(tree.outermost(Uint8Array.of(0, 1, 0)), [1]);
});

test("a recursive call returns to where its function is", () => {
  // main, f, g, f, h becomes main, f, h beside main, f, g.
  const tree = treeOf([1, 1], [2, 2], [3, 3], [2, 4], [4, 5]);
  const {tree: merged, target, first} = mergeRecursion(tree);
  assert.deepEqual([...merged.label], [0, 1, 2, 3, 4]);
  assert.deepEqual([...merged.depth], [0, 1, 2, 3, 3]);
  assert.deepEqual([...target], [0, 1, 2, 3, 2, 4]);
  assert.deepEqual([...first], [0, 1, 2, 3, 5]);
});
