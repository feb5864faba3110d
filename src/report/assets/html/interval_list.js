// SPDX-License-Identifier: Apache-2.0
//
// Error bars of a few nodes or rows.
/** @import {Interval} from "../shared/format.js" */

export class IntervalList {
  #index;
  #lower;
  #upper;

  /**
   * @param {Uint32Array} index  in ascending order
   * @param {Float64Array} lower
   * @param {Float64Array} upper
   */
  constructor(index, lower, upper) {
    this.#index = index;
    this.#lower = lower;
    this.#upper = upper;
  }

  get isEmpty() {
    return this.#index.length === 0;
  }

  /** @param {number} index @returns {Interval|null} */
  at(index) {
    const i = firstNotBelow(this.#index, index);
    if (i === this.#index.length || this.#index[i] !== index) return null;
    return {lower: this.#lower[i], upper: this.#upper[i]};
  }
}

/**
 * The first position whose value is not below `value`.
 * @param {Uint32Array} sorted @param {number} value
 */
export function firstNotBelow(sorted, value) {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
