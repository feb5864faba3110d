// SPDX-License-Identifier: Apache-2.0
//
// What is selected: a function, a file or a module.
/** @import {TableName} from "./block.js" */
/** @import {Profile} from "./profile.js" */

export class Selected {
  #profile;
  #kind;
  #index;

  /** @param {Profile} profile @param {string} kind @param {number} index */
  constructor(profile, kind, index) {
    this.#profile = profile;
    this.#kind = kind;
    this.#index = index;
  }

  /**
   * Reads "f12", "i3" or "m0"; null if there is no such thing.
   * @param {Profile} profile @param {string} text
   */
  static parse(profile, text) {
    const found = /^([fim])(\d+)$/.exec(text);
    if (!found) return null;
    const selected = new Selected(profile, found[1], Number(found[2]));
    return selected.name === undefined ? null : selected;
  }

  /** The index of the function, or -1. */
  get label() {
    return this.#kind === "f" ? this.#index : -1;
  }

  get name() {
    const {labels, header} = this.#profile;
    const names = {f: labels, i: header.files, m: header.modules};
    return names[/** @type {"f"|"i"|"m"} */ (this.#kind)][this.#index];
  }

  get shortName() {
    return this.label < 0 ? this.name : this.#profile.shortName(this.label);
  }

  /** The table that has a row for it. @returns {TableName} */
  get table() {
    const tables = /** @type {Record<string, TableName>} */ (
      {f: "functions", i: "files", m: "modules"});
    return tables[this.#kind];
  }

  /** The value of "select" in the state. */
  get text() {
    return `${this.#kind}${this.#index}`;
  }

  /**
   * By label of the tree of functions or, if this is no function, of
   * Profile.placeTree: 1 if it belongs to the selection.
   */
  matches() {
    const {labels, placeTree: {files, modules}} = this.#profile;
    return this.#kind === "f" ?
      Uint8Array.from(labels, (_, label) => label === this.#index ? 1 : 0) :
      Uint8Array.from(this.#kind === "i" ? files : modules,
                      (key) => key === this.#index + 1 ? 1 : 0);
  }
}
