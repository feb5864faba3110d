// SPDX-License-Identifier: Apache-2.0
//
// What is known about the selected function, file or module.
import {
  formatAmount, formatShare, formatWithInterval,
} from "../shared/format.js";
import {comparedAmount} from "./frame_facts.js";
/** @import {Interval} from "../shared/format.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Selected} from "./selected.js" */

/**
 * Terms and texts.
 * @param {HeapReport} report @param {Selected} selected
 * @returns {[string, string][]}
 */
export function selectedFacts(report, selected) {
  const {profile} = report;
  const {label} = selected;
  /** @type {[string, string][]} */
  const facts = [
    ...amounts(report, selected),
    ["Defined in", label < 0 ? "" : profile.placeOf(label)],
    ["Module", label < 0 ? "" : profile.moduleOf(label)],
  ];
  return facts.filter(([, text]) => text !== "");
}

/**
 * @param {HeapReport} report @param {Selected} selected
 * @returns {[string, string][]}
 */
function amounts(report, selected) {
  const {metric} = report;
  const rows = report.rows(selected.table);
  const row = rows?.selections.indexOf(selected.text) ?? -1;
  if (!rows || row < 0)
    return [["Total", `${formatAmount(0, metric)}, in what is shown`]];
  const all = report.graph.values.total[0];
  const amount = (
      /** @type {number} */ now, /** @type {number|undefined} */ before,
      /** @type {Interval|null|undefined} */ interval) =>
    before === undefined ?
      `${formatWithInterval(now, interval ?? null, metric)}, ${
        formatShare(now, all)}` :
      comparedAmount(now, before, interval ?? null, metric);
  return [
    ["Total", amount(rows.total[row], rows.baseTotal?.[row],
                     rows.totalBounds?.at(row))],
    ["Self", amount(rows.self[row], rows.baseSelf?.[row],
                    rows.selfBounds?.at(row))],
    ["Mean size", rows.sizes?.[row] ? formatAmount(rows.sizes[row], metric) : ""],
  ];
}
