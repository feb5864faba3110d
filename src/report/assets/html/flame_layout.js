// SPDX-License-Identifier: Apache-2.0
//
// Where the boxes of a flame graph are in the window. Only visible boxes are
// placed: a subtree that is outside the window or too thin to see costs one
// step.
import {placeBoxes, sortBySize} from "../shared/place_boxes.js";
/** @import {CallTree} from "../shared/call_tree.js" */

const LEAST_BOX_PIXELS = 0.5;

/**
 * The part of the graph that is visible, in units of the values.
 * @typedef {{start: number, size: number}} Span
 */

/**
 * @typedef {object} FlameBox
 * @property {number} node  for folded children, their parent
 * @property {number[]} folded  the children too thin to see that the box stands
 *     for; empty: it stands for the node
 * @property {number} level  0 is the level of the root
 * @property {number} x  in pixels, may be outside the window
 * @property {number} width
 */

export class FlameLayout {
  /**
   * @param {CallTree} tree
   * @param {Float64Array} sizes  the widths of nodes, in units of the values
   */
  constructor(tree, sizes) {
    this.tree = tree;
    this.sizes = sizes;
  }

  /**
   * Children by size, the largest first, without those of size 0.
   * @param {number} node
   */
  childrenBySize(node) {
    const {tree, sizes} = this;
    return sortBySize(
        sizes, tree.children(node).filter((child) => sizes[child] > 0));
  }

  /**
   * Where a node is.
   * @param {number} node
   * @returns {Span}
   */
  spanOf(node) {
    const {tree, sizes} = this;
    let start = 0;
    for (let i = node; i !== 0; i = tree.parent[i])
      for (const sibling of tree.children(tree.parent[i])) {
        const isBefore = sizes[sibling] > sizes[i] ||
            (sizes[sibling] === sizes[i] && sibling < i);
        if (isBefore) start += sizes[sibling];
      }
    return {start, size: sizes[node]};
  }

  /**
   * @param {Span} span  the part that fills the window
   * @param {number} width  of the window, in pixels
   * @returns {FlameBox[]}
   */
  boxes(span, width) {
    const {tree, sizes} = this;
    if (!(sizes[0] > 0)) return [];
    const scale = width / span.size;
    const placed = placeBoxes(tree, sizes, [0], 0, {
      isShown: (node) => node === 0 || sizes[node] * scale >= LEAST_BOX_PIXELS,
      isVisible: (start, size) =>
        start < span.start + span.size && start + size > span.start,
      isBySize: true,
    });
    return placed.filter(({hidden, size}) =>
      hidden.length === 0 || size * scale >= LEAST_BOX_PIXELS).map((box) => ({
      node: box.node,
      folded: box.hidden.filter((child) => sizes[child] > 0),
      level: tree.depth[box.node] + (box.hidden.length > 0 ? 1 : 0),
      x: (box.start - span.start) * scale,
      width: box.size * scale,
    }));
  }
}
