// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: names of functions, files, modules, threads and dumps, and
// lines of sources are text, whatever is in them.

import {readFileSync, writeFileSync} from "node:fs";
import {gunzipSync, gzipSync} from "node:zlib";
import {dump, expectEqual, heapprof, inBrowser, scratch} from "./browser.mjs";
import {goTo, openReport, rowsOf, settle, write} from "./html_page.mjs";

const NAMES = [
  "<script>window.attacked = 1</script>",
  "</script><img src=x onerror=alert(1)>",
  "a\"b'c&amp;d<!-",
  "]]>",
  "\u05e9\u05dc\u05d5\u05dd::f(int)",
  "constructor",
  "__proto__",
  "x".repeat(200_000),
  "operator<",
  "\u65e5\u672c\u8a9e",
  "javascript:alert(1)",
  "${7*7}",
  "hasOwnProperty",
];

// A dump whose names are in it: one stack, in which each name calls the next.
function hostileDump() {
  const address = (i) => `0x${((i + 1) * 4096).toString(16).padStart(16, "0")}`;
  const path = `${scratch}/hostile.raw`;
  writeFileSync(path, [
    "--- symbol", "binary=/bin/<b>app</b>",
    ...NAMES.map((name, i) => `${address(i)} ${name}`), "---", "--- heap",
    "heap_v2/1", "  t*: 1: 4096 [0: 0]",
    // A symbol belongs to the call before a return address, but to the leaf's
    // own address.
    `@ ${NAMES.map((_, i) => `0x${((i + 1) * 4096 +
      (i === NAMES.length - 1 ? 0 : 1)).toString(16)}`).reverse().join(" ")}`,
    "  t*: 1: 4096 [0: 0]", "",
  ].join("\n"));
  return path;
}

const MARKUP = "<img src=x onerror='window.attacked=1'>";
const expectNothingRan = async (page) => {
  const found = await page.evaluate(() =>
    [window.attacked ?? 0, document.images.length,
     document.querySelectorAll("main script, dialog script").length]);
  expectEqual("nothing ran", [0, 0, 0], found);
};
const textsOf = (page, selector) => page.$$eval(selector, (elements) =>
  elements.map(({textContent}) => textContent));

// Threads and dumps with such names. jemalloc writes what a program calls its
// threads.
async function showsOthers(browser) {
  const threads = readFileSync(dump("dumps/threads.gcc-O2"), "utf8")
    .replace(/^( {2}t1: .*\]) plain$/m, `$1 ${MARKUP}`);
  const paths = ["a", "b"].map((name) => `${scratch}/${MARKUP}${name}.heap`);
  for (const path of paths) writeFileSync(path, threads);
  await openReport(browser, write("others", ...paths), "#", async (page) => {
    for (const place of ["#", "#tab=threads", "#tab=timeline&select=f0",
                         "#tab=flame&thread=1"])
      await goTo(page, place);
    expectEqual("names of dumps", true,
      (await textsOf(page, "#timeline td.name")).includes(`${MARKUP}a.heap`));
    for (const names of ["#threads td.name", "#overview td a"])
      expectEqual(`threads in ${names}`, true,
        (await textsOf(page, names)).includes(`t1 ${MARKUP}`));
    await page.hover("#flame canvas");
    await expectNothingRan(page);
  });
}

// A file with such a name, and such lines: a profile in which the path of a
// source has been replaced by one of the same length.
async function showsSources(browser) {
  const profile = `${scratch}/profile.pb.gz`;
  heapprof("-o", profile, dump("dumps/threads.gcc-O2"));
  const bytes = gunzipSync(readFileSync(profile));
  const [original] = /\/[-\w./]*threads\.cc/.exec(bytes.toString("latin1"));
  const name = "<b>.cc";
  const path = scratch.padEnd(original.length - name.length, "/") + name;
  expectEqual("length of the path", original.length, path.length);
  const lines = readFileSync(original, "utf8").split("\n");
  writeFileSync(path, lines.map((line) =>
    `${line} </script>${MARKUP}`).join("\n"));
  bytes.write(path, bytes.indexOf(original), "latin1");
  writeFileSync(`${scratch}/hostile.pb`, bytes);
  const report = write("sources", "--html-source", `${scratch}/hostile.pb`);
  await openReport(browser, report, "#tab=top&by=files", async (page) => {
    expectEqual("name of a file", true,
      (await rowsOf(page)).some((row) => row.name === path));
    await page.evaluate(() => heapReport.state.set({by: "functions",
      select: `f${heapReport.profile.labels.indexOf(
          "demo::HoldInThread(int)")}`}));
    await settle(page);
    const code = await textsOf(page, ".source td.code");
    expectEqual("lines of the source", true,
      code.length === 3 && code.every((line) =>
        line.endsWith(`</script>${MARKUP}`)));
    await expectNothingRan(page);
  });
}

// The page runs only the scripts that heapprof wrote.
async function refusesOtherScripts(browser) {
  const html = readFileSync(write("whole", hostileDump()), "utf8");
  const path = `${scratch}/changed.html`;
  const attack = "window.attacked = 1";
  writeFileSync(path, html.replace("</main>", `$&<script>${attack}</script>`));
  const violates = /Content Security Policy/;
  await openReport(browser, path, "", expectNothingRan, {expected: violates});

  const packed = gzipSync(attack).toString("base64");
  writeFileSync(path,
      html.replace(/(<script id="program"[^>]*>)[^<]*/, `$1${packed}`));
  const mismatches = /integrity/;
  await browser.open(path, {expected: mismatches}, async (page) => {
    await page.waitForSelector("[role=alert]");
    expectEqual("the plain page stays", [
      "The interactive views cannot be shown: the script of the page is " +
        "damaged.",
    ], await textsOf(page, "[role=alert]"));
    await expectNothingRan(page);
  });
}

await inBrowser(async (browser) => {
  await refusesOtherScripts(browser);
  await showsOthers(browser);
  await showsSources(browser);
  const long = `${scratch}/long.collapsed`;
  writeFileSync(long, `main;${"x".repeat(3000)} 5\n`);
  await openReport(browser, write("long", long), "#", async (page) => {
    const heights = await page.$$eval("#overview td", (cells) =>
      cells.map(({clientHeight}) => clientHeight));
    const ROW = 100;  // pixels, more than three lines
    expectEqual("rows of the overview", true,
      heights.length > 0 && Math.max(...heights) < ROW);
  });
  const report = write("hostile", hostileDump());
  await openReport(browser, report, "#", async (page) => {
    for (const place of ["#tab=flame", "#tab=flame&merge=1&flip=1&search=%3C",
                         "#tab=top&by=modules", "#tab=top&by=lines"]) {
      await goTo(page, place);
      await browser.screenshot(page, `${place.length}`);
    }
    await goTo(page, "#tab=top");
    const names = (await rowsOf(page)).map(({name}) => name);
    const isLong = (name) => name.length > 2000;
    expectEqual("names are text", [],
      NAMES.filter((name) => !isLong(name) && !names.includes(name)));
    expectEqual("what is laid out of long names", [2000],
      names.filter((name) => name.includes("…")).map(({length}) => length));
    expectEqual("long names in the data", NAMES.filter(isLong).map(
        ({length}) => length), await page.evaluate(() =>
          heapReport.profile.labels.filter(({length}) => length > 2000)
              .map(({length}) => length)));
    for (const link of await page.$$("#top tbody a")) {
      await link.evaluate((element) => element.click());
      await settle(page);
    }
    await page.mouse.move(400, 250);
    await expectNothingRan(page);
  });
});
