// SPDX-License-Identifier: Apache-2.0
//
// A function may be in several source files and binaries. Filters, tables and
// what is selected tell its calls apart, as the command line does.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import test from "node:test";
import {FlameView} from "../../../src/report/assets/html/flame_view.js";
import {foldedStacks} from "../../../src/report/assets/html/folded.js";
import {StackGroups} from "../../../src/report/assets/html/groups.js";
import {
  addedRows, presentRows, storedRows,
} from "../../../src/report/assets/html/rows.js";
import {Selected} from "../../../src/report/assets/html/selected.js";
import {profileOf, scratch, textOf, written, writtenFiles} from "./pages.mjs";
import {pprofFile} from "./pprof_file.mjs";

// "f" is in two files and two binaries, beside each other and apart.
const path = join(scratch, "places.pb");
writeFileSync(path, pprofFile([
  [["main m.cc /bin/app", "f a.h /bin/app", "g g.cc /lib/one.so"], 1000],
  [["main m.cc /bin/app", "f b.h /bin/app", "g g.cc /lib/two.so"], 2000],
  [["main m.cc /bin/app", "h m.cc /bin/app", "f a.h /lib/one.so"], 4000],
  [["main m.cc /bin/app", "f b.h /lib/two.so", "h m.cc /bin/app"], 8000],
]));
const NONE = {focus: "", ignore: "", hide: "", show_from: ""};
const FILTERS = [
  {}, {focus: "a\\.h"}, {ignore: "a\\.h"}, {hide: "b\\.h"}, {show_from: "b\\.h"},
  {hide: "two\\.so"}, {show_from: "one\\.so"}, {focus: "^g$", hide: "a\\.h"},
];
const TABLES = ["functions", "files", "modules"];

const settingsOf = (filters) => ({
  metric: 0, part: {kind: "all", index: 0}, filters: {...NONE, ...filters}});
const optionsOf = (filters) =>
  Object.entries(filters).map(([name, pattern]) => `--${name}=${pattern}`);

function rowsOf(profile, filters, table) {
  const view = new FlameView(profile);
  const settings = settingsOf(filters);
  return addedRows(profile, table, 0, table === "functions" ?
    view.plain(settings) : view.ofCode(settings, table));
}

const valuesOf = (rows) => Object.fromEntries(presentRows(rows).map(
    (row) => [rows.names[row], [rows.self[row], rows.total[row]]]));

for (const filters of FILTERS) {
  const options = optionsOf(filters);
  const title = options.join(" ") || "without a filter";

  test(`tables: ${title}`, async () => {
    const profile = await profileOf(written("page.html", path));
    const expected =
      await profileOf(written("filtered.html", ...options, path));
    for (const table of TABLES)
      assert.deepEqual(valuesOf(rowsOf(profile, filters, table)),
                       valuesOf(storedRows(expected, table, 0)), table);
  });

  test(`stacks: ${title}`, async () => {
    const profile = await profileOf(written("page.html", path));
    writtenFiles(["all.folded"], ...options, path);
    const graph = new FlameView(profile).plain(settingsOf(filters));
    assert.deepEqual(foldedStacks(graph, profile.labels).split("\n").sort(),
                     textOf("all.folded").split("\n").sort());
  });

  test(`selected: ${title}`, async () => {
    const profile = await profileOf(written("page.html", path));
    const view = new FlameView(profile);
    for (const table of TABLES) {
      const rows = rowsOf(profile, filters, table);
      for (const row of presentRows(rows)) {
        const selected = Selected.parse(profile, rows.selections[row]);
        const {graph, nodes} = view.callsOf(settingsOf(filters), selected);
        const groups = new StackGroups(graph, profile.labels.length);
        assert.equal(groups.start(nodes).value, rows.total[row],
                     rows.names[row]);
      }
    }
  });
}

test("the files of a function", async () => {
  const profile = await profileOf(written("page.html", path));
  assert.deepEqual(valuesOf(storedRows(profile, "files", 0)), {
    "m.cc": [8000, 15000], "a.h": [4000, 5000], "b.h": [0, 10000],
    "g.cc": [3000, 3000]});
  assert.deepEqual(valuesOf(storedRows(profile, "modules", 0)), {
    "/bin/app": [8000, 15000], "/lib/one.so": [5000, 5000],
    "/lib/two.so": [2000, 10000]});
});
