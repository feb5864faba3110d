// SPDX-License-Identifier: Apache-2.0
//
// The threads of a run, some of which may have sampled with the same seed. Their
// errors do not average out: include/heapprof/stats/shared_seeds.h says why.
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {SparseValues} from "./profile.js" */

/**
 * Nodes: starts and ends of ranges that do not overlap.
 * @typedef {[number, number][]} NodeRanges
 */

export class SharedSeeds {
  #tree;
  #sharing;
  #threads;

  /**
   * @param {0|1} side  of the new dumps, of the base
   * @param {CallTree} tree
   * @param {number} sharing  how many threads may have one seed
   * @param {SparseValues[]} threads  the variances of each
   */
  constructor(side, tree, sharing, threads) {
    this.side = side;
    this.#tree = tree;
    this.#sharing = sharing;
    this.#threads = threads;
  }

  /**
   * What the threads add to the variance of a sum, at most: twice the smaller
   * variance of each two, if those with the largest variances have one seed.
   * @param {NodeRanges} ranges
   */
  variance(ranges) {
    const isInside = new Uint8Array(this.#tree.length);
    for (const [start, end] of ranges) isInside.fill(1, start, end);
    const variances = [];
    for (const {node, self} of this.#threads) {
      let sum = 0;
      for (let i = 0; i < node.length; ++i)
        if (isInside[node[i]] === 1) sum += self[i];
      if (sum > 0) variances.push(sum);
    }
    variances.sort((a, b) => b - a);
    return variances.slice(0, this.#sharing).reduce(
        (sum, variance, i) => sum + 2 * i * variance, 0);
  }

  /**
   * Of another tree: see Graph.derived().
   * @param {CallTree} tree @param {Int32Array} target
   */
  derived(tree, target) {
    const threads = this.#threads.map(({node, self}) => {
      const isKept = (/** @type {number} */ _, /** @type {number} */ i) =>
        target[node[i]] >= 0;
      return {node: node.filter(isKept).map((old) => target[old]),
              self: self.filter(isKept)};
    });
    return new SharedSeeds(this.side, tree, this.#sharing, threads);
  }
}
