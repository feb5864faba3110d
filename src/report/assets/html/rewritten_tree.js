// SPDX-License-Identifier: Apache-2.0
//
// Trees made of another tree by merging and leaving out calls.
import {CallTree} from "../shared/call_tree.js";
/** @import {Graph} from "./graph.js" */

/**
 * A tree, and the nodes that it was made of.
 * @typedef {object} RewrittenTree
 * @property {CallTree} tree
 * @property {Int32Array} target  by old node: where it went; -1: it is left out
 * @property {Uint32Array} first  by new node: one of its old nodes
 */

export class TreeBuilder {
  #parents = [0];
  #labels = [0];
  #known = new Map();  // by parent and label
  #count = 1;  // of labels

  /** @param {CallTree} tree  whose labels the new tree has */
  constructor({label}) {
    for (let i = 0; i < label.length; ++i)
      this.#count = Math.max(this.#count, label[i] + 1);
  }

  /** @param {number} node */
  parentOf(node) {
    return this.#parents[node];
  }

  /** @param {number} node */
  labelOf(node) {
    return this.#labels[node];
  }

  /** @param {number} parent @param {number} label */
  childOf(parent, label) {
    const key = parent * this.#count + label;
    let node = this.#known.get(key);
    if (node === undefined) {
      node = this.#labels.length;
      this.#known.set(key, node);
      this.#parents.push(parent);
      this.#labels.push(label);
    }
    return node;
  }

  /**
   * @param {Int32Array} built  by old node: the one that was built, or -1
   * @returns {RewrittenTree}
   */
  finish(built) {
    const order = preorder(this.#parents, this.#labels);
    const target = built.map((node) => node < 0 ? -1 : order.position[node]);
    const first = new Uint32Array(this.#labels.length);
    for (let i = built.length - 1; i >= 0; --i)
      if (target[i] >= 0) first[target[i]] = i;
    const label =
        Uint32Array.from(order.nodes, (node) => this.#labels[node]);
    return {tree: new CallTree(label, order.depth), target, first};
  }
}

/**
 * Puts nodes in preorder, children by label.
 * @param {number[]} parents @param {number[]} labels
 */
function preorder(parents, labels) {
  const length = parents.length;
  /** @type {number[][]} */
  const children = Array.from({length}, () => []);
  for (let i = 1; i < length; ++i) children[parents[i]].push(i);
  const nodes = new Uint32Array(length);
  const position = new Uint32Array(length);
  const depth = new Uint32Array(length);
  const open = [0];
  for (let at = 0; at < length; ++at) {
    const node = /** @type {number} */ (open.pop());
    nodes[at] = node;
    position[node] = at;
    depth[at] = node === 0 ? 0 : depth[position[parents[node]]] + 1;
    children[node].sort((a, b) => labels[b] - labels[a]);
    for (const child of children[node]) open.push(child);
  }
  return {nodes, position, depth};
}

/**
 * A tree that has the nodes of the old one, perhaps with other labels.
 * @param {CallTree} tree @returns {RewrittenTree}
 */
export function sameNodes(tree) {
  const nodes = Uint32Array.from({length: tree.length}, (_, node) => node);
  return {tree, target: Int32Array.from(nodes), first: nodes};
}

/**
 * The tree in which no node has two children with the same label; null if this
 * is already so.
 * @param {CallTree} tree
 * @param {Iterable<number>} nodes  all nodes that may have such a sibling
 * @returns {RewrittenTree|null}
 */
export function withoutEqualSiblings(tree, nodes) {
  const {label, parent, end} = tree;
  const isRepeated = (/** @type {number} */ node) =>
    end[node] < tree.length && parent[end[node]] === parent[node] &&
      label[end[node]] === label[node];
  if (![...nodes].some(isRepeated)) return null;
  const builder = new TreeBuilder(tree);
  const built = new Int32Array(tree.length);
  for (let i = 1; i < tree.length; ++i)
    built[i] = builder.childOf(built[parent[i]], label[i]);
  return builder.finish(built);
}

/**
 * The graph with the rewritten tree.
 * @param {Graph} graph @param {RewrittenTree} rewritten
 */
export function rewriteGraph(graph, rewritten) {
  return graph.derived(rewritten.tree, rewritten.target,
                       (node) => rewritten.first[node]);
}
