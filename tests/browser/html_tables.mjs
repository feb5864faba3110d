// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: every number of the tables is that of --collapsed and --json;
// sorting, filtering, callers, callees and source.

import {dump, expectEqual, heapprof, inBrowser} from "./browser.mjs";
import {
  bytesText, clickButton, expectError, expectRows, goTo, openReport, rowsOf,
  settle, shareText, shownName, stacksOf, sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";
import {manyStacks} from "./many_stacks.mjs";

const METRICS =
    ["inuse_space", "inuse_objects", "alloc_space", "alloc_objects"];
const exact = dump("dumps/threads.gcc-O2");
const inlined = dump("dumps/inlining.gcc-O2");
const sampled = dump("sampled/quickstart.gcc-O2");

const amountText = (metric, value) =>
  metric.endsWith("objects") ? String(value) : bytesText(value);

// The table of functions shows what --collapsed adds up to, but for the half
// byte by which --collapsed rounds each stack.
async function showsFunctions(page, path, metric) {
  const stacks = stacksOf(`--${metric}`, path);
  const rounding = stacks.length / 2;
  const amount = (value, found) =>
    [value - rounding, value + rounding].some(
        (bound) => amountText(metric, bound) === found) ?
      found : amountText(metric, value);
  const all = totalOf(stacks);
  const share = (value) => (value === 0 ? "" : shareText(value, all));
  await goTo(page, `#tab=top&metric=${metric}`);
  const shown = (await rowsOf(page)).map((row) => ({
    name: row.name, self: row.self, total: row.total,
    "self-share": row["self-share"], "total-share": row["total-share"]}));
  const rows = new Map(shown.map((row) => [row.name, row]));
  const expected = [...sumsOf(stacks)].map(([name, {self, total}]) => ({
    name: shownName(name),
    self: amount(self, rows.get(shownName(name))?.self),
    total: amount(total, rows.get(shownName(name))?.total),
    "self-share": share(self), "total-share": share(total)}));
  expectRows(`${metric} of ${path}`, expected, shown);
}

// A name as --names=full has it, and no matter whether it was inlined. Of long
// names only both ends, because the page cuts out the middle.
function plainName(name) {
  const [LONG, KEPT] = [1200, 300];
  const plain = name.replace(" (inline)", "").replace(/\[abi:\w+\]/g, "")
      .replace(/> (?=>)/g, ">");
  return plain.length <= LONG ? plain :
    `${plain.slice(0, KEPT)}…${plain.slice(-KEPT)}`;
}

// Each row of a table is one of --json.
async function showsRows(page, path, by, metric) {
  const {rows, totals} = JSON.parse(
      heapprof("--json", "--names=full", `--${by}`, `--${metric}`, path));
  await goTo(page, `#tab=top&by=${by}&metric=${metric}`);
  const shown = (await rowsOf(page)).map((row) => ({
    name: plainName(row.name), self: row.self, total: row.total,
    "self-share": row["self-share"], "total-share": row["total-share"]}));
  const share = (value) =>
      (value === 0 ? "" : shareText(value, totals[metric].value));
  const expected = rows.map((row) => {
    const [self, total] = [row.flat.value, row.cumulative.value];
    return {
      name: plainName(row.name), self: amountText(metric, self),
      total: amountText(metric, total), "self-share": share(self),
      "total-share": share(total)
    };
  });
  expectRows(`${by}, ${metric} of ${path}`, expected, shown);
}

// Error bars are those of --json; those of large rows are there.
async function showsErrors(page, path, by) {
  const {rows, totals} =
      JSON.parse(heapprof("--json", "--names=full", `--${by}`, path));
  const smallest = 0.01 * totals.inuse_space.value;
  await goTo(page, `#tab=top&by=${by}`);
  const shown =
      new Map((await rowsOf(page)).map((row) => [plainName(row.name), row]));
  let count = 0;
  for (const row of rows) {
    const name = plainName(row.name);
    if (rows.filter((other) => plainName(other.name) === name).length > 1)
      continue;
    expectEqual("there is a row", true, shown.has(name));
    for (const [member, column] of [["flat", "self"], ["cumulative", "total"]]) {
      const text = shown.get(name)[`${column}-error`];
      if (text) expectError(`${column} of ${name}`, text, row[member]);
      const isLarge = row[member].value >= smallest;
      expectEqual(`error of ${name}`, true, text !== "" || !isLarge);
      count += isLarge;
    }
  }
  expectEqual(`there are error bars of ${by}`, true, count > 2);
}

async function saysThatLinesAreUnknown(page) {
  await goTo(page, "#tab=top&by=lines");
  expectEqual("why there are no lines", true,
    (await textOf(page, "#top .missing")).startsWith("No line numbers"));
  await goTo(page, "#tab=top");
  expectEqual("functions", ["", true],
    [await textOf(page, "#top .missing"), (await rowsOf(page)).length > 3]);
}

async function sortsAndFilters(page) {
  await goTo(page, "#tab=top");
  const names = async () => (await rowsOf(page)).map(({name}) => name);
  await clickButton(page, "Function");
  const sorted = await names();
  expectEqual("by name", [...sorted].sort(), sorted);
  expectEqual("sorted column", "ascending",
    await page.$eval("th.name", (th) => th.getAttribute("aria-sort")));
  await clickButton(page, "Function");
  expectEqual("backwards", [...sorted].reverse(), await names());
  await clickButton(page, "Total");
  expectEqual("sorted column", "descending",
    await page.$eval("th.col-total", (th) => th.getAttribute("aria-sort")));
  await page.type("#top input", "^demo::");
  await settle(page);
  expectEqual("filtered", sorted.filter((name) => name.startsWith("demo::")),
    (await names()).sort());
  await page.$eval("#top input", (input) => { input.value = ""; });
  await page.type("#top input", "(");
  expectEqual("not an expression", sorted.filter((name) => name.includes("(")),
    (await names()).sort());
}

// Levels, amounts and names of the opened rows.
const treeOf = (page, index) => page.$$eval(".stack-tree", (trees, i) =>
  [...trees[i].querySelectorAll("tbody tr")].map((row) =>
    [Number(row.dataset.level), row.cells[0].textContent,
     row.querySelector("a").textContent]), index);

async function openAll(page, index) {
  await page.evaluate((i) => {
    const tree = document.querySelectorAll(".stack-tree")[i];
    for (;;) {
      const closed = tree.querySelector("[aria-expanded=false]");
      if (!closed) return;
      closed.click();
    }
  }, index);
}

// A tree of the rests of stacks: levels, amounts, names, the largest first.
function expectedTree(rests, level = 1) {
  const groups = new Map();
  for (const {frames, value} of rests) {
    if (frames.length === 0) continue;
    const [name, ...rest] = frames;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push({frames: rest, value});
  }
  return [...groups].sort(([a, left], [b, right]) =>
    totalOf(right) - totalOf(left) || (a < b ? -1 : 1))
    .flatMap(([name, below]) => [[level, bytesText(totalOf(below)), name],
      ...expectedTree(below, level + 1)]);
}

async function showsCallers(page, path) {
  const stacks = stacksOf(path);
  for (const name of sumsOf(stacks).keys()) {
    const through = stacks.filter(({frames}) => frames.includes(name));
    await page.evaluate((wanted) => heapReport.state.set({
      tab: "top", by: "functions",
      select: `f${heapReport.profile.labels.indexOf(wanted)}`}), name);
    await settle(page);
    for (const i of [0, 1]) await openAll(page, i);
    expectEqual(`callers of ${name}`,
      expectedTree(through.map(({frames, value}) => ({value,
        frames: frames.slice(0, frames.indexOf(name)).reverse()}))),
      await treeOf(page, 0));
    expectEqual(`callees of ${name}`,
      expectedTree(through.map(({frames, value}) => ({value,
        frames: frames.slice(frames.indexOf(name) + 1)}))),
      await treeOf(page, 1));
    expectEqual("name", name, await textOf(page, ".selected h3"));
  }
}

// The values of source lines are those of --lines.
async function showsSource(browser, page) {
  await goTo(page, "#tab=top");
  await page.type("#top input", "demo::Hold");
  await page.keyboard.press("Enter");
  await settle(page);
  const shown = await page.$$eval(".source tbody tr", (rows) =>
    rows.map(({cells: [self, total, line]}) =>
      [Number(line.textContent), self.textContent, total.textContent]));
  const rows = JSON.parse(heapprof("--json", "--lines", exact)).rows.filter(
    (row) => row.function === "demo::HoldInThread(int)");
  expectEqual("lines with values",
    rows.map(({line, flat, cumulative}) =>
      [line, bytesText(flat.value), bytesText(cumulative.value)]),
    shown.filter(([, self, total]) => self !== "" || total !== ""));
  expectEqual("lines without values", true, shown.length > rows.length);
  await browser.screenshot(page, "source");
}

await inBrowser(async (browser) => {
  const paths = {
    exact: write("exact", exact),
    inlined: write("inlined", inlined),
    sampled: write("sampled", sampled)
  };
  await openReport(browser, paths.exact, "#tab=top", async (page) => {
    for (const metric of METRICS) await showsFunctions(page, exact, metric);
    for (const by of ["lines", "files", "modules"])
      for (const metric of METRICS) await showsRows(page, exact, by, metric);
    await sortsAndFilters(page);
    await showsCallers(page, exact);
    await browser.screenshot(page, "callers");
  });
  await openReport(browser, paths.inlined, "#tab=top", async (page) => {
    await showsFunctions(page, inlined, "inuse_space");
    await showsCallers(page, inlined);
  }, {dark: true});
  await openReport(browser, paths.sampled, "#tab=top", async (page) => {
    await showsFunctions(page, sampled, "inuse_space");
    await showsErrors(page, sampled, "functions");
    for (const by of ["lines", "files", "modules"]) {
      await showsRows(page, sampled, by, "inuse_space");
      await showsErrors(page, sampled, by);
    }
    await browser.screenshot(page, "errors");
  });
  const nameless = write("no-lines", manyStacks("no-lines", 20, 5));
  await openReport(browser, nameless, "", saysThatLinesAreUnknown);
  await openReport(browser, write("source", "--html-source", exact), "#tab=top",
    (page) => showsSource(browser, page));
});
