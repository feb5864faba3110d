// SPDX-License-Identifier: Apache-2.0
//
// Finds functions by a regular expression: by their names, or by the names
// without arguments and templates.
/** @import {CallTree} from "../shared/call_tree.js" */

export class Search {
  /** @type {Uint8Array|null} by label; null if nothing is searched for */
  matches = null;
  /** True if the text is no regular expression; it is then found as it is. */
  isLiteral = false;

  /**
   * @param {string} text @param {string[]} labels
   * @param {(index: number) => string} shortName  of a label
   */
  constructor(text, labels, shortName) {
    if (text === "") return;
    const pattern = this.#compile(text);
    this.matches = Uint8Array.from(labels, (label, i) =>
      pattern.test(label) || pattern.test(shortName(i)) ? 1 : 0);
  }

  // Case counts if there is a capital letter.
  /** @param {string} text */
  #compile(text) {
    const flags = /\p{Lu}/u.test(text) ? "" : "i";
    try {
      return new RegExp(text, flags);
    } catch {
      this.isLiteral = true;
      return new RegExp(literalPattern(text), flags);
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

/** A regular expression that finds a text as it is. @param {string} text */
export function literalPattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
