// SPDX-License-Identifier: Apache-2.0
//
// --flamegraph: the picture zooms, searches and shows both sides of a
// comparison, and is right without scripts, too.

import {readFileSync, writeFileSync} from "node:fs";
import {
  dump, eventually, expectEqual, heapprof, inBrowser, scratch,
} from "./browser.mjs";
import {manyStacks} from "./many_stacks.mjs";

const FRAMES = "#frames rect[class]:not(.folded):not(.new)";

// Draws a flame graph and returns its path.
function draw(name, ...options) {
  const path = `${scratch}/${name}.flame.svg`;
  heapprof("-o", path, ...options);
  return path;
}

// The number of bytes in the stacks in which a function matches.
function matchingBytes(pattern, ...options) {
  let bytes = 0;
  for (const line of heapprof("--collapsed", ...options).trimEnd().split("\n")) {
    const [, stack, value] = line.match(/^(.*) (\d+)$/);
    if (stack.split(";").some((name) => pattern.test(name)))
      bytes += Number(value);
  }
  return bytes;
}

// The boxes that the page shows, or those in the file, before any script runs:
// place, class and text of each.
const boxesOf = (page, file = null) =>
  page.evaluate((selector, source) => {
    const root = source === null ? document :
      new DOMParser().parseFromString(source, "image/svg+xml");
    const top = Math.min(...[...root.querySelectorAll(selector)]
      .map((rect) => Number(rect.getAttribute("y"))));
    return [...root.querySelectorAll(selector)].map((rect) => {
      const [x, y, width] =
        ["x", "y", "width"].map((name) => Number(rect.getAttribute(name)));
      return {x, y: y - top, width, color: rect.getAttribute("class")};
    });
  }, FRAMES, file === null ? null : readFileSync(file, "utf8"));

// The name and the details of each box with a tooltip in the file.
const titlesOf = (page, file) =>
  page.evaluate((source) => {
    const root = new DOMParser().parseFromString(source, "image/svg+xml");
    return [...root.querySelectorAll("#frames title")]
      .map((title) => title.textContent);
  }, readFileSync(file, "utf8"));

// What is shown about the box under the pointer: name, module, details.
const tipOf = (page) => page.evaluate(() => {
  const place = document.getElementById("tip-place");
  if (place.getAttribute("visibility") !== "visible") return null;
  const tip = document.getElementById("tip");
  return {name: tip.querySelector("b").textContent,
          details: tip.lastChild.textContent};
});

const textOf = (page, selector) =>
  page.$eval(selector, (element) => element.textContent);
const rootWidth = (page) =>
  page.$eval("svg", (svg) => svg.viewBox.baseVal.width - 20);

// The middle of the first box with this text, in the window.
async function placeOf(page, text) {
  const place = await page.evaluate((wanted) => {
    const found = [...document.querySelectorAll("#frames text")]
      .find((element) => element.textContent === wanted);
    const box = found?.getBoundingClientRect();
    return box && [box.x + 5, box.y + box.height / 2];
  }, text);
  if (!place) throw new Error(`no box has the text ${text}`);
  return place;
}

// Every text is inside its box, whatever font is used.
async function textsFit(page) {
  const wrong = await page.evaluate(() =>
    [...document.querySelectorAll("#frames text")].filter((text) => {
      let rect = text;
      while (rect.tagName !== "rect") rect = rect.previousElementSibling;
      return text.getBBox().x + text.getComputedTextLength() >
        rect.x.baseVal.value + rect.width.baseVal.value + 0.5;
    }).map((text) => text.textContent));
  expectEqual("texts that do not fit", [], wrong);
}

const near = (a, b) => Math.abs(a - b) < 0.02;

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function find(page, pattern) {
  await page.keyboard.down("Control");
  await page.keyboard.press("f");
  await page.keyboard.up("Control");
  await page.keyboard.type(pattern);
}

// The script shows what the file shows without it, in the same words.
async function isTheSameWithoutScripts(page, file) {
  const [drawn, shown] = [await boxesOf(page, file), await boxesOf(page)];
  expectEqual("number of boxes", drawn.length, shown.length);
  shown.forEach((box, i) => {
    const isSame = box.color === drawn[i].color && box.y === drawn[i].y &&
      near(box.x, drawn[i].x) && near(box.width, drawn[i].width);
    if (!isSame) expectEqual(`box ${i}`, drawn[i], box);
  });
  const titles = new Set(await titlesOf(page, file));
  const seen = new Set();
  const rows = await page.$$(FRAMES);
  for (const row of rows) {
    const box = await row.boundingBox();
    if (!box || box.width < 30) continue;
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    const tip = await tipOf(page);
    if (tip) seen.add(`${tip.name}\n${tip.details}`);
  }
  expectEqual("tooltips that differ from the file", [],
    [...seen].filter((tip) => !titles.has(tip)));
  expectEqual("there are tooltips", true, seen.size > 2);
}

const sampled = dump("sampled/quickstart.gcc-O2");
const exact = dump("dumps/inlining.gcc-O2");

async function zooms(browser, page) {
  const first = await boxesOf(page);
  expectEqual("total", true,
    /^quickstart.*: [\d.]+ ± [\d.]+ MiB live/.test(await textOf(page, "#bar p")));
  await page.mouse.move(5, 300);
  await browser.screenshot(page, "light");
  await page.mouse.click(...await placeOf(page, "demo::Worker::Handle(int)"));
  const [all, ...others] = await boxesOf(page);
  const full = await rootWidth(page);
  expectEqual("boxes below the zoomed one", ["n caller", full],
    [all.color, all.width]);
  expectEqual("boxes as wide as the picture", 6,
    [all, ...others].filter(({width}) => near(width, full)).length);
  await textsFit(page);
  await page.mouse.move(...await placeOf(page, "demo::Worker::Handle(int)"));
  const tip = await tipOf(page);
  const [, share] = heapprof("--text", sampled)
    .match(/ ([\d.]+%) demo::Worker::Handle$/m);
  const [, shown] = tip.details
    .match(/^[\d.]+ ± [\d.]+ MiB, ([\d.]+%), \d+ samples/);
  expectEqual("the share is still of everything", share, shown);
  await browser.screenshot(page, "zoomed");

  await page.mouse.click(...await placeOf(page, "all"));
  expectEqual("after a click on all", first, await boxesOf(page));
  await page.mouse.click(...await placeOf(page, "start_thread"));
  const buttons = await page.$$("#controls button");
  await buttons[1].click();
  expectEqual("after reset", first, await boxesOf(page));
}

async function searches(page) {
  const total = matchingBytes(/./, exact);
  for (const [pattern, expression] of [
    ["pool", /pool/i], ["Hold|^main$", /Hold|^main$/], ["Grow\\(int\\)", /Grow\(int\)/],
    ["nothing at all", /nothing at all/],
  ]) {
    await find(page, pattern);
    const bytes = matchingBytes(expression, exact);
    const share = (100 * bytes / total).toFixed(1).replace("100.0", "100")
      .replace(/^0\.0$/, "0");
    const found = await textOf(page, "output");
    expectEqual(`found for ${pattern}`, `Matched: ${bytes} B, ${share}%`,
      found.replace(/; \d+ frames?$/, ""));
    const marked = await page.$$("#frames .match");
    expectEqual("boxes are marked", bytes > 0, marked.length > 0);
    await press(page, "Escape");
    expectEqual("after Escape", "", await textOf(page, "output"));
  }
  await find(page, "a(");
  expectEqual("for a wrong pattern", "Not a regular expression",
    await textOf(page, "output"));
  await press(page, "Escape");
  const [button] = await page.$$("#controls button");
  await button.click();
  await page.keyboard.type("s0/");
  expectEqual("keys in the search are text", "s0/",
    await page.$eval("input", ({value}) => value));
  await press(page, "Enter", "Escape");
  expectEqual("marked at the end", 0, (await page.$$("#frames .match")).length);
}

async function obeysKeys(page) {
  const start = await boxesOf(page);
  await press(page, "ArrowUp");
  expectEqual("first box", "all", (await tipOf(page)).name);
  await press(page, "ArrowUp");
  const child = (await tipOf(page)).name;
  await press(page, "ArrowUp", "ArrowDown");
  expectEqual("up and down", child, (await tipOf(page)).name);
  await press(page, "ArrowRight", "ArrowLeft");
  expectEqual("right and left", child, (await tipOf(page)).name);
  await press(page, "ArrowUp", "Enter");
  expectEqual("Enter zooms", true,
    JSON.stringify(start) !== JSON.stringify(await boxesOf(page)));
  await press(page, "-", "-", "-");
  expectEqual("- zooms out", start, await boxesOf(page));
  await press(page, "ArrowUp", "ArrowUp", "ArrowUp", " ", "0");
  expectEqual("0 shows all", start, await boxesOf(page));
  await press(page, "/");
  await page.keyboard.type("main");
  await press(page, "Enter", "Escape", "Escape");
  expectEqual("Escape ends everything", start, await boxesOf(page));
}

const before = manyStacks("before", 2000, 1);
const after = manyStacks("after", 2000, 77);
const deltaOf = (...options) =>
  JSON.parse(heapprof("--json", ...options)).totals.inuse_space.change.value;

async function compares(browser, page) {
  await browser.screenshot(page, "comparison");
  const summary = await textOf(page, "#bar p");
  expectEqual("summary", true,
    /^before\.raw → after\.raw: .* → .* \([-+].*±.*\) live/.test(summary));
  const legend = await page.$$eval("#controls .swatch", (all) =>
    all.map(({textContent}) => textContent));
  expectEqual("legend", ["grew", "shrank", "unchanged or may be chance",
    "leads to a change", "new"], legend);
  await textsFit(page);
  const now = await boxesOf(page);
  await press(page, "s");
  const side = await textOf(page, "#controls button:last-of-type");
  expectEqual("side", "Widths: before", side);
  expectEqual("other widths", true,
    JSON.stringify(now) !== JSON.stringify(await boxesOf(page)));
  await browser.screenshot(page, "comparison-before");
  const data = JSON.parse(await textOf(page, "#data"));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const error = sum(data.now) - sum(data.before) -
    deltaOf("--base", before, after);
  expectEqual("the differences add up", true, Math.abs(error) <= 1);
  await press(page, "s");
  expectEqual("again", now, await boxesOf(page));
}

// What is too thin is one box, which opens.
async function opensOthers(browser, page) {
  const read = async () => {
    const boxes = await boxesOf(page);
    const widest = Math.max(...await page.$$eval("#frames rect.folded", (all) =>
      all.map((rect) => rect.width.baseVal.value)));
    return {count: boxes.length, widest};
  };
  await textsFit(page);
  const {widest} = await read();
  expectEqual("a box of others can be seen", true, widest > 30);
  const place = await page.evaluate((width) => {
    const rect = [...document.querySelectorAll("#frames rect.folded")]
      .find((each) => each.width.baseVal.value === width);
    const box = rect.previousElementSibling.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + 8];
  }, widest);
  await page.mouse.move(...place);
  const {name} = await tipOf(page);
  expectEqual("name", true, /^\d+ other frames$/.test(name));
  const parents = (await page.$$("#frames .caller")).length;
  await page.mouse.click(...place);
  expectEqual("its callers are below", true,
    (await page.$$("#frames .caller")).length > parents);
  expectEqual("frames are shown", true, (await read()).count > 20);
  await textsFit(page);
  await browser.screenshot(page, "others");
}

function deepStack() {
  const path = `${scratch}/deep.raw`;
  writeFileSync(path, "--- symbol\nbinary=/app\n0x1000 first\n0x2000 deep\n" +
    "---\n--- heap\nheap_v2/1\n  t*: 1: 1 [0: 0]\n@ " +
    `${"0x2001 ".repeat(99_000)}0x1001\n  t*: 1: 1000 [0: 0]\n`);
  return path;
}

async function showsDeepStacks(browser, page) {
  expectEqual("the root is in sight", true,
    (await placeOf(page, "all"))[1] < page.viewport().height);
  await browser.screenshot(page, "deep");
  expectEqual("levels", 401, (await boxesOf(page)).length);
  const top = await page.$eval("#frames text:last-of-type",
    ({textContent}) => textContent);
  expectEqual("sum", "98602 deeper frames", top);
  for (let i = 0; i < 3; ++i) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.evaluate(() => {
      const folded = [...document.querySelectorAll("#frames rect.folded")].at(-1);
      folded.previousElementSibling.dispatchEvent(
        new MouseEvent("click", {bubbles: true}));
    });
  }
  expectEqual("callers are summed up", true,
    (await page.$$eval("#frames text", (all) => all.map((text) =>
      text.textContent))).some((text) => /^\d+ callers$/.test(text)));
  await press(page, "0");
  expectEqual("levels again", 401, (await boxesOf(page)).length);
}

function hostileNames() {
  const path = `${scratch}/hostile.raw`;
  const bytes = Buffer.concat([
    Buffer.from("--- symbol\nbinary=/bin/a\n0x0000000000401000 " +
      "</text></script><script>window.hacked = 1</script>]]>\"'&<b onclick='1'>"),
    Buffer.from([1, 0x1b, 0xff, 0xef, 0xbf, 0xbe, 0xe2, 0x80, 0xae]),
    Buffer.from("\n---\n--- heap\nheap profile: 1: 4096 [0: 0] @ " +
      "heapprofile\n1: 4096 [0: 0] @ 0x401000\n"),
  ]);
  writeFileSync(path, bytes);
  return path;
}

async function showsNamesAsText(page) {
  expectEqual("hacked", false, await page.evaluate(() => "hacked" in window));
  const [, name] = await page.$$eval("#frames text", (all) =>
    all.map((text) => text.textContent));
  expectEqual("name", "</text></script><script>window.hacked = 1</script>" +
    "]]>\"'&<b onclick='1'>???\ufffe?", name);
}

// Inside a page, the picture stays as it is.
async function isStillInsideAPage(page) {
  const size = await page.$eval("img", ({naturalWidth}) => naturalWidth);
  expectEqual("width", 900, size);
  expectEqual("bars", 0, (await page.$$("#bar")).length);
  expectEqual("boxes", true, (await page.$$(FRAMES)).length > 5);
}

async function fitsAnyWindow(browser, page) {
  for (const [width, height] of [[320, 480], [1800, 900]]) {
    await page.setViewport({width, height});
    await eventually("the picture has the width of the window", async () =>
      near(await page.$eval("svg", (svg) => svg.viewBox.baseVal.width),
        await page.evaluate(() =>
          document.documentElement.getBoundingClientRect().width)));
    await textsFit(page);
    await browser.screenshot(page, `window-${width}`);
  }
}

async function opensFast(browser, page) {
  const milliseconds = await page.evaluate(() =>
    performance.getEntriesByType("navigation")[0].loadEventEnd);
  const data = JSON.parse(await textOf(page, "#data"));
  expectEqual("frames", true, data.depth.length >= 100_000);
  expectEqual(`opens in 2 s (${milliseconds} ms)`, true, milliseconds < 2000);
  await textsFit(page);
  await find(page, "class7<");
  expectEqual("search", true,
    /^Matched: .*%/.test(await textOf(page, "output")));
  await browser.screenshot(page, "huge");
}

const fixed = ["--width=900"];
const page = `${scratch}/page.html`;
const inside = draw("inside", ...fixed, exact);
writeFileSync(page, `<!doctype html><img src="inside.flame.svg">
${readFileSync(inside, "utf8").replace(/^[^]*?<svg/, "<svg")}`);

await inBrowser(async (browser) => {
  const pictures = [
    draw("exact", ...fixed, exact), draw("sampled", ...fixed, sampled),
    draw("bytes", ...fixed, "--show_bytes", sampled),
    draw("objects", ...fixed, "--inuse_objects", "--inverted", sampled),
    draw("reverse", ...fixed, "--reverse", "--palette=hot", sampled),
    draw("both", ...fixed, "--base", before, after),
    draw("growth", ...fixed, "--show_bytes", "--base",
      dump("dumps/growth.first"), dump("dumps/growth.grown")),
  ];
  for (const file of pictures)
    await browser.open(file, {}, (page) => isTheSameWithoutScripts(page, file));
  const of = (dump, ...options) => draw("one", ...options, dump);
  await browser.open(of(sampled), {}, (page) => zooms(browser, page));
  await browser.open(of(sampled), {dark: true}, (page) =>
    browser.screenshot(page, "dark"));
  await browser.open(of(exact, "--show_bytes"), {}, searches);
  await browser.open(of(exact), {}, obeysKeys);
  await browser.open(of(after, "--base", before), {}, (page) =>
    compares(browser, page));
  await browser.open(of(after, "--base", before), {dark: true}, (page) =>
    browser.screenshot(page, "comparison-dark"));
  await browser.open(of(after, "--min-width=6"), {}, (page) =>
    opensOthers(browser, page));
  await browser.open(of(deepStack()), {}, (page) =>
    showsDeepStacks(browser, page));
  await browser.open(of(hostileNames()), {}, showsNamesAsText);
  await browser.open(page, {mayLoad: `file://${scratch}/`}, isStillInsideAPage);
  await browser.open(of(sampled), {}, (page) => fitsAnyWindow(browser, page));
  await browser.open(of(manyStacks("huge", 100_000, 3)), {}, (page) =>
    opensFast(browser, page));
});
