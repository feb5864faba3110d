// SPDX-License-Identifier: Apache-2.0
//
// Where the boxes of a flame graph are. Only visible boxes are placed: a
// subtree that is outside the window or too thin to see costs one step.
"use strict";

const LEAST_BOX_PIXELS = 0.5;

/**
 * The part of the graph that is visible, in units of the values.
 * @typedef {{start: number, size: number}} Span
 */

/**
 * @typedef {object} FlameBox
 * @property {number} node  for folded children, their parent
 * @property {number} folded  how many children too thin to see the box stands
 *     for; 0: it stands for the node
 * @property {number} level  0 is the level of the root
 * @property {number} x  in pixels, may be outside the window
 * @property {number} width
 */

/**
 * Children by size, the largest first, without those of size 0.
 * @param {CallTree} tree @param {Float64Array} sizes @param {number} node
 */
function bySize(tree, sizes, node) {
  return tree.children(node).filter((child) => sizes[child] > 0).sort(
      (a, b) => sizes[b] - sizes[a] || a - b);
}

class FlameLayout {
  #scale = 0;  // pixels per unit, of the boxes that were placed last

  /**
   * @param {CallTree} tree
   * @param {Float64Array} sizes  the widths of nodes, in units of the values
   */
  constructor(tree, sizes) {
    this.tree = tree;
    this.sizes = sizes;
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
   * The children of a node that are one box because they are too thin to see.
   * @param {number} node
   */
  folded(node) {
    return this.tree.children(node).filter((child) =>
      this.sizes[child] > 0 && !this.#canBeSeen(child));
  }

  /** @param {number} node */
  #canBeSeen(node) {
    return this.sizes[node] * this.#scale >= LEAST_BOX_PIXELS;
  }

  /**
   * @param {Span} span  the part that fills the window
   * @param {number} width  of the window, in pixels
   * @returns {FlameBox[]}
   */
  boxes(span, width) {
    const scale = width / span.size;
    this.#scale = scale;
    /** @type {FlameBox[]} */
    const boxes = [];
    if (!(this.sizes[0] > 0)) return boxes;
    /** @type {{node: number, start: number}[]} */
    const open = [{node: 0, start: 0}];
    for (let next = open.pop(); next; next = open.pop()) {
      const {node, start} = next;
      boxes.push({node, folded: 0, level: this.tree.depth[node],
                  x: (start - span.start) * scale,
                  width: this.sizes[node] * scale});
      this.#openChildren(next, span, open, boxes);
    }
    return boxes;
  }

  /**
   * @param {{node: number, start: number}} parent
   * @param {Span} span
   * @param {{node: number, start: number}[]} open @param {FlameBox[]} boxes
   */
  #openChildren(parent, span, open, boxes) {
    const {tree, sizes} = this;
    const scale = this.#scale;
    const shown = [];
    let [folded, foldedSize] = [0, 0];
    const end = tree.end[parent.node];
    for (let i = parent.node + 1; i < end; i = tree.end[i]) {
      if (this.#canBeSeen(i)) {
        shown.push(i);
      } else if (sizes[i] > 0) {
        ++folded;
        foldedSize += sizes[i];
      }
    }
    if (shown.length > 1)
      shown.sort((a, b) => sizes[b] - sizes[a] || a - b);
    let start = parent.start;
    for (const node of shown) {
      const isVisible = start < span.start + span.size &&
          start + sizes[node] > span.start;
      if (isVisible) open.push({node, start});
      start += sizes[node];
    }
    if (foldedSize * scale >= LEAST_BOX_PIXELS)
      boxes.push({node: parent.node, folded,
                  level: tree.depth[parent.node] + 1,
                  x: (start - span.start) * scale, width: foldedSize * scale});
  }
}
