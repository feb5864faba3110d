// SPDX-License-Identifier: Apache-2.0
//
// Merges recursive calls: a call of a function that is already on the stack
// returns to where this function is. main, f, g, f, h becomes main, f, h.
import {CallTree} from "../shared/call_tree.js";
/** @import {Graph} from "./graph.js" */

/**
 * A tree, and the nodes that it was made of.
 * @typedef {object} MergedTree
 * @property {CallTree} tree
 * @property {Uint32Array} target  by old node: where it went
 * @property {Uint32Array} first  by new node: one of its old nodes
 */

/** @param {CallTree} tree @returns {MergedTree} */
export function mergeRecursion(tree) {
  const {merged, parents, labels} = mergedNodes(tree);
  const order = preorder(parents, labels);
  const target = merged.map((node) => order.position[node]);
  const first = new Uint32Array(labels.length);
  for (let i = tree.length - 1; i >= 0; --i) first[target[i]] = i;
  const label = Uint32Array.from(order.nodes, (node) => labels[node]);
  return {tree: new CallTree(label, order.depth), target, first};
}

// Numbers the nodes of the merged tree in the order in which they are found.
/** @param {CallTree} tree */
function mergedNodes(tree) {
  let count = 1;  // of labels
  for (let i = 0; i < tree.length; ++i)
    count = Math.max(count, tree.label[i] + 1);
  const merged = new Uint32Array(tree.length);
  const [parents, labels] = [[0], [0]];
  const known = new Map();  // by parent and label
  for (let i = 1; i < tree.length; ++i) {
    const label = tree.label[i];
    const parent = merged[tree.parent[i]];
    let node = parent;
    while (node !== 0 && labels[node] !== label) node = parents[node];
    const key = parent * count + label;
    if (node === 0) node = known.get(key) ?? 0;
    if (node === 0) {
      node = labels.length;
      known.set(key, node);
      parents.push(parent);
      labels.push(label);
    }
    merged[i] = node;
  }
  return {merged, parents, labels};
}

/**
 * Puts nodes in preorder, children by label.
 * @param {number[]} parents @param {number[]} labels
 */
function preorder(parents, labels) {
  const length = parents.length;
  /** @type {number[][]} */
  const children = Array.from({length}, () => []);
  for (let i = 1; i < length; ++i) children[parents[i]].push(i);
  const nodes = new Uint32Array(length);
  const position = new Uint32Array(length);
  const depth = new Uint32Array(length);
  const open = [0];
  for (let at = 0; at < length; ++at) {
    const node = /** @type {number} */ (open.pop());
    nodes[at] = node;
    position[node] = at;
    depth[at] = node === 0 ? 0 : depth[position[parents[node]]] + 1;
    children[node].sort((a, b) => labels[b] - labels[a]);
    for (const child of children[node]) open.push(child);
  }
  return {nodes, position, depth};
}

/**
 * The graph with merged calls.
 * @param {Graph} graph @param {MergedTree} merged
 */
export function mergeGraph(graph, {tree, target, first}) {
  const sum = (/** @type {Float64Array} */ self) => {
    const sums = new Float64Array(tree.length);
    for (let i = 0; i < self.length; ++i) sums[target[i]] += self[i];
    return sums;
  };
  const {self, baseSelf} = graph.values;
  return graph.derived(tree, sum(self), baseSelf && sum(baseSelf),
                       (node) => first[node]);
}
