// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: threads, and several dumps on a timeline.

import {readFileSync, writeFileSync} from "node:fs";
import {
  dump, expectEqual, heapprof, inBrowser, scratch,
} from "./browser.mjs";
import {
  bytesText, expectError, expectRows, goTo, openReport, rowsOf, settle,
  shareText, stacksOf, sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";

const threads = dump("dumps/threads.gcc-O2");
const sampled = dump("sampled/quickstart.gcc-O2");
const dumps = ["first", "grown", "third"].map((name) =>
  dump(`dumps/growth.${name}`));

const ofThread = (uid) => stacksOf(`--thread=${uid}`, threads);

async function listsThreads(browser, page) {
  const uids = await page.evaluate(() =>
    heapReport.profile.header.threads.map(({uid}) => uid));
  const all = totalOf(stacksOf(threads));
  const expected = uids.map((uid) => ({
    name: uid, total: bytesText(totalOf(ofThread(uid))),
    share: shareText(totalOf(ofThread(uid)), all)}));
  const shown = (await rowsOf(page, "#threads")).map((row) =>
    ({name: Number(row.uid), total: row.total, share: row.share}));
  expectRows("threads", expected, shown);
  await browser.screenshot(page, "threads");
  return uids;
}

// Totals of threads have the error bars of --json.
async function showsErrors(browser, page) {
  const {threads: wanted} = JSON.parse(heapprof("--json", sampled));
  const shown = await rowsOf(page, "#threads");
  expectEqual("threads", wanted.length, shown.length);
  for (const {uid, held} of wanted) {
    const row = shown.find((each) => Number(each.uid) === uid);
    expectEqual(`thread ${uid}`, bytesText(held.value), row.total);
    expectError(`thread ${uid}`, row["total-error"], held);
  }
  await browser.screenshot(page, "thread-errors");
  await goTo(page, "#tab=threads&metric=inuse_objects");
  const counts = await rowsOf(page, "#threads");
  expectEqual("errors of counts", [], counts.filter((row) =>
    row["total-error"]));
}

// With a thread selected, all views count only this thread.
async function showsThread(browser, page, uids) {
  for (const [index, uid] of uids.entries()) {
    const stacks = ofThread(uid);
    await goTo(page, `#tab=top&thread=${index}`);
    const expected = [...sumsOf(stacks)].map(([name, {self, total}]) =>
      ({name, self: bytesText(self), total: bytesText(total)}));
    const shown = (await rowsOf(page)).map(({name, self, total}) =>
      ({name, self, total}));
    expectRows(`thread ${uid}`, expected, shown);
    await goTo(page, `#tab=flame&thread=${index}`);
    expectEqual(`flame graph of thread ${uid}`, totalOf(stacks),
      await page.evaluate(() => heapReport.tab.chart.model.sizes[0]));
  }
  await goTo(page, "#tab=top&by=lines&thread=1");
  expectEqual("lines of a thread", true,
    (await textOf(page, "#top .missing")).includes("whole profile only"));
  await page.select("select[aria-label=Thread]", "");
  await settle(page);
  expectEqual("lines of all threads", true, (await rowsOf(page)).length > 0);
}

const cellsOf = (page, index) => page.$$eval("#timeline table", (tables, i) =>
  [...tables[i].tBodies[0].rows].map((row) =>
    [...row.cells].map((cell) => cell.textContent)), index);

async function showsTimeline(browser, page) {
  const stacks = dumps.map((path) => stacksOf(path));
  const name = "demo::Grow(int)";
  const values = stacks.map((each) => sumsOf(each).get(name).total);
  await page.evaluate((wanted) => heapReport.state.set(
    {select: `f${heapReport.profile.labels.indexOf(wanted)}`}), name);
  await settle(page);
  const shown = await cellsOf(page, 1);
  expectEqual("all", stacks.map((each) => bytesText(totalOf(each))),
    shown.map(([all]) => all));
  expectEqual("selected", values.map(bytesText),
    shown.map(([, selected]) => selected));
  expectEqual("charts", 2, (await page.$$("#timeline svg")).length);
  expectEqual("names without what they share", ["first", "grown", "third"],
    await page.$$eval("#timeline svg:first-of-type text", (texts) =>
      texts.map(({textContent}) => textContent).filter((text) =>
        /^[a-z]/.test(text))).then((names) => names.slice(0, 3)));
  await browser.screenshot(page, "timeline");
}

// In a comparison, a thread is that of the same name, which may have another
// number.
async function matchesThreads(page) {
  const rows = (await rowsOf(page, "#threads")).map(({name, before, after}) =>
    [name, before, after]);
  expectEqual("threads that swapped their names", [
    ["plain", "128.0 KiB", "64.0 KiB"], ["wrk 1", "64.0 KiB", "128.0 KiB"],
  ], rows.sort());
  expectEqual("the hint", true,
    (await textOf(page, "#threads .hint")).includes("matched by name"));
  expectEqual("threads of the overview", ["plain", "wrk 1"],
    await page.$$eval("#overview table:last-of-type td:nth-child(4)",
      (cells) => cells.map(({textContent}) => textContent).sort()));
}

// From the first dump to the second.
async function showsGrowth(page) {
  const [before, after] = dumps.map((path) => sumsOf(stacksOf(path)));
  const expected = [...after.entries()].map(([name, {total}]) =>
    ({name, first: before.get(name)?.total ?? 0, last: total}))
    .filter(({first, last}) => last > first)
    .map(({name, first, last}) => [bytesText(first), bytesText(last),
                                   `+${bytesText(last - first)}`, name]);
  expectEqual("what grew", expected.sort(), (await cellsOf(page, 0)).sort());
  expectEqual("it is not nothing", true, expected.length > 0);
}

async function showsDump(page) {
  for (const [index, path] of dumps.entries()) {
    await goTo(page, `#tab=flame&dump=${index}`);
    expectEqual(`flame graph of ${path}`, totalOf(stacksOf(path)),
      await page.evaluate(() => heapReport.tab.chart.model.sizes[0]));
  }
}

await inBrowser(async (browser) => {
  await openReport(browser, write("threads", "--thread=*", threads),
    "#tab=threads", async (page) => {
      const uids = await listsThreads(browser, page);
      await showsThread(browser, page, uids);
    });
  await openReport(browser, write("sampled", sampled), "#tab=threads",
    (page) => showsErrors(browser, page));
  const renamed = `${scratch}/renamed.heap`;
  writeFileSync(renamed, readFileSync(threads, "utf8")
    .replace(/^( {2}t1: .*\]) plain$/m, "$1 wrk 1")
    .replace(/^( {2}t2: .*\]) wrk 1$/m, "$1 plain"));
  await openReport(browser, write("renamed", "--base", renamed, threads),
    "#tab=threads", matchesThreads);
  await openReport(browser, write("dumps", ...dumps), "#tab=timeline",
    async (page) => {
      await showsTimeline(browser, page);
      await showsDump(page);
    }, {dark: true});
  await openReport(browser, write("growth", ...dumps.slice(0, 2)),
    "#tab=timeline", showsGrowth);
});
