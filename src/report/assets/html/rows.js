// SPDX-License-Identifier: Apache-2.0
//
// The rows of the table: for the whole profile as the data block has them, for
// a thread or a dump added up over the tree.
"use strict";

/**
 * @typedef {object} Rows
 * @property {string[]} names
 * @property {string[]} selections  what a row selects, or ""
 * @property {Float64Array} self
 * @property {Float64Array} total
 * @property {Float64Array|null} baseSelf
 * @property {Float64Array|null} baseTotal
 * @property {IntervalList|null} selfBounds
 * @property {IntervalList|null} totalBounds
 */

/**
 * Null if the data has no such rows.
 * @param {Profile} profile @param {TableName} table @param {number} metric
 * @param {Part} part
 * @returns {Rows|null}
 */
function tableRows(profile, table, metric, part) {
  if (part.kind === "all") return storedRows(profile, table, metric);
  return table === "lines" ? null :
    addedRows(profile, table, profile.values(metric, part));
}

/**
 * @param {Profile} profile
 * @param {TableName} table
 * @param {number} metric
 * @returns {Rows}
 */
function storedRows(profile, table, metric) {
  const {block, header} = profile;
  const prefix = `${table}.${header.metrics[metric].name}`;
  const index = block.increasing(`${prefix}.bounds.row`);
  const bounds = (/** @type {string} */ value) =>
    new IntervalList(index, block.column(`${prefix}.bounds.${value}_lower`),
                     block.column(`${prefix}.bounds.${value}_upper`));
  const base = (/** @type {string} */ name) =>
    header.is_comparison ? block.column(`${prefix}.${name}`) : null;
  return {
    ...profile.rowNames[table],
    self: block.column(`${prefix}.self`),
    total: block.column(`${prefix}.total`),
    baseSelf: base("base_self"), baseTotal: base("base_total"),
    selfBounds: bounds("self"), totalBounds: bounds("total"),
  };
}

/** Rows that have something in this metric. @param {Rows} rows */
function presentRows({names, total, baseTotal}) {
  return [...names.keys()].filter((row) =>
    total[row] !== 0 || (baseTotal !== null && baseTotal[row] !== 0));
}

/**
 * @param {Profile} profile
 * @param {TableName} table
 * @param {NodeValues} values
 * @returns {Rows}
 */
function addedRows(profile, table, values) {
  const {header, tree, labels} = profile;
  const [kind, names, keys] =
      table === "files" ? ["i", header.files, profile.labelFile] :
      table === "modules" ? ["m", header.modules, profile.labelModule] :
      ["f", labels, labels.map((_, label) => label + 1)];
  const {self, total} = sumsByKey(tree, values, keys, names.length + 1);
  const used = [...total.keys()].filter((key) => key > 0 && total[key] > 0);
  return {
    names: used.map((key) => names[key - 1]),
    selections: used.map((key) => `${kind}${key - 1}`),
    self: Float64Array.from(used, (key) => self[key]),
    total: Float64Array.from(used, (key) => total[key]),
    baseSelf: null, baseTotal: null, selfBounds: null, totalBounds: null,
  };
}

/**
 * Adds up nodes with the same key. A stack counts once for each key that occurs
 * in it.
 * @param {CallTree} tree @param {NodeValues} values
 * @param {ArrayLike<number>} keys  by label; 0: none @param {number} count
 */
function sumsByKey(tree, values, keys, count) {
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const end = new Uint32Array(count);  // of the last outermost node of a key
  for (let i = 1; i < tree.length; ++i) {
    const key = keys[tree.label[i]];
    self[key] += values.self[i];
    if (i < end[key]) continue;
    total[key] += values.total[i];
    end[key] = tree.end[i];
  }
  return {self, total};
}
