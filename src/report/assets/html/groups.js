// SPDX-License-Identifier: Apache-2.0
//
// The callers and callees of functions: all calls of the same function from the
// same callers are one group. Groups at each level add up to the level above.
import {CallTree} from "../shared/call_tree.js";
import {Graph, verdictOf} from "./graph.js";

/**
 * @typedef {object} StackGroup
 * @property {number} label
 * @property {Uint32Array} at  the nodes of this function
 * @property {Uint32Array} counted  for each of them the node whose total counts
 * @property {number} value
 * @property {number} base
 */

/** @typedef {"callers"|"callees"} Direction */

export class StackGroups {
  #graph;
  /** @type {Int32Array} */
  #slot;

  /** @param {Graph} graph @param {number} labels  how many there are */
  constructor(graph, labels) {
    this.#graph = graph;
    this.#slot = new Int32Array(labels).fill(-1);
  }

  /**
   * The group of calls of which none is inside another.
   * @param {number[]} calls  nodes
   * @returns {StackGroup}
   */
  start(calls) {
    const nodes = Uint32Array.from(calls);
    return this.#group(0, nodes, nodes);
  }

  /**
   * The groups one level up or down, the largest first.
   * @param {StackGroup} group @param {Direction} direction
   */
  next(group, direction) {
    const {at, counted} = direction === "callers" ? this.#parents(group) :
      this.#children(group);
    return this.#split(at, counted).sort(
        (a, b) => Math.max(b.value, b.base) - Math.max(a.value, a.base) ||
          a.label - b.label);
  }

  /** @param {StackGroup} group */
  #parents(group) {
    const {parent} = this.#graph.tree;
    const {total, baseTotal} = this.#graph.values;
    /** @type {number[]} */
    const at = [];
    /** @type {number[]} */
    const counted = [];
    for (let i = 0; i < group.at.length; ++i) {
      const node = group.counted[i];
      if (parent[group.at[i]] === 0 || !(total[node] > 0 ||
                                         (baseTotal && baseTotal[node] > 0)))
        continue;
      at.push(parent[group.at[i]]);
      counted.push(group.counted[i]);
    }
    return {at, counted};
  }

  /** @param {StackGroup} group */
  #children({at}) {
    const {end} = this.#graph.tree;
    const {total, baseTotal} = this.#graph.values;
    const nodes = [];
    for (const node of at)
      for (let i = node + 1; i < end[node]; i = end[i])
        if (total[i] > 0 || (baseTotal && baseTotal[i] > 0)) nodes.push(i);
    return {at: nodes, counted: nodes};
  }

  /** @param {number[]} at @param {number[]} counted */
  #split(at, counted) {
    const {label} = this.#graph.tree;
    const slot = this.#slot;
    /** @type {number[]} */
    const labels = [];
    /** @type {number[]} */
    const sizes = [];
    for (const node of at) {
      if (slot[label[node]] < 0) {
        slot[label[node]] = labels.length;
        labels.push(label[node]);
        sizes.push(0);
      }
      ++sizes[slot[label[node]]];
    }
    const parts = sizes.map((size) => ({
      at: new Uint32Array(size), counted: new Uint32Array(size), next: 0}));
    for (let i = 0; i < at.length; ++i) {
      const part = parts[slot[label[at[i]]]];
      part.at[part.next] = at[i];
      part.counted[part.next++] = counted[i];
    }
    for (const used of labels) slot[used] = -1;
    return parts.map((part, i) =>
      this.#group(labels[i], part.at, part.counted));
  }

  /**
   * @param {number} label @param {Uint32Array} at @param {Uint32Array} counted
   * @returns {StackGroup}
   */
  #group(label, at, counted) {
    const {total, baseTotal} = this.#graph.values;
    let [value, base] = [0, 0];
    for (const node of counted) {
      value += total[node];
      if (baseTotal) base += baseTotal[node];
    }
    return {label, at, counted, value, base};
  }

  /** GROWN, SHRUNK or 0, and IS_NEW. @param {StackGroup} group */
  verdict({counted, value, base}) {
    return verdictOf(this.#graph.haveChanged(counted) ?? false, value, base);
  }

  /**
   * All levels as a graph whose root is `group`. Groups that are too small to
   * see have no children there.
   * @param {StackGroup} group @param {Direction} direction
   */
  graph(group, direction) {
    const LEAST_SHARE = 1e-5;
    const least = LEAST_SHARE * Math.max(group.value, group.base);
    const [labels, depths, totals, bases] =
      /** @type {number[][]} */ ([[], [], [], []]);
    /** @type {Uint32Array[]} */
    const counted = [];
    const open = [{group, depth: 0}];
    for (let next = open.pop(); next; next = open.pop()) {
      const {group, depth} = next;
      labels.push(group.label);
      depths.push(depth);
      totals.push(group.value);
      bases.push(group.base);
      counted.push(group.counted);
      if (Math.max(group.value, group.base) < least) continue;
      for (const part of this.next(group, direction).reverse())
        open.push({group: part, depth: depth + 1});
    }
    const tree = new CallTree(Uint32Array.from(labels),
                              Uint32Array.from(depths));
    const isComparison = this.#graph.isComparison;
    const total = Float64Array.from(totals);
    const baseTotal = isComparison ? Float64Array.from(bases) : null;
    const values = {total, self: selfOf(tree, total), baseTotal,
                    baseSelf: baseTotal && selfOf(tree, baseTotal)};
    return new Graph(tree, values,
                     this.#graph.errorsOf((node) => counted[node]));
  }
}

/**
 * What is not in children.
 * @param {CallTree} tree
 * @param {Float64Array} total
 */
function selfOf(tree, total) {
  const self = total.slice();
  for (let i = 1; i < tree.length; ++i) self[tree.parent[i]] -= total[i];
  return self;
}
