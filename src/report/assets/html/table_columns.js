// SPDX-License-Identifier: Apache-2.0
//
// The columns of the table. A comparison has others.
import {formatCell, formatChange, formatError, formatErrorIn, formatGrowth,
        formatShare, needsRange, unitOf} from "../shared/format.js";
import {changeOf, toneOf} from "./tone.js";
/** @import {Metric} from "./block.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {Intervals} from "./interval_list.js" */
/** @import {Rows} from "./rows.js" */

/**
 * @typedef {object} Column
 * @property {string} id  in the state
 * @property {string} title
 * @property {string} class  of its cells
 * @property {(row: number) => number|string} value  by which rows are sorted;
 *     numbers: the largest first, text: from a to z
 * @property {boolean} [isAscending]  the order of `value`, as people see it
 * @property {(row: number) => string} text
 * @property {(row: number) => number} [share]  0 to 1: the length of a bar
 * @property {(row: number) => string} [tone]  a class for this cell, or ""
 */

/**
 * @param {Rows} rows
 * @param {Metric} metric
 * @param {number} all
 * @returns {Column[]}
 */
export function valueColumns(rows, metric, all) {
  const value =
      (/** @type {string} */ id, /** @type {string} */ title,
       /** @type {Float64Array} */ values,
       /** @type {Intervals|null} */ bounds) =>
          [{
            id,
            title,
            class: "number",
            value: (/** @type {number} */ row) => values[row],
            text: (/** @type {number} */ row) => formatCell(values[row], metric)
          },
           {
             id: `${id}-error`,
             title: "±",
             class: "number error",
             value: (/** @type {number} */ row) =>
                 errorSize(values[row], bounds?.at(row)),
             text: (/** @type {number} */ row) =>
                 formatError(values[row], bounds?.at(row) ?? null)
           },
           {
             id: `${id}-share`,
             title: "%",
             class: "number share",
             value: (/** @type {number} */ row) => values[row],
             text: (/** @type {number} */ row) =>
                 values[row] === 0 ? "" : formatShare(values[row], all),
             share: (/** @type {number} */ row) => values[row] / all
           },
  ];
  return withoutEmptyErrors(rows, [
    ...value("self", "Self", rows.self, rows.selfBounds),
    ...value("total", "Total", rows.total, rows.totalBounds),
    ...rows.sizes ? [sizeColumn(rows.sizes, metric)] : []]);
}

/**
 * @param {ArrayLike<number>} sizes  see Rows @param {Metric} metric
 * @returns {Column}
 */
function sizeColumn(sizes, metric) {
  return {
    id: "size", title: "Mean size", class: "number",
    value: (row) => sizes[row],
    text: (row) => sizes[row] === 0 ? "" : formatCell(sizes[row], metric),
  };
}

/** @param {Rows} rows @param {Column[]} columns */
export function withoutEmptyErrors({totalBounds}, columns) {
  return totalBounds && !totalBounds.isEmpty ? columns :
    columns.filter(({id}) => !id.endsWith("-error"));
}

/** @param {Rows} rows @param {Metric} metric @returns {Column[]} */
export function changeColumns(rows, metric) {
  const {total, baseTotal} = rows;
  return withoutEmptyErrors(rows, [
    ...changeColumn("self", "Self change", rows, metric),
    plainColumn("before", "Total before", baseTotal ?? total, metric),
    plainColumn("after", "Total after", total, metric),
    ...changeColumn("total", "Total change", rows, metric),
    growthColumn(rows),
  ]);
}

/** @param {Rows} rows @returns {Column} */
export function growthColumn({total, baseTotal}) {
  return {id: "growth", title: "%", class: "number",
          value: (row) => total[row] / (baseTotal?.[row] ?? 0) || 0,
          text: (row) => formatGrowth(total[row], baseTotal?.[row] ?? 0)};
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Float64Array} values
 * @param {Metric} metric
 * @returns {Column}
 */
export function plainColumn(id, title, values, metric) {
  return {id, title, class: "number", value: (row) => values[row],
          text: (row) => formatCell(values[row], metric)};
}

/**
 * @param {"self"|"total"} id @param {string} title @param {Rows} rows
 * @param {Metric} metric
 * @returns {Column[]}
 */
export function changeColumn(id, title, rows, metric) {
  const bounds = id === "self" ? rows.selfBounds : rows.totalBounds;
  const change = (/** @type {number} */ row) => changeOf(rows, id, row);
  const interval = (/** @type {number} */ row) => bounds?.at(row) ?? null;
  return [
    {id, title, class: "number change", value: (row) => Math.abs(change(row)),
     text: (row) => formatChange(change(row), metric),
     tone: (row) => toneOf(rows, id, row)},
    {id: `${id}-error`, title: "±", class: "number error",
     value: (row) => errorSize(change(row), interval(row)),
     text: (row) => changeError(change(row), interval(row), metric)},
  ];
}

/** @param {number} value @param {Interval|null|undefined} interval */
export function errorSize(value, interval) {
  return interval ? Math.max(value - interval.lower, interval.upper - value) :
                    0;
}

/**
 * @param {number} change @param {Interval|null} interval
 * @param {Metric} metric
 */
function changeError(change, interval, metric) {
  if (!interval || interval.lower === interval.upper) return "";
  if (needsRange(change, interval))
    return `${formatChange(interval.lower, metric)} to ${
      formatChange(interval.upper, metric)}`;
  const error = errorSize(change, interval);
  const unit = unitOf(Math.max(Math.abs(change), error));
  return `± ${formatErrorIn(error, unit)} ${unit.name}`;
}
