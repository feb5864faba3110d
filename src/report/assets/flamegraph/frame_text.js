// SPDX-License-Identifier: Apache-2.0
//
// What a flame graph says about frames, in the words of src/report/flame_text.cc.
import {
  errorOf, formatAmount, formatBytes, formatChangeWithInterval, formatCount,
  formatShare, formatWithInterval,
} from "../shared/format.js";
/** @import {Interval} from "../shared/format.js" */

export const NEW = 0;
export const BASE = 1;

/**
 * The values of a frame, or the sum of several.
 * @typedef {object} Values
 * @property {number[]} total  by side
 * @property {number[]} self  by side
 * @property {number} below  from the value, or its change, to its lower bound
 * @property {number} above  to its upper bound; 0 and 0: it has no error bar
 * @property {number} samples
 * @property {boolean} hasChanged  in a comparison
 */

/** @typedef {"auto"|"B"|"objects"} FrameUnit */

export class FrameText {
  #unit;
  #isComparison;
  #quantity;

  /** @param {FrameUnit} unit @param {boolean} isComparison */
  constructor(unit, isComparison) {
    this.#unit = unit;
    this.#isComparison = isComparison;
    this.#quantity = {is_bytes: unit !== "objects"};
  }

  /** @param {number} value */
  amount(value) {
    return this.#unit === "B" ? `${value} B` :
      formatAmount(value, this.#quantity);
  }

  /** @param {Values} values */
  amountWithError(values) {
    if (this.#isComparison)
      return `${this.amount(values.total[BASE])} → ${
        this.amount(values.total[NEW])} (${this.#change(values)})`;
    const value = values.total[NEW];
    const interval =
        {lower: value - values.below, upper: value + values.above};
    return this.#unit === "B" ? this.#exactWithError(value, interval) :
      formatWithInterval(value, interval, this.#quantity);
  }

  /** @param {number} value @param {Interval} interval */
  #exactWithError(value, interval) {
    if (interval.lower === interval.upper) return `${value} B`;
    const {size, isSymmetrical} = errorOf(value, interval);
    return isSymmetrical ? `${value} ± ${size} B` :
      `${value} B (${interval.lower} B to ${interval.upper} B)`;
  }

  /**
   * @param {Values} values
   * @param {number} all  the total that is 100 %
   * @param {number} side  whose values are the widths
   */
  details(values, all, side) {
    let text = `${this.amountWithError(values)}, ${
      formatShare(values.total[side], all)}`;
    if (values.samples !== 0)
      text += `, ${formatCount(values.samples, "sample")}`;
    const self = values.self[side];
    if (self !== 0 && self !== values.total[side])
      text += `, ${this.amount(self)} itself`;
    return this.#isComparison ? text + this.#verdict(values) : text;
  }

  /** @param {Values} values */
  #change(values) {
    const change = values.total[NEW] - values.total[BASE];
    const error = Math.max(values.below, values.above);
    const sign = change > 0 ? "+" : "";
    if (this.#unit !== "auto")
      return `${sign}${this.amount(change)}${
        error > 0 ? ` ± ${this.amount(error)}` : ""}`;
    if (error === 0) return `${sign}${formatBytes(change)}`;
    const interval =
        {lower: change - values.below, upper: change + values.above};
    return formatChangeWithInterval(change, interval, this.#quantity);
  }

  /** @param {Values} values */
  #verdict(values) {
    const [now, before] = values.total;
    if (now === before) return "; unchanged";
    if (!values.hasChanged) return "; may be chance";
    if (before === 0) return "; new";
    return now === 0 ? "; gone" : "";
  }
}

/**
 * The change, or 0 if it may be chance.
 * @param {Values} values
 */
export function changeOf(values) {
  return values.hasChanged ? values.total[NEW] - values.total[BASE] : 0;
}
