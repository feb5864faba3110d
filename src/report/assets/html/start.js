// SPDX-License-Identifier: Apache-2.0
//
// Starts the page. If its data cannot be read, the plain page stays.
import {hideReplaced, showFailure} from "../shared/plain_page.js";
import {loadBlock} from "./block.js";
import {find} from "./dom.js";
import {HeapReport} from "./heap_report.js";
import {Profile} from "./profile.js";

async function startPage() {
  hideReplaced(true);
  try {
    const block = await loadBlock(find("#data")).finally(() => {
      hideReplaced(false);
    });
    const report = new HeapReport(new Profile(block));
    report.start();
    // For the console of the browser.
    Object.assign(window, {heapReport: report});
  } catch (error) {
    showFailure(error);
  }
}

startPage();
