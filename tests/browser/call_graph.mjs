// SPDX-License-Identifier: Apache-2.0
//
// --svg: the call graph moves and zooms, and can always be shown whole.

import {writeFileSync} from "node:fs";
import {
  dump, eventually, expectEqual, heapprof, inBrowser, scratch,
} from "./browser.mjs";

const picture = `${scratch}/graph.svg`;
heapprof("-o", picture, dump("dumps/inlining.gcc-O2"));

// Where the element is in the window, in pixels, rounded to hide rounding
// errors.
const boxOf = (page, selector) =>
  page.$eval(selector, (element) => {
    const {left, top, width, height} = element.getBoundingClientRect();
    const [x, y, w, h] = [left, top, width, height].map((n) => Math.round(n));
    return {x, y, width: w, height: h};
  });
const viewOf = (page) =>
  page.$eval("svg", (svg) => svg.getAttribute("viewBox"));

const middleOf = (box) => [box.x + box.width / 2, box.y + box.height / 2];

// Rounding may move an edge by one pixel.
function expectNear(what, expected, found) {
  const isNear = expected.every((n, i) => Math.abs(n - found[i]) <= 2);
  expectEqual(what, expected, isNear ? expected : found);
}

async function showsAll(page) {
  const box = await boxOf(page, "#graph0");
  const {width, height} = page.viewport();
  expectEqual("all is visible", true, box.x >= -1 && box.y >= -1 &&
    box.x + box.width <= width + 1 && box.y + box.height <= height + 1);
  return box;
}

// Returns the selector of a node whose middle is in the window.
async function visibleNode(page) {
  const {width, height} = page.viewport();
  for (const id of await page.$$eval(".node", (all) => all.map(({id}) => id))) {
    const [x, y] = middleOf(await boxOf(page, `#${id}`));
    if (x > 0 && x < width && y > 0 && y < height) return `#${id}`;
  }
  throw new Error("no node is visible");
}

async function press(page, key, times = 1) {
  for (let i = 0; i < times; ++i) await page.keyboard.press(key);
}

async function movesAndZooms(browser, page) {
  const whole = await showsAll(page);
  const wholeView = await viewOf(page);
  const first = await browser.screenshot(page, "whole");
  const {width, height} = page.viewport();

  await press(page, "+", 3);
  const larger = await boxOf(page, "#graph0");
  const factor = 1.25 ** 3;
  expectNear("size after + + +", [whole.width * factor, whole.height * factor],
    [larger.width, larger.height]);
  expectNear("the middle stays", [width / 2, height / 2], middleOf(larger));
  await browser.screenshot(page, "zoomed");

  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(450, 280, {steps: 4});
  await page.mouse.up();
  await page.mouse.move(10, 10);
  const dragged = await boxOf(page, "#graph0");
  expectNear("dragged", [larger.x + 50, larger.y - 20], [dragged.x, dragged.y]);

  const node = await visibleNode(page);
  const middle = middleOf(await boxOf(page, node));
  const unzoomed = await viewOf(page);
  await page.mouse.move(...middle);
  await page.mouse.wheel({deltaY: -300});
  await eventually("the wheel zooms", async () =>
    await viewOf(page) !== unzoomed);
  expectNear("what is under the pointer stays", middle,
    middleOf(await boxOf(page, node)));
  expectNear("the wheel doubled the width", [2 * larger.width],
    [(await boxOf(page, "#graph0")).width]);

  await press(page, "0");
  expectEqual("picture after 0", first, await browser.screenshot(page, "again"));
  await press(page, "-");
  expectEqual("view after - of all", wholeView, await viewOf(page));

  await press(page, "ArrowRight");
  await press(page, "ArrowDown");
  expectNear("after the arrows", [whole.x - width / 10, whole.y - height / 10],
    Object.values(await boxOf(page, "#graph0")));
  await press(page, "ArrowLeft");
  await press(page, "ArrowUp");
  expectEqual("view after all arrows", wholeView, await viewOf(page));
}

async function cannotGetLost(page) {
  const wholeView = await viewOf(page);
  await press(page, "+", 40);
  const [, , width] = (await viewOf(page)).split(" ").map(Number);
  expectEqual("points in the window", true, width > 50);
  await press(page, "ArrowLeft", 400);
  const box = await boxOf(page, "#graph0");
  expectEqual("the left edge is visible", true,
    box.x >= 0 && box.x < page.viewport().width);
  await page.keyboard.down("Control");
  await press(page, "0");
  await page.keyboard.up("Control");
  expectEqual("the browser's own key", box, await boxOf(page, "#graph0"));
  await press(page, "-", 40);
  await press(page, "0");
  expectEqual("view after 0", wholeView, await viewOf(page));
  await page.setViewport({width: 1400, height: 1000});
  await press(page, "0");
  await showsAll(page);
}

// Pages that contain the picture keep their own keys.
async function isStillInsideAPage(page) {
  const size = await page.$eval("img", (image) =>
    [image.naturalWidth, image.naturalHeight]);
  const before = await viewOf(page);
  await press(page, "+");
  expectEqual("view inside a page", before, await viewOf(page));
  const [, , width, height] = before.split(" ").map(Number);
  expectNear("size in pixels", [width * 4 / 3, height * 4 / 3], size);
  const box = await boxOf(page, "svg");
  expectNear("size inside the page", size, [box.width, box.height]);
}

const page = `${scratch}/page.html`;
writeFileSync(page, `<!doctype html><img src="graph.svg">
${heapprof("--svg", dump("dumps/inlining.gcc-O2")).replace(/^[^]*?<svg/, "<svg")}`);

await inBrowser(async (browser) => {
  await browser.open(picture, {}, (page) => movesAndZooms(browser, page));
  await browser.open(picture, {width: 600, height: 400}, cannotGetLost);
  await browser.open(page, {mayLoad: `file://${scratch}/`}, isStillInsideAPage);
});
