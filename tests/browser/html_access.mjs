// SPDX-License-Identifier: Apache-2.0
//
// HTML reports for everyone: names and roles for screen readers, contrast in
// dark and light, and windows from a phone to a wall.

import {execFileSync} from "node:child_process";
import {mkdirSync, readdirSync, utimesSync, writeFileSync} from "node:fs";
import {dump, environment, expectEqual, inBrowser, scratch} from "./browser.mjs";
import {goTo, openReport, settle, write} from "./html_page.mjs";

const PLACES = [
  "#", "#tab=flame", "#tab=top&select=f0", "#tab=top&by=modules",
  "#tab=threads",
];
const LEAST_CONTRAST = 4.5;

// Elements without what a screen reader needs.
const unnamed = (page) => page.evaluate(() => {
  const isShown = (element) => element.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter(isShown);
  const describe = (element) => element.outerHTML.slice(0, 120);
  const ids = all("[id]").map(({id}) => id);
  return [
    ...all("button, a").filter((element) =>
      !element.textContent.trim() && !element.ariaLabel),
    ...all("select, input, canvas").filter((element) => !element.ariaLabel),
    ...all("table").filter((table) => !table.caption),
    ...all("th").filter((cell) => !cell.scope),
    ...all("[role=tab]").filter((tab) =>
      !document.getElementById(tab.getAttribute("aria-controls"))),
    ...all("[id]").filter(({id}, i) => ids.indexOf(id) !== i),
  ].map(describe);
});

// Visible texts whose contrast is too low.
const paleTexts = (page, least) => page.evaluate((limit) => {
  const parse = (color) => color.match(/[\d.]+/g)?.map(Number) ?? [];
  const luminance = (color) => color.slice(0, 3).reduce((sum, part, i) => {
    const share = part / 255;
    const linear = share <= 0.04045 ? share / 12.92 :
      ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * [0.2126, 0.7152, 0.0722][i];
  }, 0);
  const contrast = (a, b) => {
    const [light, dark] =
      [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color.length === 3) return color;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter((element) =>
    element.checkVisibility() && !element.matches(":disabled, option") &&
    [...element.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && node.data.trim()));
  return texts.filter((element) => contrast(
    parse(getComputedStyle(element).color), background(element)) < limit)
    .map((element) => element.outerHTML.slice(0, 120));
}, least);

const isTooWide = (page) => page.evaluate(() =>
  document.documentElement.scrollWidth > window.innerWidth);

// Expects that no place of a report is wider than the window.
async function isNotWider(browser, name, path, width, height) {
  await openReport(browser, path, "#", async (page) => {
    for (const [i, place] of PLACES.entries()) {
      await goTo(page, place);
      await settle(page);
      expectEqual(`${name}: wider than ${width} at ${place}`, false,
        await isTooWide(page));
      await browser.screenshot(page, `${name}-${width}-${i}`);
    }
  }, {width, height});
}

await inBrowser(async (browser) => {
  const report = write("access", dump("dumps/threads.gcc-O2"));
  for (const dark of [false, true])
    await openReport(browser, report, "#", async (page) => {
      for (const place of PLACES) {
        await goTo(page, place);
        expectEqual(`unnamed at ${place}`, [], await unnamed(page));
        expectEqual(`pale at ${place}`, [],
          await paleTexts(page, LEAST_CONTRAST));
      }
    }, {dark});
  await openReport(browser, report, "#", async (page) => {
    const heights = await page.$$eval(".sizes .legend li", (items) =>
      items.map(({clientHeight}) => clientHeight));
    expectEqual("names are beside their colours", true,
      heights.length > 0 && Math.max(...heights) < 30);
  }, {width: 1280});
  const comparison = write("access-comparison", "--base",
    dump("sampled/quickstart.gcc-O2"), dump("sampled/quickstart.clang-O2"));
  // Callers of one function, 20 levels deep.
  const calls = Array.from({length: 20}, (_, i) => `function_${i}`).join(";");
  writeFileSync(`${scratch}/old.collapsed`, `${calls} 1000000\n`);
  writeFileSync(`${scratch}/new.collapsed`, `${calls} 1234567\n`);
  const deep = write("access-deep", "--base", `${scratch}/old.collapsed`,
    `${scratch}/new.collapsed`);
  for (const [name, path] of Object.entries({report, deep, comparison}))
    for (const [width, height] of [[320, 568], [390, 844], [1280, 800],
      [3840, 2160]])
      await isNotWider(browser, name, path, width, height);
  // A page without tabs, about a program that has just started.
  const run = (...options) =>
    execFileSync(environment("HEAPPROF"), options, {stdio: "ignore"});
  run("record", "--rss", "-o", `${scratch}/`, "--", "sh", "-c", ":");
  const name = readdirSync(scratch).find((file) => file.endsWith(".heap"));
  const [recorded, explained] = [`${scratch}/${name}`, `${scratch}/rss.html`];
  run("explain", "--base", recorded, recorded, "-o", explained);
  await browser.open(explained, {width: 320, height: 568}, async (page) => {
    expectEqual("explain: wider than 320", false, await isTooWide(page));
  });
  // Few samples, so that the errors are ranges.
  mkdirSync(`${scratch}/few`);
  for (let i = 0; i < 8; ++i) {
    const sum = `${2 + i}: ${(2 + i) * 100000}`;
    const values = `${sum} [${sum}]`;
    const path = `${scratch}/few/app.7.${i}.i${i}.heap`;
    writeFileSync(path, "heap_v2/524288\n" +
      `  t*: ${values}\n  t0: ${values}\n@ 0x1000\n  t*: ${values}\n` +
      `  t0: ${values}\n\nMAPPED_LIBRARIES:\n`);
    utimesSync(path, 1e9 + 3600 * i, 1e9 + 3600 * i);
  }
  const changed = write("access-few", "--base", `${scratch}/few/app.7.0.i0.heap`,
    `${scratch}/few/app.7.7.i7.heap`);
  await openReport(browser, changed, "#", async (page) => {
    expectEqual("names beside ranges have room", true, await page.$$eval(
      "#overview td:last-child", (names) =>
        names.every(({clientWidth}) => clientWidth > 90)));
  }, {width: 390});
  run("trend", `${scratch}/few`, "-o", `${scratch}/trend.html`);
  for (const width of [320, 390])
    await browser.open(`${scratch}/trend.html`, {width}, async (page) => {
      expectEqual(`trend: wider than ${width}`, false, await isTooWide(page));
      const cells = await page.$$eval("table.trend td", (all) => all.map(
        ({textContent, scrollWidth, clientWidth}) =>
          ({textContent, fits: scrollWidth <= clientWidth})));
      expectEqual("has a range", true,
        cells.some(({textContent}) => textContent.includes(" to ")));
      expectEqual(`cells that overlap at ${width}`, [],
        cells.filter(({fits}) => !fits).map(({textContent}) => textContent));
    });
  await browser.open(`${scratch}/trend.html`, {width: 740}, async (page) => {
    await page.emulateMediaType("print");
    expectEqual("trend: wider than paper", false, await isTooWide(page));
  });
});
