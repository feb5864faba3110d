// SPDX-License-Identifier: Apache-2.0
//
// The keys that work in all tabs: "?" explains, "/" goes to the search.
import {showHelp} from "./help.js";
/** @import {HeapReport} from "./heap_report.js" */

/** @param {HeapReport} report */
export function listenToPageKeys(report) {
  document.addEventListener("keydown", (event) => {
    const {activeElement} = document;
    const isBusy = event.ctrlKey || event.metaKey || event.altKey ||
        activeElement?.matches("input, select") ||
        activeElement?.closest("dialog, [role=menu]");
    if (isBusy) return;
    const {search} = report.tab;
    if (event.key === "?") showHelp();
    else if (event.key === "/" && search) search.focus();
    else return;
    event.preventDefault();
  });
}
