// SPDX-License-Identifier: Apache-2.0
//
// The names of the rows of the table, put together from other names.
/** @import {Profile} from "./profile.js" */

/**
 * @typedef {object} NamedRows
 * @property {string[]} names
 * @property {string[]} selections  what a row selects, or ""
 * @property {(string|undefined)[]} [places]  of lines: the end of the name
 */

export class RowNames {
  #profile;

  /** @param {Profile} profile */
  constructor(profile) {
    this.#profile = profile;
  }

  get functions() {
    const labels = this.#profile.block.indexes("functions.label");
    return this.#named("functions", labels, (name) => name);
  }

  /** "main /src/a.cc:3" */
  get lines() {
    const {block, header} = this.#profile;
    const [labels, files, lines] = ["label", "file", "line"].map((part) =>
      block.indexes(`lines.${part}`));
    const places = Array.from(labels, (label, row) => {
      const file = files[row] > 0 ? header.files[files[row] - 1] : "??";
      return label > 0 ? `${file}:${lines[row]}` : undefined;
    });
    return {...this.#named("lines", labels, (name, row) =>
      `${name} ${places[row]}`), places};
  }

  get files() {
    const {block, header, nodeFile} = this.#profile;
    return namedRows("i", block.indexes("files.file"), header.files, nodeFile);
  }

  get modules() {
    const {block, header, nodeModule} = this.#profile;
    return namedRows("m", block.indexes("modules.module"), header.modules,
                     nodeModule);
  }

  /** "RocksDB": the frame that stands for a group is "[RocksDB]". */
  get groups() {
    const labels = this.#profile.block.indexes("groups.label");
    return this.#named("groups", labels, groupOfFrame);
  }

  /**
   * @param {string} table @param {Uint32Array} labels  by row, + 1
   * @param {(label: string, row: number) => string} nameOf
   * @returns {NamedRows}
   */
  #named(table, labels, nameOf) {
    const {header, labels: texts} = this.#profile;
    const others = header.names[table] ?? {};
    return {
      names: Array.from(labels, (label, row) =>
        label > 0 ? nameOf(texts[label - 1], row) : others[row] ?? ""),
      selections: Array.from(labels, (label) =>
        label > 0 ? `f${label - 1}` : ""),
    };
  }
}

/** @param {string} frame */
function groupOfFrame(frame) {
  return frame === "[other]" ? frame : frame.slice(1, -1);
}

/**
 * Only what calls belong to can be selected.
 * @param {string} kind @param {Uint32Array} numbers  by row, + 1
 * @param {string[]} texts @param {Iterable<number>} used  by node, + 1
 * @returns {NamedRows}
 */
function namedRows(kind, numbers, texts, used) {
  const selectable = new Set(used);
  return {
    names: Array.from(numbers, (number) => texts[number - 1]),
    selections: Array.from(numbers, (number) =>
      selectable.has(number) ? `${kind}${number - 1}` : ""),
  };
}
