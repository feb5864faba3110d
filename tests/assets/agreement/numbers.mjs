// SPDX-License-Identifier: Apache-2.0
//
// The page shows the numbers in the form that src/view/units.cc gives them in
// the table for browsers without scripts.
import assert from "node:assert/strict";
import test from "node:test";
import {
  formatCell, formatShare, formatWithInterval,
} from "../../../src/report/assets/shared/format.js";
import {storedRows} from "../../../src/report/assets/html/rows.js";
import {
  dump, profileOf, textOf, unescaped, written, writtenFiles,
} from "./pages.mjs";

const ALL = {kind: "all", index: 0};

function plainTable(html) {
  const [, body] =
    /<table id="functions">[^]*?<tbody>\n([^]*?)<\/tbody>/.exec(html);
  return body.trimEnd().split("\n").map((row) =>
    [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, text]) => unescaped(text)));
}

async function shownTable(html) {
  const profile = await profileOf(html);
  const {metric: index, metrics} = profile.header;
  const rows = storedRows(profile, "functions", index);
  const all = profile.values(index, ALL).total[0];
  const cells = (value, interval) => value === 0 ? ["", ""] :
    [formatWithInterval(value, interval, metrics[index]),
     formatShare(value, all)];
  return new Map(rows.names.map((name, row) => [name, [
    ...cells(rows.self[row], rows.selfBounds.at(row)),
    ...cells(rows.total[row], rows.totalBounds.at(row)), name]]));
}

for (const name of ["sampled/quickstart.gcc-O2", "dumps/inlining.gcc-O2",
                    "dumps/warehouse.gcc-O2-static"])
  test(name, async () => {
    const html = written("page.html", dump(name));
    const shown = await shownTable(html);
    // Names of several kilobytes are shortened.
    const plain = plainTable(html).filter((row) => !row.at(-1).includes("…"));
    assert.ok(plain.length > 5);
    for (const row of plain) assert.deepEqual(shown.get(row.at(-1)), row);
  });

test("mean sizes of objects", async () => {
  const path = dump("sampled/quickstart.gcc-O2");
  writtenFiles(["sizes.html", "sizes.json"], "--names=full", path);
  const profile = await profileOf(textOf("sizes.html"));
  const rows = storedRows(profile, "functions", profile.header.metric);
  const shown = new Map(rows.names.map((name, row) => [name, rows.sizes[row]]));
  // The page has one row for a function, inlined or not.
  const {rows: all} = JSON.parse(textOf("sizes.json"));
  const inlined = new Set(all.map(({name}) => name.split(" (inline)")).filter(
      (parts) => parts.length > 1).map(([name]) => name));
  const expected =
    all.filter(({name}) => !inlined.has(name.replace(" (inline)", "")));
  assert.ok(expected.length > 5);
  for (const {name, mean_object_size} of expected)
    assert.equal(shown.get(name) || null, mean_object_size.cumulative, name);
});

test("the columns of a comparison", async () => {
  const html = written("change.html", "--base", dump("dumps/growth.first"),
                       dump("dumps/growth.grown"));
  const profile = await profileOf(html);
  const {metric: index, metrics} = profile.header;
  const rows = storedRows(profile, "functions", index);
  for (const row of plainTable(html)) {
    const at = rows.names.indexOf(row.at(-1));
    assert.deepEqual(
        [rows.baseTotal[at], rows.total[at]].map((value) =>
          formatCell(value, metrics[index])), row.slice(3, 5));
  }
});
