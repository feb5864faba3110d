// SPDX-License-Identifier: Apache-2.0
//
// What a flame graph says about frames, in the words of src/report/flame_text.cc
// and with the numbers of src/view/units.cc.
"use strict";

const NEW = 0;
const BASE = 1;

/**
 * The values of a frame, or the sum of several.
 * @typedef {object} Values
 * @property {number[]} total  by side
 * @property {number[]} self  by side
 * @property {number} below  from the value, or its change, to its lower bound
 * @property {number} above  to its upper bound; 0 and 0: it has no error bar
 * @property {number} samples
 */

const BINARY_UNITS = [
  ["B", 1, 0], ["KiB", 2 ** 10, 1], ["MiB", 2 ** 20, 1], ["GiB", 2 ** 30, 2],
  ["TiB", 2 ** 40, 2], ["PiB", 2 ** 50, 2],
];

const rounded = (value, decimals) =>
    Math.sign(value) * Math.round(Math.abs(value) * 10 ** decimals) /
    10 ** decimals;

// The smallest unit in which `bytes` is shown as less than 1024.
const unitOf = (bytes) =>
    BINARY_UNITS.find(([, size, decimals]) =>
      Math.abs(rounded(bytes / size, decimals)) < 1024) ?? BINARY_UNITS.at(-1);

// Adds 0, because -0 would be shown with its sign.
const fixed = (value, decimals) =>
    (rounded(value, decimals) + 0).toFixed(decimals);

const formatBytes = (bytes) => {
  const [name, size, decimals] = unitOf(bytes);
  return `${fixed(bytes / size, decimals)} ${name}`;
};

// " ± 1.2"; nothing if the error is too small to show
const plusMinus = ([, size, decimals], error) => {
  const shown = rounded(error / size, decimals);
  return shown < 10 ** -decimals ? "" : ` ± ${fixed(shown, decimals)}`;
};

const formatShare = (part, whole) => {
  const percent = whole === 0 ? 0 : 100 * part / whole;
  if (percent === 0) return "0%";
  if (percent < 0.005) return "<0.01%";
  if (percent < 0.995) return `${percent.toFixed(2)}%`;
  return percent >= 99.95 && percent < 100.05 ? "100%" :
    `${percent.toFixed(1)}%`;
};

const count = (number, noun) =>
    `${number} ${noun}${number === 1 ? "" : "s"}`;

class FlameText {
  #unit;
  #isComparison;

  /**
   * @param {"auto"|"B"|"objects"} unit
   * @param {boolean} isComparison
   */
  constructor(unit, isComparison) {
    this.#unit = unit;
    this.#isComparison = isComparison;
  }

  amount(value) {
    if (this.#unit === "objects") return count(value, "object");
    return this.#unit === "B" || value === 0 ? `${value} B` :
      formatBytes(value);
  }

  /** @param {Values} values */
  amountWithError(values) {
    if (this.#isComparison)
      return `${this.amount(values.total[BASE])} → ${
        this.amount(values.total[NEW])} (${this.#change(values)})`;
    const value = values.total[NEW];
    const {below, above} = values;
    if (below === 0 && above === 0) return this.amount(value);
    const error = Math.max(below, above);
    if (error > 1.5 * Math.min(below, above))
      return `${this.amount(value)} (${this.amount(value - below)} to ${
        this.amount(value + above)})`;
    if (this.#unit === "B") return `${value} ± ${error} B`;
    const unit = unitOf(value);
    return `${fixed(value / unit[1], unit[2])}${plusMinus(unit, error)} ${
      unit[0]}`;
  }

  /**
   * @param {Values} values
   * @param {number} all  the total that is 100 %
   * @param {number} side  whose values are the widths
   */
  details(values, all, side) {
    let text = `${this.amountWithError(values)}, ${
      formatShare(values.total[side], all)}`;
    if (values.samples !== 0) text += `, ${count(values.samples, "sample")}`;
    const self = values.self[side];
    if (self !== 0 && self !== values.total[side])
      text += `, ${this.amount(self)} itself`;
    return this.#isComparison ? text + this.#verdict(values) : text;
  }

  /** @param {Values} values */
  #change(values) {
    const change = values.total[NEW] - values.total[BASE];
    const [lower, upper] = [change - values.below, change + values.above];
    const error = Math.max(values.below, values.above);
    if (this.#unit !== "auto")
      return `${change > 0 ? "+" : ""}${this.amount(change)}${
        error > 0 ? ` ± ${this.amount(error)}` : ""}`;
    const unit = unitOf(Math.max(...[change, lower, upper].map(Math.abs)));
    const number = (value) => {
      const shown = fixed(value / unit[1], unit[2]);
      return `${Number(shown) > 0 ? "+" : ""}${shown}`;
    };
    if (error === 0) return `${number(change)} ${unit[0]}`;
    if ((lower > 0 || upper < 0) && error >= Math.abs(change))
      return `${number(change)} (${number(lower)} to ${number(upper)}) ${
        unit[0]}`;
    return `${number(change)}${plusMinus(unit, error)} ${unit[0]}`;
  }

  /** @param {Values} values */
  #verdict(values) {
    const [now, before] = values.total;
    if (now === before) return "; unchanged";
    if (!hasChanged(values)) return "; within the sampling error";
    if (before === 0) return "; new";
    return now === 0 ? "; gone" : "";
  }
}

/**
 * The change, or 0 if sampling may explain it.
 * @param {Values} values
 */
const changeOf = (values) =>
  hasChanged(values) ? values.total[NEW] - values.total[BASE] : 0;

/** @param {Values} values */
const hasChanged = (values) => {
  const change = values.total[NEW] - values.total[BASE];
  const {below, above} = values;
  if (below === 0 && above === 0) return change !== 0;
  return change - below > 0 || change + above < 0;
};
