// SPDX-License-Identifier: Apache-2.0
//
// HTML reports of large profiles are drawn and zoomed without a pause. The
// limits allow for slow machines; what was measured is printed.

import {expectEqual, inBrowser} from "./browser.mjs";
import {manyStacks} from "./many_stacks.mjs";
import {openReport, settle, write} from "./html_page.mjs";

const SLOW_MACHINE = 6;  // times slower than a desktop computer

// Milliseconds until what `change` did to the state is painted.
const timeOf = (page, change) => page.evaluate(async (code) => {
  const start = performance.now();
  heapReport.state.set(code);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - start;
}, change);

// Milliseconds from the end of the file to the first text on the canvas.
async function firstPaint(page) {
  await page.evaluateOnNewDocument(() => {
    document.addEventListener("DOMContentLoaded", () => {
      window.loadedAt = performance.now();
    }, {once: true, capture: true});
    const {prototype} = CanvasRenderingContext2D;
    const {fillText} = prototype;
    prototype.fillText = function(...values) {
      window.paintedAt ??= performance.now();
      fillText.apply(this, values);
    };
  });
  await page.reload();
  await page.waitForFunction("window.paintedAt > 0");
  return page.evaluate(() => window.paintedAt - window.loadedAt);
}

function expectWithin(what, limit, milliseconds) {
  console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
  expectEqual(`${what} within ${limit} ms, or ${SLOW_MACHINE} times as much`,
    true, milliseconds <= SLOW_MACHINE * limit);
}

await inBrowser(async (browser) => {
  for (const [name, stacks, limit] of [["small", 20, 100],
                                       ["large", 12_000, 150],
                                       ["huge", 90_000, 1000]])
    await openReport(
        browser, write(name, manyStacks(name, stacks, 5)), "#tab=flame",
        async (page) => {
          const frames =
              await page.evaluate(() => heapReport.profile.tree.length);
          expectWithin(
              `first picture of ${frames} frames`, limit,
              await firstPaint(page));
          await settle(page);
          const zoom = await page.evaluate(() => {
            const {layout} = heapReport.tab.chart;
            let node = 0;
            for (let i = 0; i < 5; ++i)
              node = layout.childrenBySize(node)[0] ?? node;
            return node;
          });
          expectWithin("zoom", 50, await timeOf(page, {zoom}));
          expectWithin("zoom out", 50, await timeOf(page, {zoom: 0}));
          expectWithin("search", 100, await timeOf(page, {search: "Class1"}));
          expectWithin("table", 200, await timeOf(page, {tab: "top"}));
          expectWithin("select", 300, await timeOf(page, {select: "f7"}));
          await browser.screenshot(page, name);
        });
});
