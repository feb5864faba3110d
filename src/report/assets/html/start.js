// SPDX-License-Identifier: Apache-2.0
//
// Starts the page when all of it is there. If its data cannot be read, the
// plain page stays.
import {loadBlock} from "./block.js";
import {element, find} from "./dom.js";
import {HeapReport} from "./heap_report.js";
import {Profile} from "./profile.js";

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
    // For the console of the browser.
    Object.assign(window, {heapReport: report});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    find("main").prepend(element(
        "p", {role: "alert"},
        `The interactive views cannot be shown: ${reason}.`));
  }
}

document.addEventListener("DOMContentLoaded", startPage);
