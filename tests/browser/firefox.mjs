// SPDX-License-Identifier: Apache-2.0
//
// HTML reports and flame graphs in Firefox, from local files: each view opens
// with our numbers, without an error and without a request.

import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {
  dump, eventually, expectEqual, Failure, heapprof, packageFile, scratch,
} from "./browser.mjs";
import {bytesText, shownName, stacksOf, sumsOf, totalOf} from "./html_page.mjs";

const sampled = dump("sampled/quickstart.gcc-O2");
const threads = dump("dumps/threads.gcc-O2");

// Opens a file and calls `use` with the page. Nothing may go wrong there.
async function opens(firefox, file, fragment, use) {
  const url = pathToFileURL(file).href;
  const page = await firefox.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(`throws ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`logs ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url))
      problems.push(`request of ${request.url()}`);
  });
  await page.goto(url + fragment);
  await use(page);
  await page.close();
  expectEqual(`problems of ${url}${fragment}`, [], problems);
}

const textsOf = (page, selector) => page.$$eval(selector, (all) =>
  all.map((each) => each.textContent.trim()));

async function opensReport(firefox, file, source) {
  const stacks = stacksOf(source);
  const total = bytesText(totalOf(stacks));
  const isDrawn = (page, tab) => eventually(`a flame graph in ${tab}`, () =>
    page.evaluate(() => [...document.querySelectorAll("canvas")].some(
      (canvas) => canvas.width > 0 &&
        canvas.getContext("2d").getImageData(30, 10, 1, 1).data[3] > 0)));
  await opens(firefox, file, "", async (page) => {
    await isDrawn(page, "the overview");
    const [shown] = await textsOf(page, "#total");
    expectEqual("total", total.split(" ")[0], shown.split(" ")[0]);
  });
  await opens(firefox, file, "#tab=flame", async (page) => {
    await isDrawn(page, "its tab");
    expectEqual("flame graph", totalOf(stacks), await page.evaluate(() =>
      heapReport.tab.chart.model.sizes[0]));
  });
  await opens(firefox, file, "#tab=top", async (page) => {
    const names = [...sumsOf(stacks).keys()].map(shownName).sort();
    const rows = await eventually("rows of the table", async () => {
      const found = await textsOf(page, "#top tbody td:last-child");
      return found.length >= names.length && found;
    });
    expectEqual("functions", names, rows.sort());
  });
}

async function opensFlameGraph(firefox, file) {
  await opens(firefox, file, "", async (page) => {
    await eventually("texts", async () =>
      (await textsOf(page, "#frames text"))
        .includes("demo::Worker::Handle(int)"));
  });
}

const require = createRequire(packageFile("/"));
const firefox = await require("puppeteer-core").launch({
  browser: "firefox",
  executablePath: "/usr/bin/firefox-esr",
  env: {...process.env, HOME: scratch},
});
try {
  for (const [name, source] of Object.entries({sampled, threads})) {
    const file = `${scratch}/${name}.html`;
    heapprof("-o", file, source);
    await opensReport(firefox, file, source);
  }
  const svg = `${scratch}/mem.flame.svg`;
  heapprof("-o", svg, sampled);
  await opensFlameGraph(firefox, svg);
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
} finally {
  await firefox.close();
}
