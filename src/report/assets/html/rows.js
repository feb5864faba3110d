// SPDX-License-Identifier: Apache-2.0
//
// The rows of the table: for the whole profile as the data block has them, for
// a thread or a dump added up over the tree.
import {ComputedIntervals, IntervalList} from "./interval_list.js";
/** @import {TableName} from "./block.js" */
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Graph} from "./graph.js" */
/** @import {Intervals} from "./interval_list.js" */
/** @import {NodeValues, Profile} from "./profile.js" */
/** @import {NamedRows} from "./row_names.js" */
/** @import {SampledSums} from "./sampled_sums.js" */
/** @import {NodeRanges} from "./shared_seeds.js" */

/**
 * @typedef {object} Rows
 * @property {string[]} names
 * @property {string[]} selections  what a row selects, or ""
 * @property {(string|undefined)[]} [places]  see NamedRows
 * @property {Float64Array} self
 * @property {Float64Array} total
 * @property {Float64Array|null} baseSelf
 * @property {Float64Array|null} baseTotal
 * @property {ArrayLike<number>|null} sizes  mean sizes of the objects in the
 *     totals, 0 where there are none; null if they are not known
 * @property {Intervals|null} selfBounds
 * @property {Intervals|null} totalBounds
 * @property {Record<"self"|"total", (row: number) => boolean>} hasChanged
 *     by more than chance, where that is known
 * @property {Rows|null} judge  the same rows of the metric whose errors say
 *     whether values have changed; null if every change counts
 */

/** Where nobody knows what is chance. @type {Rows["hasChanged"]} */
export const UNKNOWN_CHANGES = {self: () => false, total: () => false};
const NOTHING = {value: 0, variance: 0};

/**
 * The rows of the whole profile.
 * @param {Profile} profile
 * @param {TableName} table
 * @param {number} metric
 * @returns {Rows}
 */
export function storedRows(profile, table, metric) {
  const {block, header} = profile;
  const {name, judge} = header.metrics[metric];
  const prefix = `${table}.${name}`;
  const bounds = (/** @type {string} */ value) =>
    new IntervalList(block.increasing(`${prefix}.bounds.${value}.row`),
                     block.column(`${prefix}.bounds.${value}.lower`),
                     block.column(`${prefix}.bounds.${value}.upper`));
  const base = (/** @type {string} */ name) =>
    header.is_comparison ? block.column(`${prefix}.${name}`) : null;
  const sizes = block.column(`${prefix}.size`);
  const changed = (/** @type {string} */ value) => {
    const rows = new Set(block.increasing(`${prefix}.changed.${value}`));
    return (/** @type {number} */ row) => rows.has(row);
  };
  /** @type {Rows} */
  const rows = {
    ...profile.rowNames[table],
    self: block.column(`${prefix}.self`),
    total: block.column(`${prefix}.total`),
    baseSelf: base("base_self"), baseTotal: base("base_total"),
    sizes: sizes.length === 0 ? null : sizes,
    selfBounds: bounds("self"), totalBounds: bounds("total"),
    hasChanged: {self: changed("self"), total: changed("total")}, judge: null,
  };
  if (header.metrics[judge].has_errors)
    rows.judge = judge === metric ? rows : storedRows(profile, table, judge);
  return rows;
}

/** Rows that have something in this metric. @param {Rows} rows */
export function presentRows({names, total, baseTotal}) {
  return [...names.keys()].filter((row) =>
    total[row] !== 0 || (baseTotal !== null && baseTotal[row] !== 0));
}

/**
 * The rows of what the graph has, with the errors that follow from its samples.
 * For a table of files or modules, the labels of the graph are those of
 * Profile.codeTree().
 * Null if the data does not say to which rows stacks belong.
 * @param {Profile} profile @param {TableName} table @param {number} metric
 * @param {Graph} graph
 * @returns {Rows|null}
 */
export function addedRows(profile, table, metric, {tree, values, sampled}) {
  if (table === "lines") return null;
  const {names, selections, keys} = rowsOfLabels(profile, table);
  const sumsOf = (/** @type {NodeValues} */ values) =>
    rowSums(tree, values, keys, names.length, table === "groups");
  const sums = sumsOf(values);
  const used = [...names.keys()].filter((key) => names[key] !== "" &&
    (sums.total[key] > 0 || (sums.baseTotal && sums.baseTotal[key] > 0)));
  const plain = (/** @type {NodeValues} */ sums) => ({
    names: used.map((key) => names[key]),
    selections: used.map((key) => selections[key]),
    ...pickValues(sums, used), sizes: null, selfBounds: null, totalBounds: null,
    hasChanged: UNKNOWN_CHANGES, judge: null,
  });
  /** @type {Rows} */
  const rows = plain(sums);
  const {metrics} = profile.header;
  const {judge} = metrics[metric];
  if (!sampled) {
    if (metrics[judge].has_errors) rows.judge = rows;
    return rows;
  }
  const {values: judged, variances, seeds} = sampled.estimates;
  rows.judge = judge === metric ? rows : plain(sumsOf(judged));
  const rangesOf = seeds.length === 0 ? () => [] :
    rangesOfRows(tree, keys, names.length, table === "groups");
  Object.assign(rows.judge, errorsOfRows(
      sampled, rows.judge, pickValues(sumsOf(variances), used),
      (row, isSelf) => rangesOf(used[row], isSelf)));
  return rows;
}

/**
 * Which nodes make the self and the total of a key.
 * @param {CallTree} tree @param {ArrayLike<number>} keys  by label
 * @param {number} count  of keys
 * @param {boolean} isAllOwn  all stacks of a row are its own
 * @returns {(key: number, isSelf: boolean) => NodeRanges}
 */
function rangesOfRows(tree, keys, count, isAllOwn) {
  /** @type {number[][]} */
  const nodes = Array.from({length: count}, () => []);
  for (let node = 1; node < tree.length; ++node)
    nodes[keys[tree.label[node]]].push(node);
  return (key, isSelf) => {
    if (isSelf && !isAllOwn) return nodes[key].map((node) => [node, node + 1]);
    let end = 0;  // of the last outermost node
    /** @type {NodeRanges} */
    const ranges = [];
    for (const node of nodes[key]) {
      if (node < end) continue;
      end = tree.end[node];
      ranges.push([node, end]);
    }
    return ranges;
  };
}

/**
 * @param {CallTree} tree @param {NodeValues} values
 * @param {ArrayLike<number>} keys  by label @param {number} count  of keys
 * @param {boolean} isAllOwn  all stacks of a row are its own
 * @returns {NodeValues}  by key
 */
function rowSums(tree, {self, total, baseSelf, baseTotal}, keys, count,
                 isAllOwn) {
  const sumsOf = (/** @type {{self: Float64Array, total: Float64Array}} */
                  values) => {
    const sums = sumsByKey(tree, values, keys, count);
    return isAllOwn ? {self: sums.total, total: sums.total} : sums;
  };
  const base =
      baseSelf && baseTotal && sumsOf({self: baseSelf, total: baseTotal});
  return {...sumsOf({self, total}), baseSelf: base && base.self,
          baseTotal: base && base.total};
}

/** @param {NodeValues} values @param {number[]} used @returns {NodeValues} */
function pickValues({self, total, baseSelf, baseTotal}, used) {
  const pick = (/** @type {Float64Array} */ values) =>
    Float64Array.from(used, (key) => values[key]);
  return {self: pick(self), total: pick(total),
          baseSelf: baseSelf && pick(baseSelf),
          baseTotal: baseTotal && pick(baseTotal)};
}

/**
 * Only large rows have intervals, as in the data of the whole profile.
 * @param {SampledSums} sampled @param {NodeValues} rows
 * @param {NodeValues} variances  by row, without what shared seeds add
 * @param {(row: number, isSelf: boolean) => NodeRanges} rangesOf
 */
function errorsOfRows(sampled, rows, variances, rangesOf) {
  const {values: all} = sampled.estimates;
  const LEAST_SHARE = 0.001;
  const size = (/** @type {number} */ now, /** @type {number} */ before) =>
    Math.max(Math.abs(now - before), now, before);
  const least = LEAST_SHARE * size(all.total[0], all.baseTotal?.[0] ?? 0);
  const errorsOf = (/** @type {"self"|"total"} */ now,
                    /** @type {"baseSelf"|"baseTotal"} */ before) => {
    const isLarge = (/** @type {number} */ row) => {
      const shown = size(rows[now][row], rows[before]?.[row] ?? 0);
      return shown !== 0 && shown >= least;
    };
    const sidesOf = (/** @type {number} */ row) => {
      const ranges = rangesOf(row, now === "self");
      const estimate = (/** @type {Float64Array|null} */ value,
                        /** @type {Float64Array|null} */ variance,
                        /** @type {0|1} */ side) => value && variance && {
        value: value[row],
        variance: variance[row] + sampled.sharedVariance(side, ranges),
      };
      return {now: estimate(rows[now], variances[now], 0) ?? NOTHING,
              base: estimate(rows[before], variances[before], 1)};
    };
    const bounds = new ComputedIntervals((row) => {
      if (!isLarge(row)) return null;
      const {now, base} = sidesOf(row);
      return sampled.model.interval(now, base, "entry", sampled.repetition);
    });
    const hasChanged = (/** @type {number} */ row) => {
      if (!isLarge(row)) return false;
      const {now, base} = sidesOf(row);
      return base !== null && sampled.model.hasChanged(
          now, base, "entry", sampled.repetition);
    };
    return {bounds, hasChanged};
  };
  const self = errorsOf("self", "baseSelf");
  const total = errorsOf("total", "baseTotal");
  return {selfBounds: self.bounds, totalBounds: total.bounds,
          hasChanged: {self: self.hasChanged, total: total.hasChanged}};
}

/**
 * The rows of a table, and the index of its row for each label of the graph.
 * @param {Profile} profile @param {TableName} table
 * @returns {NamedRows & {keys: ArrayLike<number>}}
 */
function rowsOfLabels(profile, table) {
  if (table === "groups") return groupsOfLabels(profile);
  const {names, selections} = table === "files" || table === "modules" ?
    profile.codeTree(table) : functionsOf(profile);
  return {names, selections, keys: names.map((_, row) => row)};
}

/** @param {Profile} profile */
function functionsOf({labels}) {
  return {names: labels, selections: labels.map((_, label) => `f${label}`)};
}

/**
 * Only the frames that stand for groups have one. All other functions belong to
 * a row without a name.
 * @param {Profile} profile
 */
function groupsOfLabels({labels, groupLabels, rowNames: {groups}}) {
  const keys = new Uint32Array(labels.length);
  groupLabels.forEach((label, row) => {
    keys[label] = row + 1;
  });
  return {names: ["", ...groups.names], selections: ["", ...groups.selections],
          keys};
}

/**
 * Adds up nodes with the same key. A stack counts once for each key that occurs
 * in it.
 * @param {CallTree} tree
 * @param {{self: Float64Array, total: Float64Array}} values  of nodes
 * @param {ArrayLike<number>} keys  by label @param {number} count  of keys
 */
export function sumsByKey(tree, values, keys, count) {
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
