// SPDX-License-Identifier: Apache-2.0
//
// The profiles whose pages are measured: what a service writes, and extremes.

import {readFileSync, statSync, writeFileSync} from "node:fs";
import {scratch} from "../../tests/browser/browser.mjs";
import {manyStacks} from "../../tests/browser/many_stacks.mjs";

const SEED = 5;

const address = (index) => `0x${(index * 4096).toString(16).padStart(16, "0")}`;

// A dump with its names and these stacks, innermost call first.
function dumpOf(name, functions, stacks) {
  const lines = ["--- symbol", "binary=/srv/app"];
  for (let i = 1; i <= functions; ++i)
    lines.push(`${address(i)} app::function${i}(int)`);
  lines.push("---", "--- heap", "heap_v2/524288", "  t*: 1: 1 [0: 0]");
  for (const stack of stacks)
    lines.push(`@ ${stack.map((i) => `0x${(i * 4096 + 1).toString(16)}`)
      .join(" ")}`, "  t*: 10: 1000000 [0: 0]");
  const path = `${scratch}/${name}.raw`;
  writeFileSync(path, lines.join("\n") + "\n");
  return path;
}

// The dump with a quarter of each stack's objects and bytes.
function shrunk(path) {
  const text = readFileSync(path, "utf8").replace(
    /^ {2}t\*: (\d+): (\d+) \[0: 0\]$/gm, (line, objects, bytes) => {
      const left = Math.ceil(objects / 4);
      return `  t*: ${left}: ${left * bytes / objects} [0: 0]`;
    });
  const shrunkPath = path.replace(".raw", ".shrunk.raw");
  writeFileSync(shrunkPath, text);
  return shrunkPath;
}

const sizeOf = (path) => `${(statSync(path).size / 1e6).toFixed(0)} MB`;

// Yields {name, title, options}, options for heapprof. `demo` is a real dump.
export function* profilesToOpen(demo) {
  yield {name: "demo", title: "demo service", options: [demo]};
  const of = (name, stacks) => manyStacks(name, stacks, SEED);
  for (const [name, stacks, what] of [
    ["frames140k", 18_000, "140 000 frames"],
    ["dump10", 63_000, ""],
    ["stacks100k", 100_000, "10⁵ stacks"],
    ["frames1m", 130_000, "10⁶ frames"],
    ["dump128", 800_000, ""],
  ]) {
    const path = of(name, stacks);
    const title = [what, `dump of ${sizeOf(path)}`].filter(Boolean).join(", ");
    yield {name, title, options: [path]};
  }
  const deep = Array.from({length: 2000}, (_, i) => i + 1);
  yield {name: "deep", title: "one stack of 2 000 frames",
         options: [dumpOf("deep", 2000, [deep])]};
  yield {name: "one", title: "one frame", options: [dumpOf("one", 1, [[1]])]};
  yield {name: "none", title: "nothing", options: [dumpOf("none", 1, [])]};
  const base = of("shrinks", 12_000);
  yield {name: "shrinks", title: "a difference that only shrinks",
         options: ["--base", base, shrunk(base)]};
}
