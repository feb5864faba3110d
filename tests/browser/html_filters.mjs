// SPDX-License-Identifier: Apache-2.0
//
// The filters of HTML reports: in all tabs, and in the URL. That they leave
// what those of the command line leave is tested without a browser.

import {dump, expectEqual, inBrowser} from "./browser.mjs";
import {
  bytesText, clickButton, goTo, openReport, press, rowsOf, settle, stacksOf,
  sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";

const sampled = dump("sampled/quickstart.gcc-O2");

async function fill(page, name, pattern) {
  await page.focus(`.filters input[aria-label=${name}]`);
  await page.keyboard.type(pattern);
  await press(page, "Enter");
}

const isNear = (text, bytes) =>
  [-2, 0, 2].some((error) => text === bytesText(bytes + error));

async function filtersTabs(browser, page) {
  expectEqual("hidden at first", false,
    await page.$eval(".filters", (bar) => bar.checkVisibility()));
  await clickButton(page, "Filter");
  await fill(page, "focus", "Worker");
  await fill(page, "hide", "^std::");
  expectEqual("URL", "#tab=top&filter_focus=Worker&filter_hide=%5Estd%3A%3A",
    await page.evaluate(() => location.hash));
  const stacks = stacksOf("--focus=Worker", "--hide=^std::", sampled);
  const sums = sumsOf(stacks);
  const rows = await rowsOf(page);
  expectEqual("functions", [...sums.keys()].sort(),
    rows.map(({name}) => name).sort());
  for (const {name, self, total} of rows)
    expectEqual(`${name}: ${self}, ${total}`, true,
      isNear(self, sums.get(name).self) && isNear(total, sums.get(name).total));
  await clickButton(page, "lines");
  expectEqual("lines", true,
    (await textOf(page, "#top .missing")).includes("without filters"));
  await clickButton(page, "functions");
  await page.click("#tab-flame");
  await settle(page);
  const all = totalOf(stacks);
  expectEqual("graph", true, Math.abs(all -
    await page.evaluate(() => heapReport.tab.chart.model.sizes[0])) <= 2);
  const [, amount, unit] = /^([\d.]+) ± [\d.]+( [KM]iB) live, /.exec(
    await textOf(page, "#total"));
  expectEqual("total", true, isNear(amount + unit, all));
  await browser.screenshot(page, "filtered");
  await page.click("#tab-threads");
  const threads = await rowsOf(page, "#threads");
  expectEqual("threads", true, threads.length > 1 &&
    threads.every(({top}) => !top.startsWith("std::")));
  expectEqual("errors of threads", true,
    threads.some((thread) => thread["total-error"].startsWith("± ")));
}

async function survivesNonsense(page) {
  await goTo(page, "#tab=top&filter_ignore=(&filter_show_from=%40%40nothing");
  expectEqual("no regular expression", "true", await page.$eval(
    ".filters input[aria-label=ignore]", (field) => field.ariaInvalid));
  expectEqual("it is said", true,
    (await textOf(page, ".filters output")).endsWith(": ignore"));
  expectEqual("nothing is left", "There is nothing to show.",
    await textOf(page, "#top .missing"));
  // Nothing else tells that the page of a link is not filtered.
  await goTo(page, "#tab=top&filter_ignore=(");
  await page.reload();
  await settle(page);
  expectEqual("fields of a wrong filter are shown", true,
    await page.$eval(".filters", (bar) => bar.checkVisibility()));
  await clickButton(page, "Clear");
  expectEqual("cleared", "#tab=top",
    await page.evaluate(() => location.hash));
}

// Keys of all tabs, whatever has the focus but a field.
async function hasKeysInAllTabs(page) {
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel);
  await goTo(page, "#tab=top");
  await page.focus("#tab-top");
  await press(page, "/");
  expectEqual("the filter of the table", "Filter (regular expression)",
    await focused());
  await press(page, "?", "/");
  expectEqual("a field takes all keys", "?/",
    await page.$eval("#top input", ({value}) => value));
  await goTo(page, "#");
  await page.focus("#tab-overview");
  await press(page, "?");
  expectEqual("help", 1, (await page.$$("dialog[open]")).length);
  await press(page, "?", "Escape");
  expectEqual("no help", 0, (await page.$$("dialog")).length);
}

// The keys work before anything has the focus.
async function hasKeys(page) {
  await goTo(page, "#tab=flame");
  await page.evaluate(() => document.activeElement.blur());
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  expectEqual("zoomed", true,
    await page.evaluate(() => heapReport.state.number("zoom") > 0));
  await press(page, "0", "/");
  await page.keyboard.type("0main");
  expectEqual("in a field, keys are text", "0main",
    await page.$eval("#flame input", ({value}) => value));
}

// A filter of a comparison is one of both sides.
async function filtersComparisons(page) {
  await goTo(page, "#tab=top&filter_focus=Grow");
  const [row] = await rowsOf(page);
  expectEqual("row", ["demo::Grow(int)", "3.0 MiB", "7.0 MiB", "+4.0 MiB"],
    [row.name, row.before, row.after, row.total]);
}

await inBrowser(async (browser) => {
  await openReport(browser, write("sampled", sampled), "#tab=top",
    async (page) => {
      await filtersTabs(browser, page);
      await survivesNonsense(page);
      await hasKeysInAllTabs(page);
      await hasKeys(page);
    });
  const change = write("change", "--base", dump("dumps/growth.first"),
    dump("dumps/growth.grown"));
  await openReport(browser, change, "#tab=top", filtersComparisons);
});
