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
   * How many frames match.
   * @param {CallTree} tree @param {Float64Array} sizes
   */
  count(tree, sizes) {
    let frames = 0;
    for (let i = 1; i < tree.length; ++i)
      if (this.matches?.[tree.label[i]] && sizes[i] > 0) ++frames;
    return frames;
  }

  /**
   * The matches that are in no other match, the largest first.
   * @param {CallTree} tree @param {Float64Array} sizes
   */
  outermost(tree, sizes) {
    if (!this.matches) return [];
    return tree.outermost(this.matches).filter((node) => sizes[node] > 0).sort(
        (a, b) => sizes[b] - sizes[a] || a - b);
  }
}
