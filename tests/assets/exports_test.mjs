// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {csvOfRows, csvText} from "../../src/report/assets/html/csv.js";
import {codeSpan} from "../../src/report/assets/html/finding.js";
import {foldedStacks} from "../../src/report/assets/html/folded.js";
import {CallTree} from "../../src/report/assets/shared/call_tree.js";

test("fields of CSV are quoted, and none is a formula", () => {
  assert.equal(csvText([["a", 'b"c'], ["d,e", -1], ["=1+1", "@x"]]),
               "a,\"b\"\"c\"\r\n\"d,e\",-1\r\n'=1+1,'@x\r\n");
});

test("a table has the order that is shown, and whole numbers", () => {
  const rows = {names: ["f", "g"], self: [1, 2], total: [3, 4], baseSelf: null,
                baseTotal: null, sizes: null, selfBounds: null, totalBounds: {
                  isEmpty: false,
                  at: (row) => row === 0 ? {lower: 2, upper: 5} : null}};
  assert.equal(csvOfRows("function", rows, [1, 0]),
               "function,self,total,total_lower,total_upper\r\n" +
               "g,2,4,,\r\nf,1,3,2,5\r\n");
  const sized = {...rows, totalBounds: null, sizes: [2, 0]};
  assert.equal(csvOfRows("function", sized, [0, 1]),
               "function,self,total,mean_size\r\nf,1,3,2\r\ng,2,4,\r\n");
  const compared = {...rows, baseSelf: [1, 1], baseTotal: [1, 5],
                    totalBounds: null};
  assert.equal(csvOfRows("function", compared, [1]),
               "function,self_before,self_after,self_change,total_before," +
               "total_after,total_change\r\ng,1,2,1,5,4,-1\r\n");
});

test("stacks are folded as flamegraph.pl reads them", () => {
  const tree = new CallTree(Uint32Array.of(0, 0, 1, 2),
                            Uint32Array.of(0, 1, 2, 1));
  const labels = ["main", "f;g", "h"];
  const self = Float64Array.of(0, 0, 5, 7);
  assert.equal(foldedStacks({tree, values: {self, baseSelf: null}}, labels),
               "main;f:g 5\nh 7\n");
  const baseSelf = Float64Array.of(0, 1, 5, 0);
  assert.equal(foldedStacks({tree, values: {self, baseSelf}}, labels),
               "main 1 0\nmain;f:g 5 5\nh 0 7\n");
});

test("a code span is longer than the backticks in it", () => {
  assert.equal(codeSpan("f"), "`f`");
  assert.equal(codeSpan("a`b``c"), "``` a`b``c ```");
  assert.equal(codeSpan("x".repeat(300)).length, 202);
});
