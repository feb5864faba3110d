// SPDX-License-Identifier: Apache-2.0
//
// HTML reports of a comparison: both sides in the table and the flame graph,
// with what sampling says about the change.

import {dump, expectEqual, heapprof, inBrowser} from "./browser.mjs";
import {
  bytesText, expectRows, goTo, openReport, press, rowsOf, settle, stacksOf,
  sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";

const first = dump("dumps/growth.first");
const grown = dump("dumps/growth.grown");
const inlining = dump("dumps/inlining.gcc-O2");
const threads = dump("dumps/threads.gcc-O2");
const gcc = dump("sampled/quickstart.gcc-O2");
const clang = dump("sampled/quickstart.clang-O2");

const changeText = (change) => (change > 0 ? "+" : "") + bytesText(change);

function growthText(now, before) {
  if (now === before) return "";
  if (before === 0) return "new";
  if (now === 0) return "gone";
  const percent = 100 * (now - before) / before;
  const digits = Math.abs(percent) < 0.995 ? 2 : 1;
  const text = Math.abs(percent) >= 999.5 || percent === 100 ?
    percent.toFixed(0) : percent.toFixed(digits);
  return `${percent > 0 ? "+" : ""}${text}%`;
}

async function showsBothSides(page, old, now) {
  const [before, after] = [sumsOf(stacksOf(old)), sumsOf(stacksOf(now))];
  const none = {self: 0, total: 0};
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const expected = names.map((name) => {
    const [was, is] = [before.get(name) ?? none, after.get(name) ?? none];
    return {name, self: changeText(is.self - was.self),
            before: bytesText(was.total), after: bytesText(is.total),
            total: changeText(is.total - was.total),
            growth: growthText(is.total, was.total)};
  });
  expectRows("comparison", expected, await rowsOf(page));
}

// The largest changes come first.
async function sortsByChange(page) {
  await goTo(page, "#tab=top&sort=total");
  const changes = await page.evaluate(() => {
    const rows = heapReport.rows("functions");
    return [...document.querySelectorAll("#top .data-table td.name")].map(
        ({textContent}) => {
          const row = rows.names.indexOf(textContent);
          return Math.abs(rows.total[row] - rows.baseTotal[row]);
        });
  });
  expectEqual(
      "by absolute change", [...changes].sort((a, b) => b - a), changes);
}

// How wide the root is, by what widths mean.
function expectedWidths(old, now) {
  const sums = {larger: 0, old: 0, new: 0, change: 0};
  const stacks = heapprof("--collapsed", "--two-column", "--base", old, now);
  for (const line of stacks.trimEnd().split("\n")) {
    const [was, is] = line.split(" ").slice(-2).map(Number);
    sums.larger += Math.max(was, is);
    sums.old += was;
    sums.new += is;
    sums.change += Math.abs(is - was);
  }
  return sums;
}

async function hasWidths(browser, page, name, old, now) {
  await goTo(page, "#tab=flame");
  const found = {};
  for (const widths of ["larger", "old", "new", "change"]) {
    await page.select("#flame select[aria-label=Widths]", widths);
    await settle(page);
    found[widths] =
        await page.evaluate(() => heapReport.tab.chart.model.sizes[0]);
    await browser.screenshot(page, `${name}-${widths}`);
  }
  expectEqual(`widths of ${name}`, expectedWidths(old, now), found);
}

// What is gone and what is new are in one picture, and their values are said.
async function showsNewAndGone(page) {
  await goTo(page, "#tab=flame");
  const isVisible = await page.evaluate(() => {
    const {chart} = heapReport.tab;
    const {baseTotal, total} = heapReport.graph.values;
    const shown = [...total.keys()].filter((node) => chart.isShown(node));
    return [shown.some((node) => total[node] === 0),
            shown.some((node) => baseTotal[node] === 0)];
  });
  expectEqual("gone and new frames are visible", [true, true], isVisible);
  const [gone] = await page.evaluate(() => {
    const {baseTotal, total} = heapReport.graph.values;
    return [...total.keys()].filter((node) => total[node] === 0)
      .sort((a, b) => baseTotal[b] - baseTotal[a]);
  });
  await page.evaluate((node) => heapReport.tab.chart.options.select(node),
    gone);
  await settle(page);
  expectEqual("says that it is gone", true,
    / → 0 B \(-[^)]*\).*gone/.test(await textOf(page, "#flame .frame-text")));
}

// Matching frames have both values.
async function searchesBothSides(page, old, now) {
  const [was, is] = [old, now].map((path) => totalOf(
    stacksOf(path).filter(({frames}) => frames.includes("main"))));
  await goTo(page, "#tab=flame&search=^main$");
  const expected = `${bytesText(was)} → ${bytesText(is)} (${
    changeText(is - was)}) in 1 frame`;
  expectEqual("found on both sides", expected,
    await textOf(page, "#flame .found"));
}

async function drawsBothSides(page, old, now) {
  await goTo(page, "#tab=flame");
  expectEqual(
      "legend", "shrunk unchanged or may be chance leads to a change " +
      "grown new",
      (await page.$$eval(
           "#flame .legend li",
           (entries) => entries.map((entry) => entry.textContent.trim())))
          .join(" "));
  await page.focus("#flame canvas");
  await press(page, "ArrowDown");
  const [was, is] = [totalOf(stacksOf(old)), totalOf(stacksOf(now))];
  const text = `all${bytesText(was)} → ${bytesText(is)} (${
    changeText(is - was)})`;
  expectEqual("says both sides", text,
    (await textOf(page, "#flame .frame-text")).slice(0, text.length));
}

// The classes of the changes in the table, by name.
async function tonesOf(page, metric) {
  await goTo(page, `#tab=top&metric=${metric}`);
  return new Map(await page.evaluate(() => {
    document.querySelector("#top .more button")?.click();
    const toneOf = (cell) =>
      ["grown", "shrunk"].find((tone) => cell.classList.contains(tone)) ?? "";
    return [...document.querySelectorAll("#top .data-table tbody tr")].map(
      (row) => [row.querySelector("td.name").textContent, {
        flat: toneOf(row.querySelector("td.col-self")),
        cumulative: toneOf(row.querySelector("td.col-total"))}]);
  }));
}

// A row has a colour only if its interval in --json does not contain 0, as far as
// the change stands out among all. The colours of objects follow the bytes of
// the same samples.
async function showsNoise(page) {
  const {rows} =
    JSON.parse(heapprof("--json", "--names=full", "--base", gcc, clang));
  const plain = (name) => name.replace(" (inline)", "")
    .replace(/> (?=>)/g, ">").replace(/\[abi:\w+\]/g, "");
  const tones = new Map([...await tonesOf(page, "inuse_space")].map(
    ([name, tone]) => [plain(name), tone]));
  const toneOf = ({lower, upper}) =>
    (lower > 0 ? "grown" : upper < 0 ? "shrunk" : "");
  const LARGE = 100_000;  // smaller values have no error bars in the file
  let count = 0;
  for (const row of rows)
    for (const column of ["flat", "cumulative"]) {
      const {before, after, change} = row[column];
      if (Math.max(before.value, after.value) < LARGE) continue;
      const tone = tones.get(plain(row.name))?.[column];
      if (tone !== "")
        expectEqual(`${column} of ${row.name}`, toneOf(change.interval), tone);
      ++count;
    }
  expectEqual("values with intervals", true, count > 15);
  const ofObjects = await tonesOf(page, "inuse_objects");
  for (const [name, tone] of ofObjects)
    for (const column of ["flat", "cumulative"])
      if (tone[column] !== "")
        expectEqual(`objects of ${name}`, tone[column],
          tones.get(plain(name))[column]);
  await goTo(page, "#tab=flame&metric=inuse_objects");
  const isGrey = await page.evaluate(() => {
    const {graph} = heapReport;
    const grey = [...graph.values.total.keys()].filter((node) =>
      graph.change(node) !== 0 && graph.verdict(node) === 0);
    return grey.length > graph.tree.length / 3;
  });
  expectEqual("most changes of objects are noise", true, isGrey);
}

// Without a part of the stacks, the page computes the errors of the rest.
async function hidesWithErrors(page) {
  await goTo(page, "#tab=flame");
  const textAt = async (node) => {
    await page.evaluate((at) => heapReport.tab.chart.options.select(at), node);
    await settle(page);
    return textOf(page, "#flame .frame-text");
  };
  const [hidden, sibling] = await page.evaluate(() => {
    const {layout} = heapReport.tab.chart;
    for (let i = 0; i < layout.tree.length; ++i) {
      const [first, second] = layout.childrenBySize(i);
      if (second !== undefined) return [first, second];
    }
  });
  const whole = await textAt(0);
  expectEqual("the total has an error", true, whole.includes("±"));
  const before = await textAt(sibling);
  expectEqual("the sibling has one, too", true, /±|\(.* to /.test(before));
  await page.evaluate((hide) => heapReport.state.set({hide}), hidden);
  await settle(page);
  const rest = await textAt(0);
  expectEqual("the rest has changed", true, rest.includes("→"));
  expectEqual(`the error of the rest: ${rest}`, true,
    /±|\(.* to /.test(rest) && rest !== whole);
  expectEqual("the sibling is the same", before, await textAt(sibling));
}

await inBrowser(async (browser) => {
  for (const [name, old, now] of [["growth", first, grown],
                                  ["shrinkage", grown, first]])
    await openReport(browser, write(name, "--base", old, now), "#tab=top",
      async (page) => {
        await showsBothSides(page, old, now);
        await sortsByChange(page);
        await drawsBothSides(page, old, now);
        await hasWidths(browser, page, name, old, now);
        await searchesBothSides(page, old, now);
      }, {dark: name === "shrinkage"});
  const other = write("other", "--base", threads, inlining);
  await openReport(browser, other, "#tab=flame", async (page) => {
    await hasWidths(browser, page, "other", threads, inlining);
    await showsNewAndGone(page);
  });
  const sampled = write("sampled", "--base", gcc, clang);
  await openReport(browser, sampled, "#tab=top", async (page) => {
    await showsNoise(page);
    await hasWidths(browser, page, "sampled", gcc, clang);
    await browser.screenshot(page, "table");
    await goTo(page, "#tab=flame");
    await browser.screenshot(page, "noise");
    await hidesWithErrors(page);
  });
});
