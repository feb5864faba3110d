// SPDX-License-Identifier: Apache-2.0
//
// A tree of calls in preorder: node 0 is the root, which stands for the whole
// profile. A subtree is the run of nodes from its root to before `end`, so that
// whoever walks the tree skips a subtree in one step.

export class CallTree {
  /**
   * @param {Uint32Array|Int32Array} label  the function of each node; ignored
   *     for node 0
   * @param {Uint32Array} depth  0 for node 0 only
   */
  constructor(label, depth) {
    this.length = label.length;
    this.label = label;
    this.depth = depth;
    this.parent = new Uint32Array(this.length);
    this.end = new Uint32Array(this.length).fill(this.length);
    this.#link();
  }

  /**
   * @param {Uint32Array} label
   * @param {Uint32Array} up  levels from where a child of the node before would
   *     be to where this node is
   */
  static fromSteps(label, up) {
    const depth = new Uint32Array(up.length);
    for (let i = 1; i < up.length; ++i) depth[i] = depth[i - 1] + 1 - up[i];
    return new CallTree(label, depth);
  }

  #link() {
    const last = [0];  // by depth
    for (let i = 1; i < this.length; ++i) {
      const depth = this.depth[i];
      while (last.length > depth)
        this.end[/** @type {number} */ (last.pop())] = i;
      this.parent[i] = last[depth - 1];
      last.push(i);
    }
  }

  /**
   * Adds up a value over subtrees.
   * @param {Float64Array} self
   */
  totals(self) {
    const total = self.slice();
    for (let i = this.length - 1; i > 0; --i)
      total[this.parent[i]] += total[i];
    return total;
  }

  /**
   * The nodes from the outermost call to `node`.
   * @param {number} node
   */
  path(node) {
    const nodes = [];
    for (let i = node; i !== 0; i = this.parent[i]) nodes.push(i);
    return nodes.reverse();
  }

  /** @param {number} node */
  children(node) {
    const nodes = [];
    for (let i = node + 1; i < this.end[node]; i = this.end[i]) nodes.push(i);
    return nodes;
  }

  /** @param {number} node @param {number} ancestor */
  isInside(node, ancestor) {
    return node >= ancestor && node < this.end[ancestor];
  }

  /**
   * The nodes that match and are inside no other node that does.
   * @param {ArrayLike<number>} matches  by label, not 0 if it matches
   */
  outermost(matches) {
    const nodes = [];
    for (let i = 1; i < this.length;) {
      const isMatch = matches[this.label[i]] !== 0;
      if (isMatch) nodes.push(i);
      i = isMatch ? this.end[i] : i + 1;
    }
    return nodes;
  }
}
