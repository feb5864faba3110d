// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: what is beside the table, links between views, and what the
// overview leads to. Following a link changes what it says, and nothing else.

import {writeFileSync} from "node:fs";
import {
  dump, eventually, expectEqual, heapprof, inBrowser, scratch,
} from "./browser.mjs";
import {
  bytesText, goTo, openReport, press, rowsOf, settle, shareText, stacksOf,
  sumsOf, textOf, totalOf, write,
} from "./html_page.mjs";

const sampled = dump("sampled/quickstart.gcc-O2");
const threads = dump("dumps/threads.gcc-O2");

const stateOf = (page, ...names) => page.evaluate((all) =>
  all.map((name) => heapReport.state.get(name)), names);

// The panel has the sums of the function, whichever rows the table has.
async function showsTheFunction(page) {
  const stacks = stacksOf(sampled);
  const name = "demo::Worker::Handle(int)";
  const {total} = sumsOf(stacks).get(name);
  const label = await page.evaluate((wanted) =>
    heapReport.profile.labels.indexOf(wanted), name);
  for (const by of ["lines", "functions", "files"]) {
    await goTo(page, `#tab=top&by=${by}&select=f${label}`);
    const text = await textOf(page, ".selected dd");
    const share = shareText(total, totalOf(stacks));
    expectEqual(`${by}: total of the function`, [bytesText(total).slice(-3),
      share], [text.match(/ \w+(?=,)/)[0].slice(-3), text.split(", ").at(-1)]);
  }
}

async function keepsOtherSettings(page) {
  await goTo(page, "#tab=top&select=f5");
  await page.click("#top th.col-total button");
  await page.type("#top input", "a");
  await settle(page);
  await page.evaluate(() => heapReport.state.set({flip: "1", hide: "3"}));
  await settle(page);
  const before = await stateOf(page, "sort", "filter", "flip", "hide");
  expectEqual("settings", ["total", "a", "1", "3"], before);
  const links = await page.$$(".stack-tree a");
  await links[0].click();
  await settle(page);
  expectEqual("after a link to a caller", before,
    await stateOf(page, "sort", "filter", "flip", "hide"));
  await page.hover("#top tbody a");
  const isKept = await page.$eval("#top tbody a", (link) => {
    link.dispatchEvent(new PointerEvent("pointerdown"));
    return /flip=1/.test(link.href) && /hide=3/.test(link.href);
  });
  expectEqual("a link in a new tab keeps settings", true, isKept);
}

// A free zoom of callees ends like any other.
async function resetsSandwich(page) {
  const label = await page.evaluate(() =>
    heapReport.profile.labels.indexOf("demo::Worker::Handle(int)"));
  await goTo(page, `#tab=top&select=f${label}`);
  const [, callees] = await page.$$(".sandwich canvas");
  const picture = () => callees.evaluate((canvas) => canvas.toDataURL());
  const before = await picture();
  await callees.focus();
  await press(page, "+", "+");
  expectEqual("zoomed", false, before === await picture());
  await press(page, "0");
  expectEqual("all again", true, before === await picture());
}

async function keepsFocusAndSelection(page) {
  await goTo(page, "#tab=top");
  await page.focus("#top th.col-total button");
  await press(page, "Enter");
  expectEqual("focus after sorting", "Total", await page.evaluate(() =>
    document.activeElement.textContent));
  await goTo(page, "#tab=top&select=f2");
  await page.click(".selected .close");
  await settle(page);
  expectEqual("focus after closing", true, await page.evaluate(() =>
    document.activeElement.matches("#top tbody a")));
}

// A row that is selected elsewhere is scrolled into view.
async function showsSelectedRow(page) {
  await page.setViewport({width: 1280, height: 500});
  const last = (await rowsOf(page)).at(-1).name;
  await page.evaluate((name) => {
    const {labels} = heapReport.profile;
    heapReport.state.set({select: `f${labels.indexOf(name)}`});
  }, last);
  await settle(page);
  expectEqual("the selected row is in view", true, await page.$eval(
    "#top tr[aria-current]", (row) =>
      row.getBoundingClientRect().bottom <= window.innerHeight + 1));
}

async function leadsFromOverview(page) {
  await goTo(page, "#");
  const names = await page.$$eval("#overview td[data-kind=function] a",
    (links) => links.map(({textContent}) => textContent));
  expectEqual("links", true, names.length > 3);
  for (const name of ["demo::RenderBody", "std::__new_allocator::allocate"]) {
    await goTo(page, "#");
    await page.evaluate((text) => [...document.querySelectorAll(
      "#overview td a")].find((link) => link.textContent.startsWith(text))
      .click(), name);
    await settle(page);
    const [tab, select, filter] = await stateOf(page, "tab", "select", "filter");
    expectEqual(`${name} is in the table`, ["top", true],
      [tab, select !== "" || filter !== ""]);
    const rows = (await rowsOf(page)).map((row) => row.name);
    const plain = (text) => text.replace(/<.*>(?=::)/, "").replace(/\(.*/, "");
    if (filter !== "")
      expectEqual("only its instances", [name],
        [...new Set(rows.map(plain))]);
  }
}

// The total follows the toolbar, and the rest of the overview says if not.
async function saysWhatIsShown(page) {
  await goTo(page, "#metric=alloc_space&thread=1");
  const held = JSON.parse(heapprof("--json", "--alloc_space", threads)).threads
    .sort((a, b) => a.uid - b.uid)[1].held.value;
  expectEqual("total of a thread", bytesText(held),
    (await textOf(page, "#total")).split(" allocated")[0]);
  expectEqual("note", true,
    await page.$eval("#overview .hint[role=status]", (note) =>
      note.checkVisibility() && note.textContent.includes("live bytes of")));
  await goTo(page, "#");
  expectEqual("no note", false, await page.$eval(
    "#overview .hint[role=status]", (note) => note.checkVisibility()));
}

// Nothing of a thread is lost in the tables.
async function addsUp(page) {
  for (const by of ["functions", "files", "modules"]) {
    await goTo(page, `#tab=top&by=${by}&thread=0`);
    const sums = await page.evaluate((table) => {
      const add = (values) => values.reduce((sum, value) => sum + value, 0);
      return [add(heapReport.rows(table).self),
              heapReport.graph.values.total[0]];
    }, by);
    expectEqual(`self of ${by}`, sums[1], sums[0]);
  }
}

// What is hidden stays hidden when calls are merged, and nothing else is.
async function mergesMasked(browser) {
  const path = `${scratch}/recursive.raw`;
  const stacks = [["main;f;g;f;h", 8], ["main;f;x", 5], ["main;h;leaf", 6]];
  const names = ["main", "f", "g", "h", "x", "leaf"];
  const at = (name) => 4096 * (1 + names.indexOf(name));
  writeFileSync(path, [
    "--- symbol", "binary=/bin/a",
    ...names.map((name) => `0x${at(name).toString(16).padStart(16, "0")} ` +
      name), "---", "--- heap", "heap_v2/1", "  t*: 3: 19 [0: 0]",
    ...stacks.flatMap(([stack, value]) => [
      `@ ${stack.split(";").reverse().map((name, i) =>
        `0x${(at(name) + (i === 0 ? 0 : 1)).toString(16)}`).join(" ")}`,
      `  t*: 1: ${value} [0: 0]`]), ""].join("\n"));
  await openReport(browser, write("recursive", path), "#tab=flame",
    async (page) => {
      const total = () => page.evaluate(() =>
        heapReport.tab.chart.model.sizes[0]);
      expectEqual("all", 19, await total());
      await page.evaluate(() => {
        const {tree} = heapReport.profile;
        const inner = [...tree.label.keys()].find((node) =>
          tree.path(node).length === 4);
        heapReport.tab.hide(inner);
      });
      await settle(page);
      expectEqual("without the inner call", 11, await total());
      const merge = "#flame .controls button[aria-pressed]:nth-of-type(4)";
      await page.click(merge);
      await settle(page);
      expectEqual("merged", ["1", 11],
        [(await stateOf(page, "merge"))[0], await total()]);
      await page.click(merge);
      await settle(page);
      expectEqual("not merged", ["", 11],
        [(await stateOf(page, "merge"))[0], await total()]);
    });
}

// Many frames that are too thin to see are one box with their sum; a click
// opens it.
async function opensFolded(browser) {
  const path = `${scratch}/fan.raw`;
  const address = (i, offset = 0) => (4096 * (i + 1) + offset).toString(16);
  const symbol = (i) => `0x${address(i).padStart(16, "0")} f${i}`;
  writeFileSync(path, [
    "--- symbol", "binary=/bin/a",
    ...Array.from({length: 3000}, (_, i) => symbol(i)), "---", "--- heap",
    "heap_v2/1", "  t*: 1: 1 [0: 0]",
    ...Array.from({length: 2999}, (_, i) => [
      `@ 0x${address(i + 1)} 0x${address(0, 1)}`,
      `  t*: 1: ${i === 0 ? 1_000_000 : 100} [0: 0]`]).flat(), "",
  ].join("\n"));
  await openReport(browser, write("fan", path), "#tab=flame", async (page) => {
    const folded = () => page.evaluate(() => {
      const {chart} = heapReport.tab;
      const {width} = chart.canvas.getBoundingClientRect();
      for (let x = width - 1; x > 0; --x)
        for (const y of [30, 50])
          if (chart.boxAt(x, y)?.folded.length > 0) return [x, y];
      return null;
    });
    const place = await folded();
    const {x, y} = await page.$eval("#flame canvas", (canvas) => {
      const box = canvas.getBoundingClientRect();
      return {x: box.x, y: box.y};
    });
    const tip = async () => {
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.move(x + place[0], y + place[1]);
      return textOf(page, "#tooltip");
    };
    const before = await tip();
    const amount = bytesText(2998 * 100);
    expectEqual(`sum of folded frames: ${before}`, true,
      before.startsWith(`2998 smaller frames${amount}, `));
    await page.focus("#flame canvas");
    await press(page, "ArrowDown");
    expectEqual("the same when a frame is selected", before, await tip());
    await page.mouse.click(x + place[0], y + place[1]);
    await settle(page);
    await eventually("it is opened", async () =>
      (await stateOf(page, "span"))[0] !== "");
  });
}

await inBrowser(async (browser) => {
  const report = write("panel", sampled);
  await openReport(browser, report, "#", async (page) => {
    await showsTheFunction(page);
    await keepsOtherSettings(page);
    await resetsSandwich(page);
    await keepsFocusAndSelection(page);
    await leadsFromOverview(page);
    await browser.screenshot(page, "filtered");
    await goTo(page, "#tab=top");
    await showsSelectedRow(page);
  });
  await openReport(browser, write("threads", threads), "#", async (page) => {
    await saysWhatIsShown(page);
    await addsUp(page);
  });
  await mergesMasked(browser);
  await opensFolded(browser);
});
