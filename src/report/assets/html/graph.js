// SPDX-License-Identifier: Apache-2.0
//
// A tree with its values, as a flame graph shows it: whole, with recursive
// calls merged, or without the subtrees that the user hides.
"use strict";

class Graph {
  /**
   * @param {CallTree} tree
   * @param {NodeValues} values
   * @param {ArrayLike<number>|null} verdicts  of Profile.changes(), by node;
   *     null if nothing is compared
   * @param {IntervalList|null} bounds
   */
  constructor(tree, values, verdicts, bounds) {
    this.tree = tree;
    this.values = values;
    this.verdicts = verdicts;
    this.bounds = bounds;
    this.isComparison = values.baseTotal !== null;
    this.largestChange = this.#largestChange();
  }

  /**
   * @param {Profile} profile @param {number} metric @param {Part} part
   */
  static of(profile, metric, part) {
    const isWhole = part.kind === "all";
    return new Graph(
        profile.tree, profile.values(metric, part),
        profile.isComparison(part) ? profile.changes(metric) : null,
        isWhole ? profile.bounds(metric) : null);
  }

  /** @param {number} node */
  change(node) {
    return this.values.total[node] - (this.values.baseTotal?.[node] ?? 0);
  }

  /** GROWN, SHRUNK or 0, and IS_NEW. @param {number} node */
  verdict(node) {
    if (!this.verdicts || !this.values.baseTotal) return 0;
    const hasChanged = (this.verdicts[node] & (GROWN | SHRUNK)) !== 0;
    return verdictOf(hasChanged, this.values.total[node],
                     this.values.baseTotal[node]);
  }

  #largestChange() {
    let largest = 0;
    if (this.isComparison)
      for (let i = 0; i < this.tree.length; ++i)
        largest = Math.max(largest, Math.abs(this.change(i)));
    return largest;
  }

  /**
   * Counts only what is inside `focus` and not inside `hidden`.
   * @param {number} focus  a node; 0: all
   * @param {number[]} hidden  nodes
   */
  masked(focus, hidden) {
    if (focus === 0 && hidden.length === 0) return this;
    const {tree, values} = this;
    const mask = (/** @type {Float64Array} */ self) => {
      const kept = new Float64Array(tree.length);
      const end = tree.end[focus];
      kept.set(self.subarray(focus, end), focus);
      for (const node of hidden) kept.fill(0, node, tree.end[node]);
      return kept;
    };
    const self = mask(values.self);
    const baseSelf = values.baseSelf && mask(values.baseSelf);
    const masked = {self, total: tree.totals(self), baseSelf,
                    baseTotal: baseSelf && tree.totals(baseSelf)};
    return new Graph(tree, masked, this.verdicts, null);
  }
}

/** @param {boolean} hasChanged @param {number} now @param {number} before */
function verdictOf(hasChanged, now, before) {
  const direction = !hasChanged || now === before ? 0 :
    now > before ? GROWN : SHRUNK;
  return direction | (before === 0 && now > 0 ? IS_NEW : 0);
}
