// SPDX-License-Identifier: Apache-2.0
//
// Starts the page when all of it is there. If its data cannot be read, the
// plain page stays.
"use strict";

/** @type {HeapReport|null} */
let heapReport = null;

async function startPage() {
  // A long table that is replaced at once need not be drawn before.
  const replaced = find(location.hash.includes("tab=") ? "main" : "#top");
  replaced.hidden = true;
  try {
    const block = await loadBlock(find("#data")).finally(() => {
      replaced.hidden = false;
    });
    const report = new HeapReport(new Profile(block));
    report.start();
    heapReport = report;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    find("main").prepend(element(
        "p", {role: "alert"},
        `The interactive views cannot be shown: ${reason}.`));
  }
}

document.addEventListener("DOMContentLoaded", startPage);
