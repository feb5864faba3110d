// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {
  formatAmount, formatBytes, formatCell, formatChange, formatChangeWithInterval,
  formatError, formatGrowth, formatShare, formatWithInterval, needsRange,
} from "../../src/report/assets/shared/format.js";

const BYTES = {is_bytes: true};
const OBJECTS = {is_bytes: false};
const MIB = 2 ** 20;
const GIB = 2 ** 30;

test("bytes have the largest unit that leaves a number below 1024", () => {
  for (const [bytes, text] of [
    [0, "0 B"], [1023, "1023 B"], [1024, "1.0 KiB"], [1536, "1.5 KiB"],
    [MIB - 1, "1.0 MiB"], [1023.9 * 1024, "1023.9 KiB"], [GIB, "1.00 GiB"],
    [-3 * MIB, "-3.0 MiB"], [2 ** 50, "1.00 PiB"], [2 ** 62, "4096.00 PiB"],
  ])
    assert.equal(formatBytes(bytes), text);
});

test("halves are rounded away from zero", () => {
  assert.equal(formatBytes(1.25 * MIB), "1.3 MiB");
  assert.equal(formatBytes(-1.25 * MIB), "-1.3 MiB");
});

test("objects are whole and have a noun", () => {
  assert.equal(formatAmount(1, OBJECTS), "1 object");
  assert.equal(formatAmount(2.5, OBJECTS), "3 objects");
  assert.equal(formatCell(7, OBJECTS), "7");
  assert.equal(formatCell(0, BYTES), "0");
  assert.equal(formatAmount(0, BYTES), "0 B");
});

test("shares are short, and never 0% or 100% without being so", () => {
  for (const [part, whole, text] of [
    [0, 5, "0%"], [5, 0, "0%"], [1, 1e6, "<0.01%"], [1, 1000, "0.10%"],
    [99499, 1e7, "0.99%"], [1, 100, "1.0%"], [9994, 1e4, "99.9%"],
    [1, 16, "6.2%"], [3, 16, "18.8%"], [1, 800, "0.12%"], [3, 800, "0.38%"],
    [5.15, 100, "5.2%"], [1, 1, "100%"], [-1, 4, "-25.0%"], [12, 1, "1200%"],
  ])
    assert.equal(formatShare(part, whole), text);
});

test("an error bar is ± if it is about the same on both sides", () => {
  const withBounds = (value, lower, upper) =>
    formatWithInterval(value * MIB, {lower: lower * MIB, upper: upper * MIB},
                       BYTES);
  assert.equal(withBounds(300, 299, 301.2), "300.0 ± 1.2 MiB");
  assert.equal(withBounds(1, 0.1, 5.6), "1.0 MiB (102.4 KiB to 5.6 MiB)");
  assert.equal(withBounds(300, 300, 300), "300.0 MiB");
  assert.equal(withBounds(300, 299.99, 300.01), "300.0 MiB");
  assert.equal(formatWithInterval(5, null, BYTES), "5 B");
});

test("a change has a sign, and a range if ± would reach zero", () => {
  const change = (value, lower, upper) => formatChangeWithInterval(
      value * MIB, {lower: lower * MIB, upper: upper * MIB}, BYTES);
  assert.equal(change(17.5, 15.8, 19.2), "+17.5 ± 1.7 MiB");
  assert.equal(change(-6, -13.1, -0.7), "-6.0 (-13.1 to -0.7) MiB");
  assert.equal(change(-1, -3, 1), "-1.0 ± 2.0 MiB");
  assert.equal(formatChange(3 * MIB, BYTES), "+3.0 MiB");
  assert.equal(formatChange(-2, OBJECTS), "-2");
  assert.equal(needsRange(1, {lower: -1, upper: 3}), false);
  assert.equal(needsRange(1, {lower: 0.5, upper: 3}), true);
});

test("an error alone", () => {
  assert.equal(formatError(MIB, {lower: 0.5 * MIB, upper: 1.5 * MIB}),
               "± 0.5 MiB");
  assert.equal(formatError(GIB, {lower: GIB - 1, upper: GIB + 1}),
               "± <0.01 GiB");
  assert.equal(formatError(5, null), "");
});

test("growth in relation to what there was", () => {
  assert.equal(formatGrowth(3, 2), "+50.0%");
  assert.equal(formatGrowth(1, 2), "-50.0%");
  assert.equal(formatGrowth(1, 0), "new");
  assert.equal(formatGrowth(0, 1), "gone");
  assert.equal(formatGrowth(1, 1), "");
});
