// SPDX-License-Identifier: Apache-2.0
//
// Measures pages with flame graphs of the same profiles in Chromium: those of
// heapprof, of pprof's web server for our --proto, and of other programs that
// the command line names. See scripts/bench_pages.sh.
//
// The pages take turns; numbers are medians. "Written" is how long it takes to
// write the page; for pprof, which makes it on request, to start the server.
// "First picture" is from the start of the navigation to the end of the frame
// in which the first boxes are drawn. "Zoom" is from a click on a box to the
// end of the first frame after it; the animations of others go on after it.
// "Memory" is what scripts and the document keep after a garbage collection,
// with their arrays. The size of pprof's page is what the browser has received,
// uncompressed.

import {spawn, spawnSync} from "node:child_process";
import {openSync, statSync} from "node:fs";
import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";
import {
  dump, environment, heapprof, scratch, startChromium,
} from "../../tests/browser/browser.mjs";
import {profilesToOpen} from "./page_profiles.mjs";

const LIMIT = 120_000;  // milliseconds

const now = () => Number(process.hrtime.bigint()) / 1e6;

// Each returns {url, size, written}, and may add stop().
const MAKERS = {
  heapprof: (name, options) => {
    const path = `${scratch}/${name}.html`;
    const start = now();
    heapprof("-o", path, ...options);
    return {url: pathToFileURL(path).href, size: statSync(path).size,
            written: now() - start};
  },
  pprof: async (name, options) => {
    const path = `${scratch}/${name}.pb.gz`;
    heapprof("-o", path, ...options);
    const start = now();
    const server = spawn(environment("PPROF"),
      ["-http=127.0.0.1:", "-no_browser", path],
      {env: {...process.env, HOME: scratch},
       stdio: ["ignore", "ignore", "pipe"]});
    for await (const line of createInterface({input: server.stderr})) {
      const url = line.match(/http:\/\/\S+/);
      if (url) return {url: `${url[0]}/ui/flamegraph`, written: now() - start,
                       stop: () => server.kill()};
    }
    throw new Error("pprof ended");
  },
};

// The page of another program, made from --collapsed.
const makerOf = (command) => (name, options) => {
  if (options.includes("--base")) throw new Error("has no comparisons");
  const [stacks, path] = [`${scratch}/${name}.txt`, `${scratch}/${name}.peer`];
  heapprof("--collapsed", "-o", stacks, ...options);
  const start = now();
  const {status, stderr, error} = spawnSync(command, [`${path}.html`],
    {stdio: [openSync(stacks), "ignore", "pipe"], timeout: LIMIT});
  if (error) throw error;
  if (status !== 0) throw new Error(String(stderr).trim().split("\n").at(-1));
  return {url: pathToFileURL(`${path}.html`).href,
          size: statSync(`${path}.html`).size, written: now() - start};
};

// How to recognise the first boxes, and how to click on one. The functions run
// in the page.
const HEAPPROF_PAGE = {
  fragment: "#tab=flame",
  prepare: () => {
    const {prototype} = CanvasRenderingContext2D;
    const {fillRect} = prototype;
    prototype.fillRect = function(...values) {
      window.isDrawn = true;
      fillRect.apply(this, values);
    };
  },
  isDrawn: () => window.isDrawn === true,
  click: () => {
    const {layout} = heapReport.tab.chart;
    let node = 0;
    for (let i = 0; i < 5; ++i) node = layout.childrenBySize(node)[0] ?? node;
    heapReport.tab.chart.options.zoom(node);
  },
};
const D3_PAGE = {
  fragment: "",
  prepare: () => {},
  isDrawn: () => document.querySelector("g.frame, .boxdata, .boxbg") !== null,
  click: () => {
    const frames = [...document.querySelectorAll("g.frame")];
    const target = frames.find((each) => each.__data__?.depth === 5) ??
        frames.at(-1) ?? document.body;
    target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  },
};

// Opens a page once.
async function open(chromium, {url}, {fragment, prepare, isDrawn, click}) {
  const page = await chromium.newPage();
  page.setDefaultTimeout(LIMIT);
  try {
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    let received = 0;
    session.on("Network.dataReceived", ({dataLength}) => {
      received += dataLength;
    });
    await page.setViewport({width: 1600, height: 900});
    await page.evaluateOnNewDocument(prepare);
    await page.evaluateOnNewDocument(`(() => {
      const isDrawn = ${isDrawn};
      const look = () => requestAnimationFrame(() => {
        if (!document.body || !isDrawn()) return look();
        requestAnimationFrame(() => { window.firstPicture = performance.now(); });
      });
      look();
    })();`);
    await page.goto(url + fragment, {timeout: LIMIT});
    await page.waitForFunction("window.firstPicture > 0", {timeout: LIMIT});
    const picture = await page.evaluate("window.firstPicture");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const zoom = await page.evaluate(`new Promise((resolve) => {
      const start = performance.now();
      (${click})();
      requestAnimationFrame(() => requestAnimationFrame(() =>
        resolve(performance.now() - start)));
    })`);
    await session.send("HeapProfiler.collectGarbage");
    const {usedSize, embedderHeapUsedSize, backingStorageSize} =
      await session.send("Runtime.getHeapUsage");
    const {nodes} = await session.send("Memory.getDOMCounters");
    return {received, picture, zoom, nodes,
            memory: usedSize + embedderHeapUsedSize + backingStorageSize};
  } finally {
    await page.close();
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const seconds = (ms) =>
  (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB`;

// Measures the pages of one profile and returns a row for each.
async function rowsOf(chromium, {name, title, options}, makers, runs) {
  const pages = [];
  for (const [program, make] of Object.entries(makers))
    pages.push({program, kind: program === "heapprof" ? HEAPPROF_PAGE : D3_PAGE,
                make, made: [], seen: [], problem: ""});
  for (let run = 0; run < runs; ++run)
    for (const page of pages.filter(({problem}) => problem === "")) {
      let made;
      try {
        made = await page.make(name, options);
        page.made.push(made);
        page.seen.push(await open(chromium, made, page.kind));
      } catch (error) {
        page.problem = error.message.split("\n")[0];
      } finally {
        made?.stop?.();
      }
    }
  return pages.map(({program, made, seen, problem}) => {
    if (problem !== "") return [title, program, problem, "", "", "", "", ""];
    const of = (list, key) => median(list.map((each) => each[key]));
    return [title, program, megabytes(of(made, "size") ?? of(seen, "received")),
            seconds(of(made, "written")), seconds(of(seen, "picture")),
            seconds(of(seen, "zoom")), megabytes(of(seen, "memory")),
            String(of(seen, "nodes"))];
  });
}

function commandLine(words) {
  const found = {runs: 5, makers: {...MAKERS}};
  for (let i = 0; i < words.length; ++i)
    if (words[i] === "--runs") found.runs = Number(words[++i]);
    else if (words[i] === "--peer")
      found.makers[words[++i]] = makerOf(words[++i]);
    else if (words[i] === "--only") found.only = words[++i];
    else throw new Error(`unknown argument ${words[i]}`);
  return found;
}

const {runs, makers, only} = commandLine(process.argv.slice(2));
const printRow = (cells) => console.log(`| ${cells.join(" | ")} |`);
printRow(["profile", "page of", "size", "written", "first picture", "zoom",
          "memory", "DOM nodes"]);
printRow(["---", "---", "---", "---", "---", "---", "---", "---"]);
for (const profile of profilesToOpen(dump("sampled/quickstart.gcc-O2"))) {
  if (only && !profile.name.match(only)) continue;
  const chromium = await startChromium();
  try {
    for (const row of await rowsOf(chromium, profile, makers, runs))
      printRow(row);
  } finally {
    await chromium.close();
  }
}
