// SPDX-License-Identifier: Apache-2.0
//
// A tree with its values, as a flame graph shows it: whole, with recursive
// calls merged, or without the subtrees that the user hides.
import {GROWN, IS_NEW, SHRUNK} from "./profile.js";
import {derivedValues} from "./sampled_sums.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {NodeValues, Part, Profile} from "./profile.js" */
/** @import {SampledSums} from "./sampled_sums.js" */

/**
 * What sampling says about the nodes of a graph. Null: not known.
 * @typedef {object} GraphErrors
 * @property {(node: number) => Interval|null} interval  of its total, or of its
 *     change
 * @property {(node: number) => boolean|null} hasChanged  in a comparison: by
 *     more than chance
 * @property {boolean} countsAll  every change counts: there are no errors, or
 *     nobody knows them
 * @property {SampledSums|null} [sampled]  the errors of sums follow from it; of
 *     the metric whose errors say whether values have changed
 * @property {boolean} [isOwn]  `sampled` is of the metric itself
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
  const sampled = profile.sampled(judge, {kind: "all", index: 0});
  const isOwn = judge === metric;
  const bounds = profile.bounds(metric);
  const interval = (/** @type {number} */ node) => bounds.at(node);
  const countsAll = !metrics[judge].has_errors;
  if (!is_comparison)
    return {interval, hasChanged: () => null, countsAll, sampled, isOwn};
  const changed = profile.changed(judge);
  const directionOf = (/** @type {number} */ metric) => {
    const {total, baseTotal} = profile.values(metric, {kind: "all", index: 0});
    return (/** @type {number} */ node) =>
      Math.sign(total[node] - (baseTotal?.[node] ?? 0));
  };
  const [ours, judged] = [directionOf(metric), directionOf(judge)];
  return {
    interval,
    hasChanged: (node) => countsAll ? ours(node) !== 0 :
      changed[node] === 1 && ours(node) === judged(node),
    countsAll, sampled, isOwn,
  };
}

/**
 * The errors of a graph whose nodes stand for several nodes of the sampled one.
 * @param {SampledSums} sampled @param {boolean} isOwn
 * @param {(node: number) => ArrayLike<number>} parts
 * @param {(node: number) => number} changeOf  in the metric of the graph
 * @returns {GraphErrors}
 */
function computedErrors(sampled, isOwn, parts, changeOf) {
  const hasChanged = (/** @type {number} */ node) => {
    if (!sampled.isComparison) return null;
    const change = sampled.changeOfSum(parts(node));
    return Math.sign(changeOf(node)) === Math.sign(change) &&
        sampled.sumHasChanged(parts(node));
  };
  return {
    interval: (node) => isOwn ? sampled.intervalOfSum(parts(node)) : null,
    hasChanged, countsAll: false,
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
    const values = profile.values(metric, part);
    if (part.kind === "all")
      return new Graph(profile.tree, values, storedErrors(profile, metric));
    const {judge} = profile.header.metrics[metric];
    const sampled = profile.sampled(judge, part);
    if (!sampled) return new Graph(profile.tree, values, UNKNOWN_ERRORS);
    const isOwn = judge === metric;
    const errors =
        computedErrors(sampled, isOwn, (node) => [node], () => 0);
    return new Graph(profile.tree, values, {...errors, sampled, isOwn});
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
    const {tree} = this;
    const target = new Int32Array(tree.length).fill(-1);
    for (let node = focus; node < tree.end[focus]; ++node) target[node] = node;
    for (const node of hidden) target.fill(-1, node, tree.end[node]);
    return this.derived(tree, target, (node) => node);
  }

  /**
   * A graph of other nodes.
   * @param {CallTree} tree
   * @param {Int32Array} target  by node of this graph: the one that gets what
   *     it holds itself; -1: none
   * @param {(node: number) => number} origin  the node of this graph to which
   *     a new node may be equal
   */
  derived(tree, target, origin) {
    const values = derivedValues(tree, this.values, target);
    const {sampled, isOwn = false} = this.#errors;
    if (!sampled) return new Graph(tree, values, this.#equalErrors(values, origin));
    const derived = sampled.derived(tree, target);
    const {total, baseTotal} = values;
    const errors = computedErrors(
        derived, isOwn, (node) => [node],
        (node) => total[node] - (baseTotal?.[node] ?? 0));
    return new Graph(tree, values, {...errors, sampled: derived, isOwn});
  }

  /**
   * What sampling says about nodes whose values are those of a node of this
   * graph stays true.
   * @param {NodeValues} values @param {(node: number) => number} origin
   * @returns {GraphErrors}
   */
  #equalErrors({total, baseTotal}, origin) {
    const {countsAll} = this.#errors;
    const isEqual = (/** @type {number} */ node) => {
      const {values} = this;
      const old = origin(node);
      return total[node] === values.total[old] &&
        baseTotal?.[node] === values.baseTotal?.[old];
    };
    return {
      interval: (node) => isEqual(node) ? this.interval(origin(node)) : null,
      hasChanged: (node) =>
        isEqual(node) ? this.hasChanged(origin(node)) : countsAll || null,
      countsAll,
    };
  }

  /** What the errors of sums follow from; null if they are not known. */
  get sampled() {
    return this.#errors.sampled ?? null;
  }

  /**
   * What sampling says about a graph whose nodes stand for several nodes of
   * this one.
   * @param {(node: number) => ArrayLike<number>} parts
   * @returns {GraphErrors}
   */
  errorsOf(parts) {
    const {sampled, isOwn = false, countsAll} = this.#errors;
    if (sampled)
      return computedErrors(sampled, isOwn, parts,
                            (node) => this.#changeOfSum(parts(node)));
    return {
      interval: (node) =>
        parts(node).length === 1 ? this.interval(parts(node)[0]) : null,
      hasChanged: (node) => this.haveChanged(parts(node)),
      countsAll,
    };
  }

  /** @param {ArrayLike<number>} nodes */
  #changeOfSum(nodes) {
    let sum = 0;
    for (let i = 0; i < nodes.length; ++i) sum += this.change(nodes[i]);
    return sum;
  }

  /**
   * Whether the sum of nodes has changed. If its error is not known, it has if
   * each of them has grown.
   * @param {ArrayLike<number>} nodes
   */
  haveChanged(nodes) {
    if (nodes.length === 1) return this.hasChanged(nodes[0]);
    if (this.#errors.countsAll) return true;
    if (this.#errors.sampled)
      return this.errorsOf(() => nodes).hasChanged(0);
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
