// SPDX-License-Identifier: Apache-2.0
//
// Folds chains of calls that hold the same memory, so that a small picture has
// room for the calls at which the memory divides.
import {CallTree} from "../shared/call_tree.js";
/** @import {NodeValues} from "./profile.js" */
/** @import {RewrittenTree} from "./rewritten_tree.js" */

/**
 * A node stands for a chain and has the label of its innermost call of own code
 * or, if there is none, of its innermost call.
 * @typedef {RewrittenTree & {calls: number[]}} FoldedTree  and by new node how
 *     many calls the chain has
 */

/**
 * @param {CallTree} tree @param {NodeValues} values
 * @param {(label: number) => boolean} isOwn
 * @param {number[]} [groups]  labels of frames that stand for groups, which are
 *     in no chain
 * @returns {FoldedTree}
 */
export function foldChains(tree, {total, baseTotal}, isOwn, groups = []) {
  const holds = (/** @type {number} */ node) =>
    total[node] !== 0 || (baseTotal !== null && baseTotal[node] !== 0);
  const isSame = (/** @type {number} */ a, /** @type {number} */ b) =>
    total[a] === total[b] && baseTotal?.[a] === baseTotal?.[b];
  const target = new Int32Array(tree.length).fill(-1);
  target[0] = 0;
  const [first, depth, calls] = [[0], [0], [1]];
  for (let i = 1; i < tree.length; ++i) {
    const parent = tree.parent[i];
    if (!holds(i)) continue;
    const isChained = parent !== 0 && !groups.includes(tree.label[parent]) &&
        isSame(i, parent);
    const node = isChained ? target[parent] : first.length;
    target[i] = node;
    if (!isChained) {
      first.push(i);
      depth.push(depth[target[parent]] + 1);
      calls.push(1);
      continue;
    }
    ++calls[node];
    if (isOwn(tree.label[i]) || !isOwn(tree.label[first[node]]))
      first[node] = i;
  }
  const label = Uint32Array.from(first, (node) => tree.label[node]);
  return {tree: new CallTree(label, Uint32Array.from(depth)), target,
          first: Uint32Array.from(first), calls};
}
