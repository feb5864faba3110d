// SPDX-License-Identifier: Apache-2.0
//
// Whether a change is more than sampling explains.
/** @import {Interval} from "../shared/format.js" */

/**
 * "grown" or "shrunk"; empty if the change may be chance
 * @param {number} change
 * @param {Interval|null|"counts"} judge  the interval that says whether the
 *     change is one; null: it is unknown, as that of small values is, of which
 *     the data has none; "counts": every change is
 */
export function toneOf(change, judge) {
  if (judge === null) return "";
  const {lower, upper} =
    judge === "counts" ? {lower: change, upper: change} : judge;
  if (change > 0 && lower > 0) return "grown";
  return change < 0 && upper < 0 ? "shrunk" : "";
}
