// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {callGraph} from "../../src/report/assets/html/call_edges.js";
import {layeredLayout} from "../../src/report/assets/html/layered_layout.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

// main(0): run(1): a(2) 4 bytes: a(2) 2 bytes; b(3) 8 bytes
const tree = new CallTree(Uint32Array.of(0, 0, 1, 2, 2, 3),
                          Uint32Array.of(0, 1, 2, 3, 4, 3));
const self = Float64Array.of(0, 0, 0, 4, 2, 8);
const values = {self, total: tree.totals(self), baseSelf: null,
                baseTotal: null};

const isOwn = () => true;

/** "1>2": 6 by labels of caller and callee, and which of them skip functions */
function edgesOf(most, base = null) {
  const {nodes, edges} = callGraph(tree, {...values, ...base}, most, isOwn);
  return Object.fromEntries(edges.map(({from, to, value, skips}) =>
    [`${nodes[from].label}>${nodes[to].label}${skips ? " skips" : ""}`,
     value]));
}

test("a stack counts once for a recursive function and its calls", () => {
  const {nodes} = callGraph(tree, values, 10, isOwn);
  const [a] = nodes.filter(({label}) => label === 2);
  assert.deepEqual([a.self, a.total], [6, 6]);
  assert.deepEqual(edgesOf(10), {"1>2": 6, "1>3": 8});
});

test("functions that only pass calls on are left out", () => {
  const {nodes} = callGraph(tree, values, 10, isOwn);
  assert.deepEqual(nodes.map(({label}) => label).sort(), [1, 2, 3]);
});

test("groups are there, though they only pass calls on", () => {
  const {nodes, edges} = callGraph(tree, values, 1, isOwn, [0, 4]);
  assert.deepEqual(nodes.map(({label}) => label), [0, 2]);
  assert.equal(edges.length, 1);
});

test("arrows lead past functions that are left out", () => {
  // main(0): x(1): run(2): a(3) 4 bytes; main itself 9 bytes
  const long = new CallTree(Uint32Array.of(0, 0, 1, 2, 3),
                            Uint32Array.of(0, 1, 2, 3, 4));
  const own = Float64Array.of(0, 9, 0, 0, 4);
  const {nodes, edges} = callGraph(
      long, {self: own, total: long.totals(own), baseSelf: null,
             baseTotal: null}, 10, isOwn);
  assert.deepEqual(nodes.map(({label}) => label), [0, 3]);
  assert.deepEqual(edges,
                   [{from: 0, to: 1, value: 4, base: 0, skips: true}]);
});

test("a function of others that stands alone gets its nearest own caller", () => {
  // start(0): main(1): load(2): read(3): alloc(4): alloc; save(5): alloc
  const deep = new CallTree(Uint32Array.of(0, 0, 1, 2, 3, 4, 4, 5, 4),
                            Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 3, 4));
  const labelsOf = (...bytes) => {
    const own = Float64Array.of(0, 0, 0, 0, 0, 0, bytes[0], 0, bytes[1]);
    const {nodes} = callGraph(
        deep, {self: own, total: deep.totals(own), baseSelf: null,
               baseTotal: null}, 1, (label) => [1, 2, 5].includes(label));
    return nodes.map(({label}) => label);
  };
  assert.deepEqual(labelsOf(9, 0), [4, 2]);
  assert.deepEqual(labelsOf(4, 9), [4, 5]);
});

test("both sides of a comparison are there", () => {
  const baseSelf = Float64Array.of(0, 0, 0, 16, 0, 0);
  const {nodes, edges} = callGraph(
      tree, {...values, baseSelf, baseTotal: tree.totals(baseSelf)}, 10,
      isOwn);
  const [a] = nodes.filter(({label}) => label === 2);
  assert.deepEqual([a.total, a.baseTotal], [6, 16]);
  assert.ok(edges.some(({value, base}) => value === 6 && base === 16));
});

const SIZES = {width: 100, height: 40, gap: 10, rise: 30};

test("callers are above callees, and boxes do not overlap", () => {
  // 3 calls 0: a circle. 4 is only called from 0, across layers.
  const edges = [[0, 1], [0, 2], [1, 3], [2, 3], [3, 0], [3, 4], [0, 4]]
      .map(([from, to]) => ({from, to}));
  const {boxes, lines, width, height} = layeredLayout(5, edges, SIZES);
  for (const [from, to] of [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [0, 4]])
    assert.ok(boxes[from].y < boxes[to].y, `${from} above ${to}`);
  for (const [i, a] of boxes.entries()) {
    assert.ok(a.x >= 50 && a.x <= width - 50 && a.y + 20 <= height);
    for (const b of boxes.slice(i + 1))
      assert.ok(Math.abs(a.x - b.x) >= 100 + SIZES.gap - 1e-6 || a.y !== b.y);
  }
  edges.forEach(({from, to}, i) => {
    assert.deepEqual(lines[i][0], boxes[from]);
    assert.deepEqual(lines[i].at(-1), boxes[to]);
  });
  assert.equal(lines[6].length, 4);  // a point in each layer
});

test("what no edge connects is side by side, the most important part first", () => {
  // One function alone, a large part, and two functions.
  const edges = [[1, 2], [1, 3], [1, 4], [2, 5], [3, 6], [4, 7], [8, 9]]
      .map(([from, to]) => ({from, to}));
  const {boxes, width} = layeredLayout(10, edges, SIZES);
  const ends = [[0], [1, 2, 3, 4, 5, 6, 7], [8, 9]].map((part) => {
    const places = part.map((node) => boxes[node].x);
    return [Math.min(...places) - 50, Math.max(...places) + 50];
  });
  const space = 2 * SIZES.gap;
  assert.deepEqual(ends, [[0, 100], [100 + space, 420 + space],
                          [420 + 2 * space, 520 + 2 * space]]);
  assert.equal(width, 520 + 2 * space);
});

test("a graph without functions has no size", () => {
  assert.deepEqual(layeredLayout(0, [], SIZES),
                   {boxes: [], lines: [], width: 0, height: 0});
});
