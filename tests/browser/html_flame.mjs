// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: the flame graph has the frames of --collapsed. It is searched,
// zoomed, masked and merged, with the mouse and with keys alone.

import {dump, eventually, expectEqual, inBrowser} from "./browser.mjs";
import {
  bytesText, clickButton, goTo, openReport, press, settle, shareText, stacksOf,
  textOf, totalOf, write,
} from "./html_page.mjs";

const exact = dump("dumps/inlining.gcc-O2");
const sampled = dump("sampled/quickstart.gcc-O2");

// Each frame that the graph shows: its stack and its size.
const framesOf = (page) => page.evaluate(() => {
  const {flameView, settings} = heapReport;
  const {tree, sizes, nameOf} = flameView.model(settings);
  return [...sizes.keys()].filter((node) => sizes[node] > 0).map((node) =>
    [tree.path(node).map(nameOf).join(";"), sizes[node]]).sort();
});

// The frames of stacks.
function expectedFrames(stacks) {
  const sizes = new Map([["", 0]]);
  for (const {frames, value} of stacks)
    for (let depth = 0; depth <= frames.length; ++depth) {
      const stack = frames.slice(0, depth).join(";");
      sizes.set(stack, (sizes.get(stack) ?? 0) + value);
    }
  return [...sizes].sort();
}

// A call of a function that is on the stack already returns to it.
function withoutRecursion(frames) {
  const merged = [];
  for (const name of frames) {
    const at = merged.indexOf(name);
    if (at >= 0) merged.length = at + 1;
    else merged.push(name);
  }
  return merged;
}

const statusOf = (page) => textOf(page, "#flame .frame-text");
const chartBox = (page) => page.$eval("#flame canvas", (canvas) => {
  const {x, y, width, height} = canvas.getBoundingClientRect();
  return {x, y, width, height};
});

async function hasAllFrames(page, path) {
  for (const metric of ["inuse_space", "inuse_objects", "alloc_space"]) {
    await goTo(page, `#tab=flame&metric=${metric}`);
    expectEqual(`${metric} of ${path}`,
      expectedFrames(stacksOf(`--${metric}`, path)), await framesOf(page));
  }
  const merged = stacksOf(path).map(({frames, value}) =>
    ({frames: withoutRecursion(frames), value}));
  await goTo(page, "#tab=flame&merge=1");
  expectEqual("merged", expectedFrames(merged), await framesOf(page));
}

async function searches(page) {
  const stacks = stacksOf(exact);
  await goTo(page, "#tab=flame");
  for (const pattern of ["Hold|^main$", "std::", "inline", "no such thing"]) {
    await page.keyboard.down("Control");
    await page.keyboard.press("f");
    await page.keyboard.up("Control");
    await page.keyboard.type(pattern);
    await settle(page);
    const expression =
      new RegExp(pattern, /[A-Z]/.test(pattern) ? "" : "i");
    const size = totalOf(stacks.filter(({frames}) =>
      frames.some((name) => expression.test(name))));
    const text = await textOf(page, "#flame .found");
    const expected = size === 0 ? "no match" :
      `${bytesText(size)}, ${shareText(size, totalOf(stacks))} in `;
    expectEqual(`found for ${pattern}`, expected,
      text.slice(0, expected.length));
    await press(page, "Escape");
    expectEqual("found after Escape", "", await textOf(page, "#flame .found"));
  }
}

// Clicks through the rows at the left side and expects each to fill the width.
async function zoomsByMouse(browser, page) {
  await goTo(page, "#tab=flame");
  const {x, y, width} = await chartBox(page);
  const whole = await framesOf(page);
  await page.mouse.click(x + 5, y + 4 * 20 + 10);
  await settle(page);
  const zoomed = await page.evaluate(() => heapReport.state.number("zoom"));
  expectEqual("a frame is zoomed", true, zoomed > 0);
  const box = await page.evaluate((node) => {
    const chart = heapReport.tab.chart;
    return [chart.boxAt(2, 90)?.node, chart.boxAt(chart.canvas.clientWidth - 3,
      90)?.node].map((found) => found === node);
  }, zoomed);
  expectEqual("it fills the width", [true, true], box);
  await browser.screenshot(page, "zoomed");
  await page.mouse.click(x + width / 2, y + 10);
  await settle(page);
  expectEqual("zoom after a click on all", "#tab=flame",
    await page.evaluate(() => location.hash));
  expectEqual("frames after a click on all", whole, await framesOf(page));
  await page.keyboard.press("?");
  expectEqual("the key ? explains", true,
    await page.$eval("dialog", (dialog) => dialog.open));
  await page.keyboard.press("Escape");
  await page.mouse.move(x + 5, y + 30);
  expectEqual("tooltip", true, await page.$eval("#tooltip", (tip) =>
    /^_start[\d.]+ [KM]iB, \d/.test(tip.textContent)));
  await page.mouse.click(x + 5, y + 30, {button: "right"});
  expectEqual("menu", 6, (await page.$$("[role=menuitem]")).length);
  await press(page, "ArrowDown", "Escape");
  expectEqual("menu is closed", 0, (await page.$$("[role=menuitem]")).length);
  await page.mouse.click(x + 5, y + 30, {button: "right"});
  await press(page, "t");
  expectEqual("a key in the menu", "top",
    await page.evaluate(() => document.body.dataset.tab));
}

// Without a selected frame, keys mean the one that fills the width, as the
// buttons do. When the window shrinks, the root at the bottom stays in view.
async function worksFlipped(page) {
  await goTo(page, "#tab=flame&zoom=3&flip=1");
  await page.reload();
  await page.waitForSelector("[role=tablist]");
  await page.setViewport({width: 1000, height: 480});
  await settle(page);
  await page.setViewport({width: 1000, height: 400});
  await settle(page);
  expectEqual("the root is at the bottom", true, await page.evaluate(() => {
    const {chart} = heapReport.tab;
    return chart.boxAt(5, chart.element.clientHeight - 5)?.node === 0;
  }));
  await page.focus("#flame canvas");
  await press(page, "t");
  expectEqual("the zoomed frame is in the table", ["top", true],
    await page.evaluate(() => [document.body.dataset.tab,
      heapReport.selected.label === heapReport.profile.tree.label[3]]));
  await page.setViewport({width: 1000, height: 700});
}

// From the top of the page to the graph by Tab, then everything else by keys.
async function worksByKeys(browser, page) {
  await goTo(page, "#");
  await page.reload();
  await page.waitForSelector("[role=tablist]");
  await press(page, "Tab", "ArrowRight");
  expectEqual("tab by keys", "flame",
    await page.evaluate(() => document.body.dataset.tab));
  for (let i = 0; i < 20; ++i) {
    await press(page, "Tab");
    if (await page.evaluate(() => document.activeElement.tagName === "CANVAS"))
      break;
  }
  const total = totalOf(stacksOf(exact));
  await press(page, "ArrowDown");
  expectEqual("first frame", `all${bytesText(total)}, 100%`,
    await statusOf(page));
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  const zoomed = await page.evaluate(() => location.hash);
  expectEqual("zoomed by Enter", true, /zoom=\d+/.test(zoomed));
  await press(page, "Backspace");
  expectEqual("zoomed out", true,
    await page.evaluate((hash) => location.hash !== hash, zoomed));
  await press(page, "Escape");
  expectEqual("all", "#tab=flame", await page.evaluate(() => location.hash));
  await hidesAndFocuses(page, total);
  await press(page, "t");
  expectEqual("in the table", true, await page.evaluate(() =>
    document.body.dataset.tab === "top" &&
      document.querySelector(".selected").checkVisibility()));
  await browser.screenshot(page, "table");
}

const shownTotal = async (page) => (await framesOf(page))[0][1];

// What is hidden is subtracted from all callers; "f" leaves only it.
async function hidesAndFocuses(page, total) {
  const selectedSize = () => page.evaluate(() => {
    const {model, selected} = heapReport.tab.chart;
    return model.sizes[selected];
  });
  await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
  const size = await selectedSize();
  await press(page, "f");
  expectEqual("only the subtree", size, await shownTotal(page));
  await clickButton(page, "Show all");
  expectEqual("all again", total, await shownTotal(page));
  await page.focus("#flame canvas");
  await press(page, "0", "h");
  expectEqual("without the subtree", total - size, await shownTotal(page));
  expectEqual("says what is missing", true,
    (await textOf(page, ".masked")).startsWith(`without ${bytesText(size)} `));
  await clickButton(page, "Show all");
  await page.focus("#flame canvas");
  await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
}

// Two fingers zoom, and what is between them stays there. A tap still zooms to
// a frame afterwards.
async function pinches(page) {
  await page.setViewport({width: 390, height: 844, hasTouch: true});
  await goTo(page, "#tab=flame");
  const {x, y, width} = await chartBox(page);
  const session = await page.createCDPSession();
  const touch = async (type, ...places) => {
    await session.send("Input.dispatchTouchEvent", {type, touchPoints:
      places.map((place, id) => ({x: x + place, y: y + 50, id}))});
    await settle(page);
  };
  const span = () => page.evaluate(() => heapReport.state.get("span"));
  const middle = width / 2;
  await touch("touchStart", middle - 20, middle + 20);
  for (const apart of [30, 40])
    await touch("touchMove", middle - apart, middle + apart);
  await touch("touchEnd");
  await eventually("the zoom is in the URL", span);
  const [start, size] = (await span()).split("-").map(Number);
  expectEqual("the middle half is shown", ["0.25", "0.50"],
    [start.toFixed(2), size.toFixed(2)]);
  await touch("touchStart", 20);
  await touch("touchEnd");
  expectEqual("a tap zooms", true, await page.evaluate(() =>
    heapReport.state.number("zoom") > 0 && heapReport.state.get("span") === ""));
}

async function copies(browser, page) {
  await goTo(page, "#tab=flame");
  await page.evaluate(() => {
    window.copied = "";
    const keep = async (text) => { window.copied = text; };
    Object.defineProperty(navigator, "clipboard", {value: {writeText: keep}});
  });
  await page.focus("#flame canvas");
  await press(page, "ArrowDown", "c");
  const lines =
      (await page.evaluate(() => window.copied)).trimEnd().split("\n");
  const copied =
    lines.slice(1).map((line) => line.trim().split("  ")[0]).reverse();
  const isStack = stacksOf(exact).some(({frames}) =>
    copied.every((name, i) => name === frames[i]));
  expectEqual(`copied ${copied}`, [true, true], [isStack, copied.length > 2]);
  expectEqual("title", true, /^live bytes: [\d.]+ [KM]iB, /.test(lines[0]));
}

await inBrowser(async (browser) => {
  await openReport(browser, write("exact", exact), "", async (page) => {
    await browser.screenshot(page, "overview");
    await hasAllFrames(page, exact);
    await searches(page);
    await zoomsByMouse(browser, page);
    await worksByKeys(browser, page);
    await copies(browser, page);
    await worksFlipped(page);
    await goTo(page, "#tab=flame&flip=1&color=module");
    await browser.screenshot(page, "flipped");
    await pinches(page);
  });
  await openReport(browser, write("sampled", sampled), "#tab=flame",
    async (page) => {
      await hasAllFrames(page, sampled);
      await browser.screenshot(page, "sampled");
    }, {dark: true});
});
