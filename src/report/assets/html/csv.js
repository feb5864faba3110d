// SPDX-License-Identifier: Apache-2.0
//
// Tables as comma-separated values (RFC 4180), with whole numbers of bytes or
// objects.
/** @import {Interval} from "../shared/format.js" */
/** @import {Rows} from "./rows.js" */

/** @param {(string|number)[][]} lines  the first one has the headings */
export function csvText(lines) {
  return lines.map((line) => `${line.map(field).join()}\r\n`).join("");
}

/** @param {string|number} value */
function field(value) {
  if (typeof value === "number") return String(value);
  // A spreadsheet would compute this, and names may come from anybody.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * @param {string} title  of the names
 * @param {Rows} rows
 * @param {number[]} order  the rows that are shown
 * @param {boolean} [hasSelf]  false: all of a row is its own
 */
export function csvOfRows(title, rows, order, hasSelf = true) {
  const self = columnsOf("self", rows.self, rows.baseSelf, rows.selfBounds);
  const columns = [
    ...(hasSelf ? self : []),
    ...columnsOf("total", rows.total, rows.baseTotal, rows.totalBounds),
    ...sizeColumns(rows),
  ];
  return csvText([
    [title, ...columns.map(({heading}) => heading)],
    ...order.map((row) => [rows.names[row],
                           ...columns.map(({value}) => value(row))]),
  ]);
}

/** @param {Rows} rows */
function sizeColumns({sizes}) {
  const value = (/** @type {number} */ row) => sizes?.[row] || "";
  return sizes === null ? [] : [{heading: "mean_size", value}];
}

/**
 * Bounds are those of the value or, in a comparison, of its change.
 * @param {string} name
 * @param {Float64Array} now @param {Float64Array|null} before
 * @param {{at: (row: number) => Interval|null, isEmpty: boolean}|null} bounds
 */
function columnsOf(name, now, before, bounds) {
  /** @type {{heading: string, value: (row: number) => number|string}[]} */
  const columns = before ? [
    {heading: `${name}_before`, value: (row) => before[row]},
    {heading: `${name}_after`, value: (row) => now[row]},
    {heading: `${name}_change`, value: (row) => now[row] - before[row]},
  ] : [{heading: name, value: (row) => now[row]}];
  if (!bounds || bounds.isEmpty) return columns;
  columns.push(
      {heading: `${name}_lower`, value: (row) => bounds.at(row)?.lower ?? ""},
      {heading: `${name}_upper`, value: (row) => bounds.at(row)?.upper ?? ""});
  return columns;
}
