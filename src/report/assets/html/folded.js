// SPDX-License-Identifier: Apache-2.0
//
// Stacks as flamegraph.pl reads them: "main;f;g 4096" or, in a comparison, with
// the values before and after. The same as heapprof --collapsed.
/** @import {Graph} from "./graph.js" */

/** @param {Graph} graph @param {string[]} labels */
export function foldedStacks({tree, values}, labels) {
  const {self, baseSelf} = values;
  const names = labels.map((label) => label.replaceAll(";", ":"));
  const lines = [];
  for (let node = 1; node < tree.length; ++node) {
    const numbers = baseSelf ? [baseSelf[node], self[node]] : [self[node]];
    if (numbers.every((number) => number === 0)) continue;
    const stack = tree.path(node).map((frame) => names[tree.label[frame]]);
    lines.push(`${stack.join(";")} ${numbers.join(" ")}\n`);
  }
  return lines.join("");
}
