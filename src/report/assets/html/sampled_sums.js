// SPDX-License-Identifier: Apache-2.0
//
// The values of a tree with the variances of their sampling errors, from which
// the error of every sum of nodes follows.
/** @import {ErrorModel} from "./error_model.js" */
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {NodeValues} from "./profile.js" */

/**
 * By node. The variances have the form of values.
 * @typedef {{values: NodeValues, variances: NodeValues}} Estimates
 */

export class SampledSums {
  #tree;
  #read;
  /** @type {Estimates|null} */
  #kept = null;
  /** @type {Map<number, Interval>} */
  #intervals = new Map();

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

  /** @param {ArrayLike<number>} nodes @param {"entry"|"total"} extent */
  #intervalOf(nodes, extent) {
    const {values, variances} = this.estimates;
    const estimate = (/** @type {"total"|"baseTotal"} */ side) => {
      const [value, variance] = [values[side], variances[side]];
      return value && variance &&
        {value: sumAt(value, nodes), variance: sumAt(variance, nodes)};
    };
    const now = estimate("total") ?? {value: 0, variance: 0};
    return this.model.interval(now, estimate("baseTotal"), extent);
  }

  /** The change of the total of nodes. @param {ArrayLike<number>} nodes */
  changeOfSum(nodes) {
    const {total, baseTotal} = this.estimates.values;
    return sumAt(total, nodes) - (baseTotal ? sumAt(baseTotal, nodes) : 0);
  }

  /**
   * Of another tree: see Graph.derived().
   * @param {CallTree} tree @param {(self: Float64Array) => Float64Array} sums
   */
  derived(tree, sums) {
    return new SampledSums(this.model, tree, () => {
      const {values, variances} = this.estimates;
      return {values: derivedValues(tree, values, sums),
              variances: derivedValues(tree, variances, sums)};
    });
  }
}

/**
 * @param {CallTree} tree @param {NodeValues} values  of another tree
 * @param {(self: Float64Array) => Float64Array} sums
 * @returns {NodeValues}
 */
export function derivedValues(tree, values, sums) {
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
