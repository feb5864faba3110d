// SPDX-License-Identifier: Apache-2.0
//
// Values over several dumps.
import {formatCount} from "../shared/format.js";
import {firstNotBelow} from "./interval_list.js";
import {sumsByKey} from "./rows.js";
/** @import {Profile, SparseValues} from "./profile.js" */
/** @import {RewrittenTree} from "./rewritten_tree.js" */
/** @import {Band} from "./time_chart.js" */

export class Timeline {
  #profile;
  #tree;
  /** @type {{node: Uint32Array, sums: Float64Array}[]} */
  #dumps;

  /**
   * @param {Profile} profile @param {number} metric
   * @param {RewrittenTree|null} shown  how the tree was made; null: it is the
   *     profile's tree
   */
  constructor(profile, metric, shown) {
    this.#profile = profile;
    this.#tree = shown?.tree ?? profile.tree;
    this.#dumps = profile.header.dumps.map((_, index) => {
      const stored = profile.sparse(metric, {kind: "dump", index});
      const {node, self} = shown ? rewrittenValues(shown, stored) : stored;
      const sums = new Float64Array(self.length + 1);
      self.forEach((value, i) => { sums[i + 1] = sums[i] + value; });
      return {node, sums};
    });
  }

  /** What a subtree holds in each dump. @param {number} root */
  ofSubtree(root) {
    const end = this.#tree.end[root];
    return this.#dumps.map(({node, sums}) =>
      sums[firstNotBelow(node, end)] - sums[firstNotBelow(node, root)]);
  }

  /**
   * What calls hold in each dump, of which none is inside another.
   * @param {number[]} calls  nodes
   */
  ofCalls(calls) {
    const sums = this.#dumps.map(() => 0);
    for (const node of calls)
      this.ofSubtree(node).forEach((value, i) => { sums[i] += value; });
    return sums;
  }

  /**
   * The stacks through these calls, those that hold most as bands of their own.
   * @param {number[]} calls  nodes
   * @returns {Band[]}
   */
  bands(calls) {
    const MOST = 7;
    const stacks = calls.map((node) => {
      const values = this.ofSubtree(node);
      return {node, values, most: Math.max(...values)};
    }).sort((a, b) => b.most - a.most || a.node - b.node);
    const bands = stacks.slice(0, MOST).map(({node, values}) =>
      ({name: this.#stackName(node), values}));
    const rest = stacks.slice(MOST);
    if (rest.length > 0)
      bands.push({name: formatCount(rest.length, "other stack"),
                  values: this.#dumps.map((_, i) =>
                    rest.reduce((sum, {values}) => sum + values[i], 0))});
    return bands;
  }

  /** "f < g < main" @param {number} node */
  #stackName(node) {
    const MOST = 5;
    const tree = this.#tree;
    const names = tree.path(node).reverse().map((frame) =>
      this.#profile.shortName(tree.label[frame]));
    return names.slice(0, MOST).join(" < ") +
      (names.length > MOST ? " < …" : "");
  }

  /**
   * The functions that grew most from the first dump to the last. Small changes
   * are left out: even what does not change is rounded to other bytes if what is
   * beside it changes.
   */
  growth() {
    const MOST = 20;
    const LEAST_SHARE = 0.005;  // of the largest change
    const last = this.#dumps.length - 1;
    const first = this.#totals(0);
    const now = this.#totals(last);
    const change = now.map((value, label) => value - first[label]);
    const largest = change.reduce((most, by) => Math.max(most, Math.abs(by)), 0);
    const labels = [...change.keys()].filter((label) =>
      change[label] > 0 && change[label] >= LEAST_SHARE * largest);
    labels.sort((a, b) => change[b] - change[a] || a - b);
    return labels.slice(0, MOST).map((label) =>
      ({label, first: first[label], last: now[label]}));
  }

  /** By label. @param {number} index  of a dump */
  #totals(index) {
    const {labels} = this.#profile;
    const {node, sums} = this.#dumps[index];
    const self = new Float64Array(this.#tree.length);
    node.forEach((at, i) => { self[at] = sums[i + 1] - sums[i]; });
    const values = {self, total: this.#tree.totals(self)};
    return sumsByKey(this.#tree, values, [...labels.keys()],
                     labels.length).total;
  }
}

/**
 * Values at the nodes of a rewritten tree.
 * @param {RewrittenTree} rewritten @param {SparseValues} values
 * @returns {SparseValues}
 */
function rewrittenValues({target}, {node, self}) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  node.forEach((old, i) => {
    const at = target[old];
    if (at >= 0) sums.set(at, (sums.get(at) ?? 0) + self[i]);
  });
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return {node: Uint32Array.from(sorted, ([at]) => at),
          self: Float64Array.from(sorted, ([, sum]) => sum)};
}
