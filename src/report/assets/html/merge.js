// SPDX-License-Identifier: Apache-2.0
//
// Merges recursive calls: a call of a function that is already on the stack
// returns to where this function is. main, f, g, f, h becomes main, f, h.
import {TreeBuilder} from "./rewritten_tree.js";
/** @import {CallTree} from "../shared/call_tree.js" */

/** @param {CallTree} tree */
export function mergeRecursion(tree) {
  const builder = new TreeBuilder(tree);
  const merged = new Int32Array(tree.length);
  for (let i = 1; i < tree.length; ++i) {
    const label = tree.label[i];
    const parent = merged[tree.parent[i]];
    let node = parent;
    while (node !== 0 && builder.labelOf(node) !== label)
      node = builder.parentOf(node);
    merged[i] = node === 0 ? builder.childOf(parent, label) : node;
  }
  return builder.finish(merged);
}
