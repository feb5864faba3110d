// SPDX-License-Identifier: Apache-2.0
//
// Go's pprof serves its pages of a profile that heapprof wrote.

import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {
  dump, environment, expectEqual, heapprof, inBrowser, scratch,
} from "./browser.mjs";

const input = dump("dumps/inlining.gcc-O2");
const profile = `${scratch}/mem.pb.gz`;
heapprof("-o", profile, input);

const server = spawn(environment("PPROF"),
  ["-http=127.0.0.1:", "-no_browser", profile],
  {env: {...process.env, HOME: scratch}, stdio: ["ignore", "ignore", "pipe"]});

// Returns the address of the server, which it prints when it is ready.
async function address() {
  for await (const line of createInterface({input: server.stderr})) {
    const url = line.match(/http:\/\/\S+/);
    if (url) return url[0];
  }
  throw new Error("pprof ended early");
}

// Our folded stacks: the names from the root, and the value.
const stacks = heapprof("--collapsed", input).trimEnd().split("\n")
  .map((line) => {
    const [, names, bytes] = line.match(/^(.*) (\d+)$/);
    return {names: ["root", ...names.split(";")], bytes: Number(bytes)};
  });

// Adds up `keys`, an array of [key, bytes], and returns "NAME KILOBYTES" for
// each key, sorted. The name is the end of a key.
function sums(keys) {
  const values = new Map();
  for (const [key, bytes] of keys)
    values.set(key, (values.get(key) ?? 0) + bytes);
  return [...values].map(([key, bytes]) =>
    `${key.split(";").at(-1)} ${bytes / 1024}`).sort();
}

async function hasOurFlameGraph(page) {
  const titles = await page.$$eval(".frame title", (all) =>
    all.map((title) => title.textContent));
  const paths = stacks.flatMap(({names, bytes}) => names.map((_, depth) =>
    [names.slice(0, depth + 1).join(";"), bytes]));
  expectEqual("boxes", sums(paths),
    titles.map((title) =>
      title.replace(/^(.*) \(.*, ([\d.]+)kB\)$/, "$1 $2")).sort());
}

async function hasOurTable(page) {
  const cells = await page.$$eval("#rows tr", (all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText)));
  expectEqual("functions that allocate",
    sums(stacks.map(({names, bytes}) => [names.at(-1), bytes])),
    cells.filter(([flat]) => flat !== "0").map(([flat, , , , , name]) =>
      `${name} ${flat.replace("kB", "")}`).sort());
}

try {
  const site = await address();
  await inBrowser(async (browser) => {
    const see = (name, check) =>
      browser.open(`${site}/ui/${name}`, {mayLoad: site}, async (page) => {
        await browser.screenshot(page, name);
        await check(page);
      });
    await see("flamegraph", hasOurFlameGraph);
    await see("top", hasOurTable);
  });
} finally {
  server.kill();
}
