// SPDX-License-Identifier: Apache-2.0
//
// A tree with its values, as a flame graph shows it: whole, with recursive
// calls merged, or without the subtrees that the user hides.
import {GROWN, IS_NEW, SHRUNK} from "./profile.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {NodeValues, Part, Profile} from "./profile.js" */

/**
 * What sampling says about the nodes of a graph. Null: not known.
 * @typedef {object} GraphErrors
 * @property {(node: number) => Interval|null} interval  of its total, or of its
 *     change
 * @property {(node: number) => boolean|null} hasChanged  in a comparison: by
 *     more than the sampling error
 * @property {boolean} countsAll  every change counts: there are no errors, or
 *     nobody knows them
 */

/**
 * What a frame of a comparison is as wide as: the larger of its values now and
 * in the base, so that both what is new and what is gone can be seen; the value
 * now; that in the base; or the change. Added up over the stacks through it.
 * @typedef {"larger"|"new"|"old"|"change"} Widths
 */

/** @type {GraphErrors} */
const UNKNOWN_ERRORS =
    {interval: () => null, hasChanged: () => null, countsAll: false};

/**
 * The errors of the whole profile.
 * @param {Profile} profile @param {number} metric
 * @returns {GraphErrors}
 */
function storedErrors(profile, metric) {
  const {is_comparison, metrics} = profile.header;
  const {judge} = metrics[metric];
  const bounds = profile.bounds(metric);
  const interval = (/** @type {number} */ node) => bounds.at(node);
  const countsAll = !metrics[judge].has_errors;
  if (!is_comparison) return {interval, hasChanged: () => null, countsAll};
  const changed = profile.changed(judge);
  const directionOf = (/** @type {number} */ metric) => {
    const {total, baseTotal} = profile.values(metric, {kind: "all", index: 0});
    return (/** @type {number} */ node) =>
      Math.sign(total[node] - (baseTotal?.[node] ?? 0));
  };
  const [ours, judged] = [directionOf(metric), directionOf(judge)];
  return {
    interval,
    hasChanged: (node) => countsAll ||
      (changed[node] === 1 && ours(node) === judged(node)),
    countsAll,
  };
}

export class Graph {
  #errors;

  /**
   * @param {CallTree} tree
   * @param {NodeValues} values
   * @param {GraphErrors} errors
   */
  constructor(tree, values, errors) {
    this.tree = tree;
    this.values = values;
    this.#errors = errors;
    this.isComparison = values.baseTotal !== null;
  }

  /** @type {{largest: number, inside: Float64Array}|null} */
  #changes = null;

  /**
   * @param {Profile} profile @param {number} metric @param {Part} part
   */
  static of(profile, metric, part) {
    return new Graph(profile.tree, profile.values(metric, part),
                     part.kind === "all" ? storedErrors(profile, metric) :
                                           UNKNOWN_ERRORS);
  }

  /** @param {number} node */
  change(node) {
    return this.values.total[node] - (this.values.baseTotal?.[node] ?? 0);
  }

  /**
   * How wide nodes are. Without a base, all widths are the same.
   * @param {Widths} widths
   */
  sizes(widths) {
    const {self, total, baseSelf, baseTotal} = this.values;
    if (!baseSelf || !baseTotal || widths === "new") return total;
    if (widths === "old") return baseTotal;
    return this.tree.totals(self.map((now, node) => widths === "change" ?
      Math.abs(now - baseSelf[node]) : Math.max(now, baseSelf[node])));
  }

  /** @param {number} node */
  interval(node) {
    return this.#errors.interval(node);
  }

  /** @param {number} node */
  hasChanged(node) {
    return this.#errors.hasChanged(node);
  }

  /** GROWN, SHRUNK or 0, and IS_NEW. @param {number} node */
  verdict(node) {
    if (!this.values.baseTotal) return 0;
    return verdictOf(this.hasChanged(node) ?? false, this.values.total[node],
                     this.values.baseTotal[node]);
  }

  /**
   * Of the nodes that have changed: the largest change; and for each node, the
   * largest change of one inside it, or 0.
   */
  get changes() {
    return this.#changes ??= this.#findChanges();
  }

  /**
   * The nodes that have changed and at which the change divides: no child has
   * nearly all of it. The largest change comes first.
   */
  forksOfChange() {
    const NEARLY_ALL = 0.9;
    const {length, parent} = this.tree;
    const hasChanged = (/** @type {number} */ node) =>
      (this.verdict(node) & (GROWN | SHRUNK)) !== 0;
    const largest = new Float64Array(length);  // of a child
    for (let node = 1; node < length; ++node)
      if (hasChanged(node))
        largest[parent[node]] =
            Math.max(largest[parent[node]], Math.abs(this.change(node)));
    const size = (/** @type {number} */ node) => Math.abs(this.change(node));
    const forks = [];
    for (let node = 1; node < length; ++node)
      if (hasChanged(node) && largest[node] < NEARLY_ALL * size(node))
        forks.push(node);
    return forks.sort((a, b) => size(b) - size(a) || a - b);
  }

  #findChanges() {
    const {length, parent} = this.tree;
    const inside = new Float64Array(length);
    let largest = 0;
    for (let node = length - 1; node >= 0; --node) {
      const own =
        (this.verdict(node) & (GROWN | SHRUNK)) === 0 ? 0 : this.change(node);
      largest = Math.max(largest, Math.abs(own));
      const most = Math.abs(own) >= Math.abs(inside[node]) ? own : inside[node];
      const outer = parent[node];
      if (node > 0 && most !== 0 && Math.abs(most) >= Math.abs(inside[outer]))
        inside[outer] = most;
    }
    return {largest, inside};
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
    return this.derived(tree, self, baseSelf, (node) => node);
  }

  /**
   * A graph of other nodes. What sampling says about nodes whose values are
   * those of a node of this graph stays true.
   * @param {CallTree} tree
   * @param {Float64Array} self @param {Float64Array|null} baseSelf
   * @param {(node: number) => number} origin  the node of this graph to which
   *     a new node may be equal
   */
  derived(tree, self, baseSelf, origin) {
    const {countsAll} = this.#errors;
    const total = tree.totals(self);
    const baseTotal = baseSelf && tree.totals(baseSelf);
    const isEqual = (/** @type {number} */ node) => {
      const {values} = this;
      const old = origin(node);
      return total[node] === values.total[old] &&
        baseTotal?.[node] === values.baseTotal?.[old];
    };
    return new Graph(tree, {self, total, baseSelf, baseTotal}, {
      interval: (node) => isEqual(node) ? this.interval(origin(node)) : null,
      hasChanged: (node) =>
        isEqual(node) ? this.hasChanged(origin(node)) : countsAll || null,
      countsAll,
    });
  }

  /**
   * What sampling says about a graph whose nodes stand for several nodes of
   * this one.
   * @param {(node: number) => ArrayLike<number>} parts
   * @returns {GraphErrors}
   */
  errorsOf(parts) {
    return {
      interval: (node) =>
        parts(node).length === 1 ? this.interval(parts(node)[0]) : null,
      hasChanged: (node) => this.haveChanged(parts(node)),
      countsAll: this.#errors.countsAll,
    };
  }

  /**
   * Whether the sum of nodes has changed. If each of them has grown, it has;
   * else the error of the sum is not known.
   * @param {ArrayLike<number>} nodes
   */
  haveChanged(nodes) {
    if (nodes.length === 1) return this.hasChanged(nodes[0]);
    if (this.#errors.countsAll) return true;
    const direction = Math.sign(this.change(nodes[0]));
    for (let i = 0; i < nodes.length; ++i)
      if (!this.hasChanged(nodes[i]) ||
          Math.sign(this.change(nodes[i])) !== direction)
        return null;
    return true;
  }
}

/** @param {boolean} hasChanged @param {number} now @param {number} before */
export function verdictOf(hasChanged, now, before) {
  const direction = !hasChanged || now === before ? 0 :
    now > before ? GROWN : SHRUNK;
  return direction | (before === 0 && now > 0 ? IS_NEW : 0);
}
