// SPDX-License-Identifier: Apache-2.0
//
// Where the boxes of a flame graph are, in units of the values: for the picture
// and the page. src/view/flame_boxes.cc places those in the file of the picture
// by the same rules.
/** @import {CallTree} from "./call_tree.js" */

/** @typedef {{start: number, end: number}} Range */

/**
 * @typedef {object} PlacedBox
 * @property {number} node  for hidden nodes, their parent
 * @property {number[]} hidden  the children that the box stands for because
 *     they are not shown by themselves; empty: it stands for the node
 * @property {number} start  where it begins
 * @property {number} size
 * @property {Range} parent  where the box below it is
 */

/**
 * @typedef {object} PlacingRules
 * @property {(node: number) => boolean} isShown  false: the node becomes a part
 *     of the last box of its parent
 * @property {(start: number, size: number) => boolean} [isVisible]  false: the
 *     node is outside the window, with all that it calls
 * @property {boolean} [isBySize]  the largest child comes first; by default,
 *     children stay in the order of the tree
 */

/**
 * Places siblings, which begin at `start`, and all that they call.
 * @param {CallTree} tree
 * @param {ArrayLike<number>} sizes  of nodes, with what they call
 * @param {number[]} siblings
 * @param {number} start
 * @param {PlacingRules} rules
 * @returns {PlacedBox[]}  in preorder, hidden ones after their siblings
 */
export function placeBoxes(tree, sizes, siblings, start, rules) {
  /** @type {PlacedBox[]} */
  const open = [];  // the next one is at the end
  let end = start;
  for (const node of siblings) end += sizes[node];
  openSiblings(tree, sizes, siblings, {start, end}, rules, open);
  /** @type {PlacedBox[]} */
  const boxes = [];
  for (let box = open.pop(); box; box = open.pop()) {
    boxes.push(box);
    if (box.hidden.length > 0) continue;
    const place = {start: box.start, end: box.start + box.size};
    openSiblings(tree, sizes, tree.children(box.node), place, rules, open);
  }
  return boxes;
}

/**
 * @param {CallTree} tree @param {ArrayLike<number>} sizes
 * @param {number[]} siblings @param {Range} parent
 * @param {PlacingRules} rules @param {PlacedBox[]} open
 */
function openSiblings(tree, sizes, siblings, parent, rules, open) {
  /** @type {number[][]} */
  const [shown, hidden] = [[], []];
  for (const node of siblings)
    (rules.isShown(node) ? shown : hidden).push(node);
  if (rules.isBySize && shown.length > 1) sortBySize(sizes, shown);
  const first = open.length;
  let {start} = parent;
  for (const node of shown) {
    const size = sizes[node];
    if (rules.isVisible?.(start, size) ?? true)
      open.push({node, hidden: [], start, size, parent});
    start += size;
  }
  const size = hidden.reduce((sum, node) => sum + sizes[node], 0);
  if (hidden.length > 0)
    open.push({node: tree.parent[hidden[0]], hidden, start, size, parent});
  reverseFrom(open, first);
}

/** @param {ArrayLike<number>} sizes @param {number[]} nodes */
export function sortBySize(sizes, nodes) {
  return nodes.sort((a, b) => sizes[b] - sizes[a] || a - b);
}

/** @param {PlacedBox[]} boxes @param {number} first */
function reverseFrom(boxes, first) {
  for (let last = boxes.length - 1; first < last; ++first, --last)
    [boxes[first], boxes[last]] = [boxes[last], boxes[first]];
}
