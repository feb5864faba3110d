// SPDX-License-Identifier: Apache-2.0
//
// The functions and calls of a call graph: the most important functions, and
// what flows between them. A stack counts once for a function and for a call,
// even if the function recurses.
import {sumsByKey} from "./rows.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {NodeValues} from "./profile.js" */

/**
 * @typedef {object} GraphNode
 * @property {number} label
 * @property {number} self @property {number} total  now
 * @property {number} baseSelf @property {number} baseTotal  0 without a base
 */

/**
 * @typedef {object} GraphEdge
 * @property {number} from  index of the caller
 * @property {number} to
 * @property {number} value  now
 * @property {number} base
 * @property {boolean} skips  there are functions between them that are not shown
 */

/**
 * @param {CallTree} tree @param {NodeValues} values
 * @param {number} most  functions
 * @param {(label: number) => boolean} isOwn
 * @param {number[]} [groups]  labels of frames that stand for groups, which
 *     are shown in addition
 * @returns {{nodes: GraphNode[], edges: GraphEdge[]}}
 */
export function callGraph(tree, values, most, isOwn, groups = []) {
  const {self, total, baseSelf, baseTotal} = values;
  let count = 0;
  for (let i = 0; i < tree.length; ++i)
    count = Math.max(count, tree.label[i] + 1);
  const all = [...Array(count).keys()];
  const now = sumsByKey(tree, {self, total}, all, count);
  const base = baseSelf && baseTotal &&
      sumsByKey(tree, {self: baseSelf, total: baseTotal}, all, count);
  const size = larger(total, baseTotal);
  const totals = larger(now.total, base?.total);
  const important =
      importantLabels(tree, size, larger(now.self, base?.self), totals, most);
  important.push(...ownCallers(tree, size, important, isOwn));
  // The largest group comes first, where a look at the graph begins.
  const roots = groups.filter((label) => totals[label] > 0)
      .sort((a, b) => totals[b] - totals[a]);
  const chosen = [...new Set([...roots, ...important])];
  const nodes = chosen.map((label) => ({
    label, self: now.self[label], total: now.total[label],
    baseSelf: base?.self[label] ?? 0, baseTotal: base?.total[label] ?? 0}));
  return {nodes, edges: largeEdges(
      edgesBetween(tree, total, baseTotal, chosen), size[0], nodes.length)};
}

/**
 * @param {Float64Array} now @param {Float64Array|null|undefined} base
 */
function larger(now, base) {
  return base ? now.map((value, i) => Math.max(value, base[i])) : now;
}

/**
 * The labels with the highest score, as in pprof: what a function allocates
 * itself counts, and where memory divides among many callers or callees.
 * Functions that only pass calls on have a low score.
 * @param {CallTree} tree @param {Float64Array} size  of nodes
 * @param {Float64Array} self @param {Float64Array} total  by label
 * @param {number} most
 */
function importantLabels(tree, size, self, total, most) {
  const [callers, callees] = [sharesOf(tree, size, true),
                              sharesOf(tree, size, false)];
  const score = self.map((own, label) => total[label] === 0 ? 0 :
    own + total[label] * (entropy(callers.get(label), 0) +
                          entropy(callees.get(label), own)));
  return [...score.keys()].filter((label) => score[label] > 0)
      .sort((a, b) => score[b] - score[a] || a - b).slice(0, most);
}

/**
 * For each function of others that no chosen one calls, the nearest own caller
 * through which it holds the most. Without it, an allocator would stand alone.
 * @param {CallTree} tree @param {Float64Array} size  of nodes
 * @param {number[]} chosen  labels @param {(label: number) => boolean} isOwn
 */
function ownCallers(tree, size, chosen, isOwn) {
  /** @type {Map<number, Map<number, number>>} */
  const callers = new Map(chosen.filter((label) => !isOwn(label))
      .map((label) => [label, new Map()]));
  const isChosen = new Set(chosen);
  // By node, the innermost chosen and the innermost own label.
  const outer = new Int32Array(tree.length).fill(-1);
  const own = new Int32Array(tree.length).fill(-1);
  for (let i = 1; i < tree.length; ++i) {
    const parent = tree.parent[i];
    const label = tree.label[i];
    const sums = callers.get(label);
    if (outer[parent] >= 0) {
      if (outer[parent] !== label) callers.delete(label);
    } else if (sums && own[parent] >= 0) {
      sums.set(own[parent], (sums.get(own[parent]) ?? 0) + size[i]);
    }
    outer[i] = isChosen.has(label) ? label : outer[parent];
    own[i] = isOwn(label) ? label : own[parent];
  }
  const added = new Set();
  for (const sums of callers.values()) {
    const [largest] = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    if (largest) added.add(largest[0]);
  }
  return added;
}

/**
 * By label, the sums by the label of the caller, or of the callee.
 * @param {CallTree} tree @param {Float64Array} size @param {boolean} isCaller
 */
function sharesOf(tree, size, isCaller) {
  /** @type {Map<number, Map<number, number>>} */
  const shares = new Map();
  for (let i = 1; i < tree.length; ++i) {
    const parent = tree.parent[i];
    if (parent === 0) continue;
    const [of, by] = isCaller ? [i, parent] : [parent, i];
    const key = tree.label[of];
    let sums = shares.get(key);
    if (!sums) shares.set(key, sums = new Map());
    const other = tree.label[by];
    sums.set(other, (sums.get(other) ?? 0) + size[i]);
  }
  return shares;
}

/**
 * In bits.
 * @param {Map<number, number>|undefined} sums @param {number} own
 */
function entropy(sums, own) {
  const parts = [...sums?.values() ?? [], own].filter((part) => part > 0);
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.reduce((bits, part) =>
    bits - part / all * Math.log2(part / all), 0);
}

/**
 * From each call of a chosen function to the next one inside it.
 * @param {CallTree} tree @param {Float64Array} total
 * @param {Float64Array|null} baseTotal @param {number[]} chosen  labels
 */
function edgesBetween(tree, total, baseTotal, chosen) {
  const index = new Map(chosen.map((label, i) => [label, i]));
  /** @type {Map<number, GraphEdge & {end: number}>} */
  const edges = new Map();
  const outer = new Int32Array(tree.length).fill(-1);  // the next chosen one
  const skips = new Uint8Array(tree.length);
  for (let i = 1; i < tree.length; ++i) {
    const parent = tree.parent[i];
    const to = index.get(tree.label[i]);
    if (to === undefined) {
      outer[i] = outer[parent];
      skips[i] = outer[parent] < 0 ? 0 : 1;
      continue;
    }
    outer[i] = to;
    const from = outer[parent];
    if (from < 0 || from === to) continue;
    const key = from * chosen.length + to;
    let edge = edges.get(key);
    if (!edge) {
      edge = {from, to, value: 0, base: 0, skips: true, end: 0};
      edges.set(key, edge);
    }
    if (!skips[parent]) edge.skips = false;
    if (i < edge.end) continue;
    edge.value += total[i];
    edge.base += baseTotal?.[i] ?? 0;
    edge.end = tree.end[i];
  }
  return [...edges.values()].map(({end: _, ...edge}) => edge);
}

/**
 * Without the small edges, but with the largest one to each node.
 * @param {GraphEdge[]} edges @param {number} all @param {number} count of nodes
 */
function largeEdges(edges, all, count) {
  const LEAST_SHARE = 0.005;
  const size = (/** @type {GraphEdge} */ edge) =>
    Math.max(edge.value, edge.base);
  /** @type {(GraphEdge|null)[]} */
  const largest = new Array(count).fill(null);
  for (const edge of edges) {
    const known = largest[edge.to];
    if (!known || size(edge) > size(known)) largest[edge.to] = edge;
  }
  return edges.filter((edge) => size(edge) > 0 &&
    (size(edge) >= LEAST_SHARE * all || largest[edge.to] === edge));
}
