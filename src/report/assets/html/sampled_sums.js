// SPDX-License-Identifier: Apache-2.0
//
// The values of a tree with the variances of their sampling errors, from which
// the error of every sum of nodes follows.
/** @import {ErrorModel, Estimate} from "./error_model.js" */
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {NodeValues} from "./profile.js" */
/** @import {NodeRanges, SharedSeeds} from "./shared_seeds.js" */

/**
 * By node. The variances have the form of values, without what `seeds` add.
 * @typedef {{values: NodeValues, variances: NodeValues, seeds: SharedSeeds[]}}
 *     Estimates
 */

export class SampledSums {
  #tree;
  #read;
  /** @type {Estimates|null} */
  #kept = null;
  /** @type {Map<number, Interval>} */
  #intervals = new Map();
  /** @type {Map<number, boolean>} */
  #changes = new Map();
  /** @type {number|null} */
  #keptRepetition = null;

  /**
   * @param {ErrorModel} model @param {CallTree} tree
   * @param {() => Estimates} read  called when the first error is asked for
   */
  constructor(model, tree, read) {
    this.model = model;
    this.#tree = tree;
    this.#read = read;
  }

  get estimates() {
    return this.#kept ??= this.#read();
  }

  get isComparison() {
    return this.estimates.values.baseTotal !== null;
  }

  /**
   * Of the total of a node, or of its change. Node 0 has everything.
   * @param {number} node @returns {Interval}
   */
  interval(node) {
    const first = this.#firstOfChain(node);
    let interval = this.#intervals.get(first);
    if (!interval) {
      interval = this.#intervalOf([first], first === 0 ? "total" : "entry");
      this.#intervals.set(first, interval);
    }
    return interval;
  }

  /**
   * Whether the total of a node has changed by more than chance.
   * @param {number} node @returns {boolean}
   */
  hasChanged(node) {
    const first = this.#firstOfChain(node);
    let hasChanged = this.#changes.get(first);
    if (hasChanged === undefined) {
      hasChanged = this.#haveChanged([first], first === 0 ? "total" : "entry");
      this.#changes.set(first, hasChanged);
    }
    return hasChanged;
  }

  /**
   * Most nodes have the values of their parent.
   * @param {number} node
   */
  #firstOfChain(node) {
    const {values, variances} = this.estimates;
    const all = [values.total, values.baseTotal, variances.total,
                 variances.baseTotal];
    const {parent} = this.#tree;
    while (parent[node] !== 0 &&
           all.every((of) => of?.[node] === of?.[parent[node]]))
      node = parent[node];
    return node;
  }

  /** Of nodes that are not inside each other. @param {ArrayLike<number>} nodes */
  intervalOfSum(nodes) {
    return nodes.length === 1 ? this.interval(nodes[0]) :
      this.#intervalOf(nodes, "entry");
  }

  /** As intervalOfSum(). @param {ArrayLike<number>} nodes */
  sumHasChanged(nodes) {
    return nodes.length === 1 ? this.hasChanged(nodes[0]) :
      this.#haveChanged(nodes, "entry");
  }

  /** @param {ArrayLike<number>} nodes @param {"entry"|"total"} extent */
  #haveChanged(nodes, extent) {
    const [now, base] = this.#sides(nodes);
    return base !== null &&
        this.model.hasChanged(now, base, extent, this.repetition);
  }

  /** @param {ArrayLike<number>} nodes @param {"entry"|"total"} extent */
  #intervalOf(nodes, extent) {
    const [now, base] = this.#sides(nodes);
    return this.model.interval(now, base, extent, this.repetition);
  }

  /**
   * @param {ArrayLike<number>} nodes
   * @returns {[Estimate, Estimate|null]}  now, and in the base
   */
  #sides(nodes) {
    const {values, variances, seeds} = this.estimates;
    const {end} = this.#tree;
    const ranges = seeds.length === 0 ? [] : Array.from(
        nodes, (node) => /** @type {[number, number]} */ ([node, end[node]]));
    const estimate = (/** @type {0|1} */ side) => {
      const name = side === 0 ? "total" : "baseTotal";
      const [value, variance] = [values[name], variances[name]];
      return value && variance && {
        value: sumAt(value, nodes),
        variance: sumAt(variance, nodes) + this.sharedVariance(side, ranges),
      };
    };
    return [estimate(0) ?? {value: 0, variance: 0}, estimate(1)];
  }

  /**
   * What threads with the same seed add to the variance of a sum.
   * @param {0|1} side @param {NodeRanges} ranges
   */
  sharedVariance(side, ranges) {
    return this.estimates.seeds.reduce((sum, run) =>
      sum + (run.side === side ? run.variance(ranges) : 0), 0);
  }

  /** See ErrorModel.interval(). */
  get repetition() {
    if (this.estimates.seeds.length === 0) return 1;
    if (this.#keptRepetition === null) {
      const [now, base] = this.#sides([0]);
      this.#keptRepetition = Math.max(this.model.repetition(now, 0),
                                      this.model.repetition(base, 1));
    }
    return this.#keptRepetition;
  }

  /** The change of the total of nodes. @param {ArrayLike<number>} nodes */
  changeOfSum(nodes) {
    const {total, baseTotal} = this.estimates.values;
    return sumAt(total, nodes) - (baseTotal ? sumAt(baseTotal, nodes) : 0);
  }

  /**
   * Of another tree: see Graph.derived().
   * @param {CallTree} tree @param {Int32Array} target
   */
  derived(tree, target) {
    return new SampledSums(this.model, tree, () => {
      const {values, variances, seeds} = this.estimates;
      return {values: derivedValues(tree, values, target),
              variances: derivedValues(tree, variances, target),
              seeds: seeds.map((run) => run.derived(tree, target))};
    });
  }
}

/**
 * @param {CallTree} tree @param {NodeValues} values  of another tree
 * @param {Int32Array} target  see Graph.derived()
 * @returns {NodeValues}
 */
export function derivedValues(tree, values, target) {
  const sums = (/** @type {Float64Array} */ self) => {
    const made = new Float64Array(tree.length);
    for (let i = 0; i < self.length; ++i)
      if (target[i] >= 0) made[target[i]] += self[i];
    return made;
  };
  const self = sums(values.self);
  const baseSelf = values.baseSelf && sums(values.baseSelf);
  return {self, total: tree.totals(self), baseSelf,
          baseTotal: baseSelf && tree.totals(baseSelf)};
}

/** @param {Float64Array} values @param {ArrayLike<number>} nodes */
function sumAt(values, nodes) {
  let sum = 0;
  for (let i = 0; i < nodes.length; ++i) sum += values[nodes[i]];
  return sum;
}
