// SPDX-License-Identifier: Apache-2.0
//
// The colour of a change in a table.
/** @import {Rows} from "./rows.js" */

/**
 * "grown" or "shrunk"; empty if the change may be chance.
 * @param {Rows} rows @param {"self"|"total"} id  the column
 * @param {number} row
 */
export function toneOf(rows, id, row) {
  const change = changeOf(rows, id, row);
  const {judge} = rows;
  const counts = !judge || (judge.hasChanged[id](row) &&
    Math.sign(changeOf(judge, id, row)) === Math.sign(change));
  if (!counts || change === 0) return "";
  return change > 0 ? "grown" : "shrunk";
}

/** @param {Rows} rows @param {"self"|"total"} id @param {number} row */
export function changeOf(rows, id, row) {
  const base = id === "self" ? rows.baseSelf : rows.baseTotal;
  return rows[id][row] - (base?.[row] ?? 0);
}
