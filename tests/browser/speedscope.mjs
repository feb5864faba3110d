// SPDX-License-Identifier: Apache-2.0
//
// speedscope opens what heapprof writes, offline, and has our totals: those
// that it shows, and those in the file that it exports.

import {
  mkdtempSync, readFileSync, readdirSync, writeFileSync,
} from "node:fs";
import {
  dump, eventually, expectEqual, heapprof, inBrowser, packageFile, scratch,
} from "./browser.mjs";

const release = packageFile("speedscope/dist/release/");
const options = {mayLoad: `file://${release}`};

async function load(page, file) {
  const input = await page.$("input[type=file]");
  await input.uploadFile(file);
  await eventually(`speedscope shows ${file}`, async () =>
    (await page.$eval("body", (body) => body.innerText)).includes("Sandwich"));
}

// Returns the profiles in the file that speedscope saves. It adds up the weights
// of what it has read, and writes their sum as the end of the profile.
async function exported(page) {
  const folder = mkdtempSync(`${scratch}/export-`);
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior",
    {behavior: "allow", downloadPath: folder});
  await (await page.waitForSelector("::-p-text(Export)")).click();
  const isComplete = (name) => !name.endsWith(".crdownload");
  const name = await eventually("speedscope saves the profile", async () =>
    readdirSync(folder).find(isComplete));
  const document = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
  return document.profiles.map((profile) => ({
    name: profile.name,
    unit: profile.unit,
    total: profile.endValue - profile.startValue,
  }));
}

// Returns how speedscope writes a number of bytes.
function inBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 3);
  return `${(bytes / 1024 ** power).toFixed(2)} ${["B", "KB", "MB", "GB"][power]}`;
}

// Our tables round each sum; stacks are rounded so that they add up to the
// total. So sums of stacks may differ by a byte.
function expectBytes(what, bytes, shown) {
  const near = [bytes, bytes - 1, bytes + 1].map(inBytes);
  expectEqual(what, near.includes(shown) ? shown : near[0], shown);
}

// Returns the totals of functions in the table "Sandwich", by name. The table
// may be drawn in several steps.
async function shownTotals(page) {
  await page.keyboard.press("3");
  let before = "";
  const rows = await eventually("speedscope shows a table", async () => {
    const found = await page.$$eval("tr", (all) => all.map(
      (row) => [...row.cells].map((cell) => cell.innerText.trim())));
    const isStable = before === JSON.stringify(found);
    before = JSON.stringify(found);
    return isStable && found.length > 1 && found;
  });
  return new Map(rows.map(([total, , name]) =>
    [name, total.replace(/ \(.*\)$/, "")]));
}

// Opens the file and returns what speedscope shows and saves.
async function opened(browser, file, name) {
  let result;
  await browser.open(`${release}index.html`, options, async (page) => {
    await load(page, file);
    await browser.screenshot(page, name);
    result = {
      totals: await shownTotals(page),
      profiles: await exported(page),
    };
    await browser.screenshot(page, `${name}-table`);
  });
  return result;
}

const totalsOf = (...options) =>
  Object.entries(JSON.parse(heapprof("--json", ...options)).totals)
    .map(([name, {value}]) => ({
      name,
      unit: name.endsWith("space") ? "bytes" : "none",
      total: value,
    }));

// Returns the cumulative value of a function in our own table.
const valueOf = (name, file) =>
  JSON.parse(heapprof("--json", "--names=full", file)).rows
    .find((row) => row.name === name).cumulative.value;

async function opensOurFile(browser, file, name) {
  const json = `${scratch}/${name}.speedscope.json`;
  heapprof("-o", json, file);
  const {totals, profiles} = await opened(browser, json, name);
  expectEqual(`totals of ${name}`, totalsOf(file), profiles);
  expectBytes("main", valueOf("main", file), totals.get("main"));
}

async function opensCollapsed(browser, file) {
  const collapsed = `${scratch}/mem.collapsed`;
  heapprof("-o", collapsed, file);
  const {profiles} = await opened(browser, collapsed, "collapsed");
  expectEqual("totals of folded stacks", [totalsOf(file)[0].total],
    profiles.map(({total}) => total));
}

async function opensPprof(browser, file) {
  const pprof = `${scratch}/mem.pb.gz`;
  heapprof("-o", pprof, file);
  const {totals, profiles} = await opened(browser, pprof, "pprof");
  const {unit, total} = totalsOf(file)[0];
  expectEqual("totals of a pprof profile", [[unit, total]],
    profiles.map((profile) => [profile.unit, profile.total]));
  expectBytes("main", valueOf("main", file), totals.get("main"));
}

async function opensThreads(browser) {
  const json = `${scratch}/threads.speedscope.json`;
  heapprof("-o", json, "--thread=*", dump("dumps/threads.gcc-O2"));
  const {profiles} = await opened(browser, json, "threads");
  const thread = profiles.find(({name}) => name.startsWith("inuse_space, t3"));
  expectEqual("a thread",
    {name: "inuse_space, t3 net:io [2]", unit: "bytes", total: 196608}, thread);
}

async function opensComparison(browser) {
  const json = `${scratch}/growth.speedscope.json`;
  // Nothing has grown: what shrank is shown first.
  heapprof("-o", json, "--base", dump("dumps/growth.grown"),
    dump("dumps/growth.first"));
  const {totals, profiles} = await opened(browser, json, "shrank");
  expectEqual("comparison",
    {name: "inuse_space, shrank", unit: "bytes", total: 4194304}, profiles[1]);
  expectEqual("main", inBytes(4194304), totals.get("main"));
}

async function opensHostileNames(browser) {
  const raw = `${scratch}/hostile.raw`;
  const name = `</script><img src=x onerror=alert(1)>"'\\;&amp;`;
  writeFileSync(raw, `--- symbol
binary=/bin/a
0x0000000000401000 ${name}
---
--- heap
heap profile: 1: 4096 [0: 0] @ heapprofile
1: 4096 [0: 0] @ 0x401000
`);
  const json = `${scratch}/hostile.speedscope.json`;
  heapprof("-o", json, raw);
  const {totals} = await opened(browser, json, "hostile");
  expectEqual("hostile name", "4.00 KB", totals.get(name));
}

await inBrowser(async (browser) => {
  const exact = dump("dumps/inlining.gcc-O2");
  const sampled = dump("sampled/quickstart.gcc-O2");
  await opensOurFile(browser, exact, "exact");
  await opensOurFile(browser, sampled, "sampled");
  await opensCollapsed(browser, sampled);
  await opensPprof(browser, sampled);
  await opensThreads(browser);
  await opensComparison(browser);
  await opensHostileNames(browser);
});
