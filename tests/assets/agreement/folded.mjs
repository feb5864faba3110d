// SPDX-License-Identifier: Apache-2.0
//
// The folded stacks that the page exports are those of --collapsed.
import assert from "node:assert/strict";
import test from "node:test";
import {foldedStacks} from "../../../src/report/assets/html/folded.js";
import {Graph} from "../../../src/report/assets/html/graph.js";
import {dump, heapprof, profileOf, written} from "./pages.mjs";

const sorted = (text) => text.trimEnd().split("\n").sort();

for (const name of ["sampled/quickstart.gcc-O2", "dumps/inlining.gcc-O2"])
  test(name, async () => {
    const profile = await profileOf(written("page.html", dump(name)));
    const graph = Graph.of(profile, profile.header.metric,
                           {kind: "all", index: 0});
    assert.deepEqual(sorted(foldedStacks(graph, profile.labels)),
                     sorted(heapprof("--collapsed", dump(name))));
  });
