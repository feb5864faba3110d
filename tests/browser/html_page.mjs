// SPDX-License-Identifier: Apache-2.0
//
// What the tests of HTML reports share: it opens reports and reads their
// tables.

import {expectEqual, heapprof, scratch} from "./browser.mjs";

// Writes a report and returns its path.
export function write(name, ...options) {
  const path = `${scratch}/${name}.html`;
  heapprof("-o", path, ...options);
  return path;
}

// Opens a report at a place in it ("#tab=flame") and waits for its scripts.
export const openReport = (browser, path, fragment, use, options = {}) =>
  browser.open(path, {...options, fragment}, async (page) => {
    await page.waitForSelector("[role=tablist]");
    await settle(page);
    await use(page);
  });

// Waits until what was changed is drawn.
export const settle = (page) => page.evaluate(() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve))));

// Goes to another place in the report.
export async function goTo(page, fragment) {
  await page.evaluate((hash) => { location.hash = hash; }, fragment);
  await settle(page);
}

export const textOf = (page, selector) =>
  page.$eval(selector, (element) => element.textContent);

// Presses keys one after the other.
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settle(page);
}

// Clicks the visible button with this text.
export async function clickButton(page, text) {
  await page.evaluate((wanted) => {
    const found = [...document.querySelectorAll("button")].find((button) =>
      button.textContent === wanted && button.checkVisibility());
    if (!found) throw new Error(`no button ${wanted}`);
    found.click();
  }, text);
  await settle(page);
}

// The rows of the table that is shown, all of them: a name, and texts by
// column.
export async function rowsOf(page, section = "#top") {
  await page.evaluate((selector) => {
    const more = document.querySelector(`${selector} .more`);
    if (!more.hidden) more.querySelector("button").click();
  }, section);
  return page.$$eval(`${section} .data-table tbody tr`, (rows) =>
    rows.map((row) => {
      const cells = {};
      for (const cell of row.cells)
        for (const name of cell.classList)
          if (name.startsWith("col-")) cells[name.slice(4)] = cell.textContent;
      return {name: row.querySelector("td.name").textContent, ...cells};
    }));
}

// The stacks of a dump, outermost call first, with their values.
export const stacksOf = (...options) =>
  heapprof("--collapsed", ...options).trimEnd().split("\n").map((line) => {
    const [, frames, value] = line.match(/^(.*) (\d+)$/);
    return {frames: frames.split(";"), value: Number(value)};
  });

// What functions allocated themselves, and in total with what they call. A
// stack counts once for a function.
export function sumsOf(stacks) {
  const sums = new Map();
  const sumFor = (name) => {
    if (!sums.has(name)) sums.set(name, {self: 0, total: 0});
    return sums.get(name);
  };
  for (const {frames, value} of stacks) {
    sumFor(frames.at(-1)).self += value;
    for (const name of new Set(frames)) sumFor(name).total += value;
  }
  return sums;
}

// What a page shows of a long name: 2000 characters, without its middle.
export const shownName = (name) => (name.length <= 2000 ? name
  : `${name.slice(0, 667)}…${name.slice(-1332)}`);

export const totalOf = (stacks) =>
  stacks.reduce((sum, {value}) => sum + value, 0);

// A number of bytes as people read it.
export function bytesText(bytes) {
  if (bytes === 0) return "0";
  const sign = bytes < 0 ? "-" : "";
  let [size, unit] = [Math.abs(bytes), 0];
  const decimals = () => (unit === 0 ? 0 : unit < 3 ? 1 : 2);
  while (Number(size.toFixed(decimals())) >= 1024 && unit < 5) {
    size /= 1024;
    ++unit;
  }
  return `${sign}${size.toFixed(decimals())} ${
    ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][unit]}`;
}

export function shareText(part, whole) {
  const percent = 100 * part / whole;
  if (percent === 0) return "0%";
  if (percent < 0.005) return "<0.01%";
  if (percent < 0.995) return `${percent.toFixed(2)}%`;
  return percent >= 99.95 ? "100%" : `${percent.toFixed(1)}%`;
}

// An error bar of a table, and the value that it belongs to, of --json.
// "± 1.2 MiB" is the larger half of the interval; one that is far from
// symmetrical is shown as it is.
export function expectError(what, text, {value, interval: {lower, upper}}) {
  const found = text.match(/^± <?([\d.]+) (\w+)$/);
  if (!found)
    return expectEqual(what, `${bytesText(lower)} to ${bytesText(upper)}`, text);
  const error = Math.max(upper - value, value - lower);
  const unit = {B: 1, KiB: 1024, MiB: 1024 ** 2}[found[2]];
  const isNear = Math.abs(error / unit - Number(found[1])) <= 0.1001;
  expectEqual(`${what}: ${text}, ${error}`, true, isNear);
}

// Compares lists of objects, and says where they differ first.
export function expectRows(what, expected, found) {
  const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const [wanted, actual] =
    [expected, found].map((rows) => [...rows].sort(byName));
  wanted.forEach((row, i) =>
    expectEqual(`${what}, row ${i}`, Object.entries(row).sort(),
      Object.entries(actual[i] ?? {}).sort()));
  expectEqual(`${what}, rows`, wanted.length, actual.length);
}
