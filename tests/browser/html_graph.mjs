// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: the call graph, the histogram of sizes, and threads of
// comparisons.

import {dump, expectEqual, inBrowser} from "./browser.mjs";
import {
  bytesText, goTo, openReport, settle, stacksOf, sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";

const inlining = dump("dumps/inlining.gcc-O2");
const threads = dump("dumps/threads.gcc-O2");

const titlesOf = (page) => page.$$eval(".call-graph .node title", (titles) =>
  titles.map(({textContent}) => textContent.split("\n")));

// Each box has the sums of its function.
async function drawsFunctions(browser, page) {
  await goTo(page, "#tab=graph");
  const sums = sumsOf(stacksOf(inlining));
  const titles = await titlesOf(page);
  expectEqual("some functions", true, titles.length > 3);
  for (const [name, ...lines] of titles)
    expectEqual(`total of ${name}`, true, lines.some((line) =>
      line.startsWith(`total ${bytesText(sums.get(name).total)}, `)));
  await browser.screenshot(page, "call-graph");
}

async function opensTheTable(page) {
  const [[name]] = await titlesOf(page);
  await page.$eval(".call-graph .node", (node) => node.focus());
  await page.keyboard.press("Enter");
  await settle(page);
  expectEqual("the selected function", true,
    (await textOf(page, "#top .selected")).includes(name));
}

async function changesSize(page) {
  const width = () => page.$eval(".call-graph svg", (picture) =>
    Number(picture.getAttribute("width")));
  await goTo(page, "#tab=graph");
  const before = await width();
  await page.click("#graph button[aria-label=Larger]");
  expectEqual("a larger picture", true, await width() > before * 1.2);
}

// The bars add up to the height of what is held.
async function showsSizes(browser, page) {
  await goTo(page, "#tab=overview");
  const heights = await page.$$eval(".sizes g", (bars) => bars.map((bar) =>
    [...bar.querySelectorAll("rect")].reduce((sum, part) =>
      sum + Number(part.getAttribute("height")), 0)));
  expectEqual("the highest bar", 150, Math.round(Math.max(...heights)));
  await browser.screenshot(page, "sizes");
}

// The threads of both sides add up to the totals.
async function comparesThreads(browser, page) {
  await goTo(page, "#tab=threads");
  const sums = await page.evaluate(() =>
    heapReport.profile.header.thread_changes.reduce(
        ([before, after], {values: [[old, now]]}) =>
          [before + old, after + now], [0, 0]));
  expectEqual("both sides",
    [totalOf(stacksOf(threads)), totalOf(stacksOf(inlining))], sums);
  const rows = await page.$$eval("#threads tbody tr", ({length}) => length);
  expectEqual("a row for each thread", rows, await page.evaluate(() =>
    heapReport.profile.header.thread_changes.length));
  await browser.screenshot(page, "threads-compared");
}

await inBrowser(async (browser) => {
  await openReport(browser, write("graph", inlining), "", async (page) => {
    await drawsFunctions(browser, page);
    await opensTheTable(page);
    await changesSize(page);
    await showsSizes(browser, page);
  });
  const compared = write("compared", "--base", threads, inlining);
  await openReport(browser, compared, "", async (page) => {
    await comparesThreads(browser, page);
    await goTo(page, "#tab=graph");
    await browser.screenshot(page, "call-graph-compared");
  }, {dark: true});
});
