// SPDX-License-Identifier: Apache-2.0
//
// Makes large dumps for the tests.

import {writeFileSync} from "node:fs";
import {scratch} from "./browser.mjs";

// A dump whose names are in it: `count` random stacks of up to 30 functions.
export function manyStacks(name, count, seed) {
  let state = seed;
  const random = (limit) => {  // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor(((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32 * limit);
  };
  const lines = ["--- symbol", "binary=/srv/app"];
  for (let f = 1; f <= 3000; ++f)
    lines.push(`0x${(f * 4096).toString(16).padStart(16, "0")} ` +
      `ns${f % 7}::Class${f % 99}<int>::function${f}(char const*)`);
  lines.push("---", "--- heap", "heap_v2/524288", "  t*: 1: 1 [0: 0]");
  let stack = [];
  for (let i = 0; i < count; ++i) {
    stack = stack.slice(0, random(stack.length + 1));
    while (stack.length < 4 || stack.length < 30 && random(10) < 9)
      stack.push(stack.length < 3 ? stack.length + 1 : 1 + random(3000));
    const objects = 1 + random(40);
    const size = [8, 48, 200, 4096, 70000][random(5)];
    lines.push(`@ ${stack.map((f) => `0x${(f * 4096 + 1).toString(16)}`)
      .reverse().join(" ")}`, `  t*: ${objects}: ${objects * size} [0: 0]`);
  }
  const path = `${scratch}/${name}.raw`;
  writeFileSync(path, lines.join("\n"));
  return path;
}
