// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: what is shown is in the URL, so that "back", reloading and a
// bookmark show it again. Without scripts, and if the data is damaged, the page
// still shows its tables. It can be printed.

import {readFileSync, writeFileSync} from "node:fs";
import {dump, expectEqual, inBrowser, scratch} from "./browser.mjs";
import {
  clickButton, goTo, openReport, press, rowsOf, settle, textOf, write,
} from "./html_page.mjs";

const report = write("state", dump("dumps/threads.gcc-O2"));

const hashOf = (page) => page.evaluate(() => location.hash);

// What a visitor sees of the state.
const shown = (page) => page.evaluate(() => {
  const text = (selector) => [...document.querySelectorAll(selector)]
    .find((element) => element.checkVisibility())?.textContent ?? "";
  return {
    tab: document.body.dataset.tab,
    metric: document.querySelector("select[aria-label=Metric]").value,
    thread: document.querySelector("select[aria-label=Thread]").value,
    zoomed: heapReport.tab.zoomed ?? 0,
    search: [...document.querySelectorAll("input")].find((input) =>
      input.checkVisibility())?.value ?? "",
    selected: text(".selected h3"), sorted: text("#top th[aria-sort]"),
  };
});

// Every step is one entry of the history.
async function goesBackAndForward(page) {
  const steps = [];
  const step = async (action) => {
    await action();
    await settle(page);
    steps.push({hash: await hashOf(page), ...await shown(page)});
  };
  await step(() => {});
  await step(() => page.click("#tab-flame"));
  await step(() => page.evaluate(() => heapReport.tab.zoom(3)));
  await step(() => page.select("select[aria-label=Metric]", "alloc_space"));
  await step(() => page.select("select[aria-label=Thread]", "1"));
  await step(() => page.click("#tab-top"));
  await step(() => page.click("#top tbody a"));
  const hashes = steps.map(({hash}) => hash);
  expectEqual("steps", hashes.length, new Set(hashes).size);
  for (let i = steps.length - 2; i >= 0; --i) {
    await page.goBack();
    await settle(page);
    expectEqual(`back to ${steps[i].hash}`, steps[i],
      {hash: await hashOf(page), ...await shown(page)});
  }
  await page.goForward();
  await settle(page);
  expectEqual("forward", hashes[1], await hashOf(page));
}

async function reloads(page) {
  await goTo(
      page, "#tab=flame&zoom=3&search=main&metric=inuse_objects&thread=2");
  const before = await shown(page);
  expectEqual("state", ["flame", "inuse_objects", "2", "main"],
    [before.tab, before.metric, before.thread, before.search]);
  await page.reload();
  await page.waitForSelector("[role=tablist]");
  await settle(page);
  expectEqual("after reloading", before, await shown(page));
  await goTo(page, "#tab=top&sort=-total&filter=demo&select=f0");
  const table = [await shown(page), await rowsOf(page)];
  await page.reload();
  await page.waitForSelector("[role=tablist]");
  await settle(page);
  expectEqual("table after reloading", table,
    [await shown(page), await rowsOf(page)]);
}

// Moving and zooming without a frame is in the URL, but not in the history.
async function keepsFreeZoom(page) {
  const firstBoxes = () => page.evaluate(() => {
    const {chart} = heapReport.tab;
    return [200, 500, 800].map((x) => {
      const {node, x: left, width} = chart.boxAt(x, 30) ?? {};
      return [node, Math.round(left), Math.round(width)];
    });
  });
  const reset = (page) => page.$eval("#flame .controls button", (button) =>
    [button.textContent, button.disabled]);
  await goTo(page, "#tab=flame");
  const steps = await page.evaluate(() => history.length);
  await page.focus("#flame canvas");
  await press(page, "+", "+", ">", "+", ">");
  await page.waitForFunction("location.hash.includes('span=')");
  const [boxes, hash] = [await firstBoxes(), await hashOf(page)];
  expectEqual("no step", steps, await page.evaluate(() => history.length));
  await page.reload();
  await page.waitForSelector("[role=tablist]");
  await settle(page);
  expectEqual("boxes after reloading", boxes, await firstBoxes());
  expectEqual("can be reset", ["Reset zoom", false], await reset(page));
  await page.evaluate(() => heapReport.state.set({search: "main"}));
  await settle(page);
  expectEqual("boxes of a search", boxes, await firstBoxes());
  await clickButton(page, "Reset zoom");
  expectEqual("whole", "#tab=flame&search=main", await hashOf(page));
  expectEqual("was reset", ["Reset zoom", true], await reset(page));
  expectEqual("other boxes", false,
    JSON.stringify(boxes) === JSON.stringify(await firstBoxes()));
  await page.goBack();
  await settle(page);
  expectEqual("boxes of the step before", boxes, await firstBoxes());
  expectEqual("URL of the step before", `${hash}&search=main`,
    await hashOf(page));
}

// A fragment may come from an older file or have been mistyped.
async function survivesNonsense(page) {
  for (const fragment of [
    "#tab=nothing", "#tab=flame&zoom=99999999", "#tab=flame&zoom=-1",
    "#tab=flame&span=0-0", "#tab=flame&span=0.9-0.9", "#tab=flame&span=x",
    "#tab=flame&hide=4.x.99999&focus=77777", "#tab=top&select=f999999",
    "#tab=top&by=toString&sort=constructor", "#metric=x&thread=99&dump=4",
    "#%00&&=&tab=top&filter=%28", "#tab=flame&merge=1&zoom=11&hide=3",
  ]) {
    await goTo(page, fragment);
    expectEqual(`a tab is shown for ${fragment}`, 1,
      (await page.$$("main > section:not([hidden])")).length);
  }
}

async function showsTablesOnly(browser, page, name) {
  expectEqual("plain rows", true,
    (await page.$$("#functions tbody tr")).length > 3);
  expectEqual("visible", true,
    await page.$eval("#functions", (table) => table.checkVisibility()));
  await browser.screenshot(page, name);
}

async function prints(page) {
  for (const fragment of ["#", "#tab=flame", "#tab=top&select=f0"]) {
    await goTo(page, fragment);
    await page.emulateMediaType("print");
    expectEqual("no controls on paper", 0, (await page.$$eval(
      "nav, input, select, .controls button, .close", (all) => all.filter((element) =>
        element.checkVisibility()))).length);
    expectEqual(`one view on paper at ${fragment}`, 1,
      (await page.$$eval("main > section", (all) => all.filter((element) =>
        element.checkVisibility()))).length);
    await page.emulateMediaType(null);
    expectEqual("a document", "%PDF",
      Buffer.from(await page.pdf()).subarray(0, 4).toString());
  }
}

await inBrowser(async (browser) => {
  await openReport(browser, report, "", async (page) => {
    await goesBackAndForward(page);
    await reloads(page);
    await keepsFreeZoom(page);
    await survivesNonsense(page);
    await prints(page);
    await goTo(page, "#");
    await clickButton(page, "?");
    expectEqual("help", true,
      (await textOf(page, "dialog")).includes("copy the stack"));
    await press(page, "Escape");
    expectEqual("help is closed", 0, (await page.$$("dialog")).length);
    await page.setJavaScriptEnabled(false);
    await page.reload();
    await showsTablesOnly(browser, page, "no-scripts");
  });
  for (const id of ["data", "program"]) {
    const damaged = `${scratch}/damaged.html`;
    writeFileSync(damaged, readFileSync(report, "utf8").replace(
      RegExp(`(id="${id}"[^>]*>)[^<]{40}`), "$1"));
    await browser.open(damaged, {}, async (page) => {
      await page.waitForSelector("[role=alert]");
      await showsTablesOnly(browser, page, `damaged-${id}`);
    });
  }
});
