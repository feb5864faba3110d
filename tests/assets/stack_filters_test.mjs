// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {withoutEqualSiblings} from "../../src/report/assets/html/rewritten_tree.js";
import {derivedValues} from "../../src/report/assets/html/sampled_sums.js";
import {
  filteredTree, filterPattern, filterTree,
} from "../../src/report/assets/html/stack_filters.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

// main(0): a(1): x(3) 4 bytes, itself 1; b(2): x(3) 8 bytes, a(1) 16 bytes
const tree = new CallTree(Uint32Array.of(0, 0, 1, 3, 2, 1, 3),
                          Uint32Array.of(0, 1, 2, 3, 2, 3, 3));
const self = Float64Array.of(0, 0, 1, 4, 0, 16, 8);
const NONE = {focus: null, ignore: null, hide: null, showFrom: null,
              groups: new Set()};
const matching = (...labels) =>
  Uint8Array.from(tree.label, (label) => labels.includes(label) ? 1 : 0);

/** The stacks that are left: "main;a;x": 4 */
function stacksWith(filters) {
  const names = ["main", "a", "b", "x"];
  const rewritten = filterTree(tree, {...NONE, ...filters});
  const {self: sums} = derivedValues(
      rewritten.tree, {self, total: self, baseSelf: null, baseTotal: null},
      rewritten.target);
  return Object.fromEntries([...sums.keys()].filter((i) => sums[i] > 0).map(
      (i) => [rewritten.tree.path(i).map((node) =>
        names[rewritten.tree.label[node]]).join(";"), sums[i]]));
}

test("focus keeps stacks with a match", () => {
  assert.deepEqual(stacksWith({focus: matching(3)}),
                   {"main;a;x": 4, "main;b;x": 8});
});

test("ignore removes stacks with a match, whatever focus says", () => {
  assert.deepEqual(stacksWith({ignore: matching(2)}),
                   {"main;a": 1, "main;a;x": 4});
  assert.deepEqual(stacksWith({focus: matching(2), ignore: matching(3)}),
                   {"main;b;a": 16});
});

test("hide merges what becomes equal, and removes empty stacks", () => {
  assert.deepEqual(stacksWith({hide: matching(1, 2)}),
                   {"main": 17, "main;x": 12});
  assert.deepEqual(stacksWith({hide: matching(0, 1, 2)}), {x: 12});
});

test("show_from begins at the outermost match that is not hidden", () => {
  assert.deepEqual(stacksWith({showFrom: matching(1)}),
                   {"a": 17, "a;x": 4});
  assert.deepEqual(stacksWith({showFrom: matching(0, 1), hide: matching(0)}),
                   {"a": 17, "a;x": 4});
});

test("groups stay the roots of stacks", () => {
  const groups = new Set([0]);
  assert.deepEqual(stacksWith({groups, showFrom: matching(1)}),
                   {"main;a": 17, "main;a;x": 4});
  assert.deepEqual(stacksWith({groups, hide: matching(0, 1, 2)}),
                   {"main;x": 12});
  assert.deepEqual(stacksWith({groups, focus: matching(0)}),
                   stacksWith({}));
});

test("focus sees frames that are hidden", () => {
  assert.deepEqual(stacksWith({focus: matching(2), hide: matching(2)}),
                   {"main;a": 16, "main;x": 8});
});

// "x" is in a.h below "a", and in b.h of another module below "b".
test("a function of several files matches only where it is of that file", () => {
  const names = ["main", "a", "b", "x"];
  const profile = {
    tree, labels: names, namesOf: (label) => [names[label]],
    header: {files: ["m.cc", "a.h", "b.h"], modules: ["/bin/m", "/lib/b"]},
    nodeFile: Uint32Array.of(0, 1, 1, 2, 1, 1, 3),
    nodeModule: Uint32Array.of(0, 1, 1, 1, 1, 1, 2),
    groupLabels: [],
  };
  const left = (filters) => {
    const {tree: rewritten, target} = filteredTree(
        profile, {focus: "", ignore: "", hide: "", show_from: "", ...filters});
    const {self: sums} = derivedValues(
        rewritten, {self, total: self, baseSelf: null, baseTotal: null},
        target);
    return sums.reduce((sum, value) => sum + value);
  };
  assert.equal(left({focus: "^a\\.h:"}), 4);
  assert.equal(left({focus: "^b\\.h:"}), 8);
  // The page knows no lines, but that there is one.
  assert.equal(left({focus: "^b\\.h:\\d+$"}), 8);
  assert.equal(left({focus: "^b\\.h:$"}), 0);
  assert.equal(left({hide: "^/lib/"}), 29);
  assert.equal(left({show_from: "^/lib/"}), 8);
  assert.equal(left({ignore: "^a\\.h:"}), 25);
  assert.equal(left({show_from: "^x$"}), 12);
});

// main(0): x(1) of a.h 1, below it y(2) 2; x(1) of b.h 4, below it y(2) 8
test("calls of one function in two files are one node", () => {
  const label = Uint32Array.of(0, 0, 1, 2, 1, 2);
  const split = new CallTree(label, Uint32Array.of(0, 1, 2, 3, 2, 3));
  const {tree: merged, target} = withoutEqualSiblings(split, [2, 4]);
  assert.deepEqual([...merged.label], [0, 0, 1, 2]);
  assert.deepEqual([...merged.depth], [0, 1, 2, 3]);
  assert.deepEqual([...target], [0, 1, 2, 3, 2, 3]);
  assert.equal(withoutEqualSiblings(merged, [2]), null);
});

// JavaScript would match something else.
test("what only Perl's expressions know is no pattern", () => {
  for (const pattern of ["\\Amain", "main\\z", "a\\\\\\Qb", "\\x{41}",
                         "[[:alpha:]]", "(?i)main", "a++", "[]a]", "x[^]a]",
                         "\\[[]a]", "[a][]b]", "(a)|b\\1"])
    assert.equal(filterPattern(pattern), null, pattern);
  for (const pattern of ["\\bmain\\b", "\\\\A", "[:a]", "std::[a-z]+",
                         "\\w\\s\\d", "\\x41", "a\\.b", "[^[]a]", "[a[]b]",
                         "\\[]", "[\\]]", "\\0"])
    assert.ok(filterPattern(pattern), pattern);
});
