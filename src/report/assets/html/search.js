// SPDX-License-Identifier: Apache-2.0
//
// Finds functions by a regular expression.
"use strict";

class Search {
  /** @type {Uint8Array|null} by label; null if nothing is searched for */
  matches = null;
  /** True if the text is no regular expression; it is then found as it is. */
  isLiteral = false;

  /** @param {string} text @param {string[]} labels */
  constructor(text, labels) {
    this.text = text;
    if (text === "") return;
    const pattern = this.#compile(text);
    this.matches = Uint8Array.from(labels, (label) =>
      pattern.test(label) ? 1 : 0);
  }

  // Case counts if there is a capital letter.
  /** @param {string} text */
  #compile(text) {
    const flags = /\p{Lu}/u.test(text) ? "" : "i";
    try {
      return new RegExp(text, flags);
    } catch {
      this.isLiteral = true;
      return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), flags);
    }
  }

  /**
   * The sum of all stacks with a match; the frames that match.
   * @param {CallTree} tree @param {Float64Array} total
   */
  sum(tree, total) {
    let [size, frames] = [0, 0];
    if (!this.matches) return {size, frames};
    let end = 0;
    for (let i = 1; i < tree.length; ++i) {
      if (this.matches[tree.label[i]] === 0 || total[i] === 0) continue;
      ++frames;
      if (i < end) continue;
      size += total[i];
      end = tree.end[i];
    }
    return {size, frames};
  }

  /**
   * The matches that are in no other match, the largest first.
   * @param {CallTree} tree @param {Float64Array} total
   */
  outermost(tree, total) {
    if (!this.matches) return [];
    return tree.outermost(this.matches).filter((node) => total[node] > 0).sort(
        (a, b) => total[b] - total[a] || a - b);
  }
}
