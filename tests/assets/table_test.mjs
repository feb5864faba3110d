// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {IntervalList} from "../../src/report/assets/html/interval_list.js";
import {
  changeColumns, valueColumns,
} from "../../src/report/assets/html/table_columns.js";

const MIB = 2 ** 20;
const BYTES = {name: "inuse_space", title: "live bytes", is_bytes: true,
               has_errors: true, judge: 0};
const bounds = (row, lower, upper) => new IntervalList(
    Uint32Array.of(row), Float64Array.of(lower), Float64Array.of(upper));
const none = new IntervalList(new Uint32Array(), new Float64Array(),
                              new Float64Array());

const rowsOf = (others) => ({
  names: ["a", "b"], selections: ["f0", "f1"],
  self: Float64Array.of(0, MIB), total: Float64Array.of(4 * MIB, MIB),
  baseSelf: null, baseTotal: null, sizes: null, selfBounds: none,
  totalBounds: none,
  judge: null, ...others,
});
const cells = (columns, row) =>
  Object.fromEntries(columns.map(({id, text}) => [id, text(row)]));

test("values with errors and shares", () => {
  const columns = valueColumns(
      rowsOf({totalBounds: bounds(0, 3 * MIB, 5 * MIB)}), BYTES, 4 * MIB);
  assert.deepEqual(cells(columns, 0), {
    "self": "0", "self-error": "", "self-share": "", "total": "4.0 MiB",
    "total-error": "± 1.0 MiB", "total-share": "100%"});
  assert.equal(columns.at(-1).share(1), 0.25);
});

test("no columns for errors if nothing has one", () => {
  const columns = valueColumns(rowsOf({}), BYTES, 4 * MIB);
  assert.deepEqual(columns.map(({id}) => id),
                   ["self", "self-share", "total", "total-share"]);
});

test("the mean size of objects, if there is one", () => {
  const columns = valueColumns(
      rowsOf({sizes: Float64Array.of(105, 0)}), BYTES, 4 * MIB);
  const {id, text, value} = columns.at(-1);
  assert.equal(id, "size");
  assert.deepEqual([text(0), text(1)], ["105 B", ""]);
  assert.deepEqual([value(0), value(1)], [105, 0]);
});

test("changes", () => {
  const base = {baseSelf: Float64Array.of(0, 2 * MIB),
                baseTotal: Float64Array.of(2 * MIB, 2 * MIB)};
  const columns = changeColumns(rowsOf(base), BYTES);
  assert.deepEqual(cells(columns, 0), {
    self: "0", before: "2.0 MiB", after: "4.0 MiB", total: "+2.0 MiB",
    growth: "+100%"});
  assert.deepEqual(columns.map(({tone}) => tone?.(1)),
                   ["shrunk", undefined, undefined, "shrunk", undefined]);
});

test("a change that may be chance has no colour", () => {
  const rows = rowsOf({baseSelf: Float64Array.of(0, 2 * MIB),
                       baseTotal: Float64Array.of(2 * MIB, 2 * MIB)});
  const toneIf = (hasChanged) => {
    const judge =
        {...rows, hasChanged: {self: () => false, total: () => hasChanged}};
    const columns = changeColumns({...rows, judge}, BYTES);
    return columns.find(({id}) => id === "total").tone(0);
  };
  assert.equal(toneIf(true), "grown");
  assert.equal(toneIf(false), "");
});
