// SPDX-License-Identifier: Apache-2.0
//
// HTML reports export what they show, for other tools.

import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {dump, expectEqual, heapprof, inBrowser, scratch} from "./browser.mjs";
import {
  goTo, openReport, press, rowsOf, settle, stacksOf, sumsOf, write,
} from "./html_page.mjs";

const exact = dump("dumps/inlining.gcc-O2");
const series = [dump("dumps/growth.first"), dump("dumps/growth.grown")];

// Keeps what the page saves and copies.
const keepFiles = (page) => page.evaluate(() => {
  const create = URL.createObjectURL;
  window.saved = [];
  URL.createObjectURL = (blob) => {
    window.saved.push(blob);
    return create.call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = function() {
    window.savedName = this.download;
  };
  const writeText = async (text) => { window.copied = text; };
  Object.defineProperty(navigator, "clipboard", {value: {writeText}});
});

// Chooses this entry and returns the file's name and text.
async function exported(page, entry) {
  await page.evaluate((text) => {
    window.saved = [];
    document.querySelector(".export output").textContent = "";
    document.querySelector(".export button").click();
    const item = [...document.querySelectorAll("[role=menuitem]")].find(
      ({textContent}) => textContent === text);
    if (!item) throw new Error(`no export ${text}`);
    item.click();
  }, entry);
  await page.waitForFunction(() =>
    document.querySelector(".export output").textContent !== "");
  return page.evaluate(async () => ({
    name: window.savedName, copied: window.copied,
    text: window.saved[0] && await window.saved[0].text(),
  }));
}

const readCsv = (text) => JSON.parse(execFileSync("python3", ["-c",
  "import csv, io, json, sys\n" +
  "print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.read())))))"],
  {input: text, encoding: "utf8"}));

async function exportsTable(page) {
  await goTo(page, "#tab=top&sort=-name&filter=demo");
  const {name, text} = await exported(page, "Table: CSV");
  const [heading, ...rows] = readCsv(text);
  expectEqual("name", "inlining.gcc-O2.heap.functions.csv",
    name.slice(-"inlining.gcc-O2.heap.functions.csv".length));
  expectEqual("heading", ["function", "self", "total", "mean_size"], heading);
  expectEqual("rows", (await rowsOf(page)).map(({name}) => name),
    rows.map(([name]) => name));
  const sums = sumsOf(stacksOf(exact));
  for (const [name, self, total] of rows)
    expectEqual(name, sums.get(name),
      {self: Number(self), total: Number(total)});
}

async function exportsStacks(page) {
  await goTo(page, "#tab=flame");
  const {text} = await exported(page, "Stacks: folded");
  const sorted = (stacks) => stacks.trimEnd().split("\n").sort();
  expectEqual("stacks", sorted(heapprof("--collapsed", exact)), sorted(text));
}

async function exportsPictures(browser, page) {
  await goTo(page, "#tab=flame");
  await exported(page, "Picture: PNG");
  const size = await page.evaluate(async () => {
    const {width, height} = await createImageBitmap(window.saved[0]);
    return [width, height > 100];
  });
  const width = await page.$eval("#flame .chart", (chart) => chart.clientWidth);
  expectEqual("size of the PNG", [2 * width, true], size);
  const {text} = await exported(page, "Picture: SVG");
  const path = `${scratch}/exported.svg`;
  writeFileSync(path, text);
  await browser.open(path, {}, async (picture) => {
    const names = await picture.$$eval("text", (all) =>
      all.map(({textContent}) => textContent));
    expectEqual("frames", true, names.includes("all") && names.length > 5);
    await browser.screenshot(picture, "exported-svg");
  });
}

// The files have the boxes that the page shows, and are as large.
async function exportsCallGraph(browser, page) {
  await goTo(page, "#tab=graph");
  const shown = await page.$eval(".call-graph svg", (picture) => ({
    names: [...picture.querySelectorAll(".name")].map((name) =>
      name.textContent),
    box: picture.getAttribute("viewBox").split(" ").map(Number)}));
  await exported(page, "Picture: PNG");
  const size = await page.evaluate(async () => {
    const {width, height} = await createImageBitmap(window.saved[0]);
    return [width, height];
  });
  expectEqual("size of the PNG", shown.box.slice(2).map((side) =>
    Math.floor(2 * side)), size);
  const {text} = await exported(page, "Picture: SVG");
  const path = `${scratch}/call-graph.svg`;
  writeFileSync(path, text);
  await browser.open(path, {}, async (picture) => {
    const texts = await picture.$$eval("text", (all) =>
      all.map(({textContent}) => textContent));
    expectEqual("functions", true,
      shown.names.every((name) => texts.includes(name)));
    await browser.screenshot(picture, "exported-call-graph");
  });
}

async function copiesFindings(page) {
  await goTo(page, "#tab=flame");
  await page.focus("#flame canvas");
  await press(page, "ArrowDown", "ArrowDown", "m");
  await settle(page);
  const frame = await page.evaluate(() => window.copied);
  expectEqual(`frame ${frame}`, true,
    /^\*\*[\d.]+ [KM]iB, [\d.]+%\*\* live bytes in `.*`\n[^]*```\n/.test(frame));
  await goTo(page, "#tab=top&filter=&sort=-self");
  await page.click("#top tbody a");
  await settle(page);
  const {copied} = await exported(page, "Copy finding as Markdown");
  const name = await page.$eval("aside.selected h3", (heading) =>
    heading.textContent);
  expectEqual(`selected ${copied}`, true,
    copied.includes(`live bytes in \`${name}\`\n- Self: `));
}

// The arrow keys only move in the menu: Enter saves, Escape goes back.
async function exportsByKeys(page) {
  await goTo(page, "#tab=flame");
  await page.evaluate(() => { window.saved = []; });
  const focused = () => page.evaluate(() =>
    document.activeElement.textContent);
  await page.focus(".export button");
  await press(page, "ArrowDown");
  expectEqual("nothing saved by an arrow", 0,
    await page.evaluate(() => window.saved.length));
  await press(page, "Enter", "ArrowDown", "ArrowDown");
  expectEqual("the third entry", "Stacks: folded", await focused());
  await press(page, "Escape");
  expectEqual("the button again", "Export", await focused());
  await press(page, "Enter", "ArrowUp", "Enter");
  expectEqual("one file", 1, await page.evaluate(() => window.saved.length));
}

// In bytes, as the table shows them.
async function exportsTimeline(page) {
  const stacks = series.map((path) => stacksOf(path));
  const total = (each, name) => sumsOf(each).get(name)?.total ?? 0;
  const name = "demo::Grow(int)";
  await page.evaluate((wanted) => heapReport.state.set(
    {select: `f${heapReport.profile.labels.indexOf(wanted)}`}), name);
  await settle(page);
  const [heading, ...rows] =
    readCsv((await exported(page, "Values: CSV")).text);
  expectEqual("columns of the timeline", ["dump", "time", "all"],
    heading.slice(0, 3));
  expectEqual("the sums of the selected function's stacks",
    stacks.map((each) => total(each, name)),
    rows.map((row) => row.slice(3).reduce((sum, text) => sum + +text, 0)));
  const [titles, ...grown] =
    readCsv((await exported(page, "What grew: CSV")).text);
  expectEqual("columns of growth", ["function", "first", "last", "change"],
    titles);
  expectEqual("what grew is not nothing", true, grown.length > 0);
  for (const [name, ...numbers] of grown) {
    const [first, last] = stacks.map((each) => total(each, name));
    expectEqual(name, [first, last, last - first], numbers.map(Number));
  }
}

await inBrowser(async (browser) => {
  await openReport(browser, write("exact", exact), "#tab=flame",
    async (page) => {
      await keepFiles(page);
      await exportsTable(page);
      await exportsByKeys(page);
      await exportsStacks(page);
      await exportsPictures(browser, page);
      await exportsCallGraph(browser, page);
      await copiesFindings(page);
    });
  const change = write("change", "--base", ...series);
  await openReport(browser, change, "#tab=top", async (page) => {
    await keepFiles(page);
    const [heading] = readCsv((await exported(page, "Table: CSV")).text);
    expectEqual("columns of a comparison", true,
      heading.includes("total_before") && heading.includes("total_change"));
  });
  await openReport(browser, write("series", ...series), "#tab=timeline",
    async (page) => {
      await keepFiles(page);
      await exportsTimeline(page);
    });
  const threaded = dump("dumps/threads.gcc-O2");
  await openReport(browser, write("threads", threaded), "#tab=threads",
    async (page) => {
      await keepFiles(page);
      const [heading, ...rows] =
        readCsv((await exported(page, "Table: CSV")).text);
      expectEqual("columns of threads", ["number", "thread", "total"],
        heading.slice(0, 3));
      const {threads} = JSON.parse(heapprof("--json", threaded));
      expectEqual("threads",
        threads.map(({uid, held, name, top_function}) =>
          [`${uid}`, name, `${held.value}`, top_function]).sort(),
        rows.map((row) => [...row.slice(0, 3), row.at(-1)]));
      const charged = new Map(rows.map((row) => [row[0], row.at(-1)]));
      // With a filter, the page finds them itself.
      await goTo(page, "#tab=threads&filter_focus=HoldInThread");
      const [, ...left] = readCsv((await exported(page, "Table: CSV")).text);
      for (const [uid, , total, ...others] of left)
        if (total !== "0")
          expectEqual(`thread ${uid}`, charged.get(uid), others.at(-1));
    });
});
