// SPDX-License-Identifier: Apache-2.0
//
// The nodes that the user hides, or to which they restrict the flame graph, as
// the state has them: "12.m5" is node 12 of the tree and node 5 of the tree
// with merged calls. What is hidden in the tree stays hidden when calls are
// merged. The opposite is impossible: a merged call is a part of several
// subtrees.

/**
 * The nodes of one of the trees.
 * @param {string} text @param {boolean} isMerged
 */
export function maskNodes(text, isMerged) {
  const found = text.match(isMerged ? /(?<=m)\d+/g : /(?<![m\d])\d+/g);
  return (found ?? []).map(Number);
}

/**
 * @param {string} text @param {boolean} isMerged
 * @param {number[]} nodes  of this tree, in place of those that there are
 */
export function withMaskNodes(text, isMerged, nodes) {
  const plain = isMerged ? maskNodes(text, false) : nodes;
  const merged = isMerged ? nodes : maskNodes(text, true);
  return [...plain, ...merged.map((node) => `m${node}`)].join(".");
}
