// SPDX-License-Identifier: Apache-2.0
//
// Error bars of a few nodes or rows.
/** @import {Interval} from "../shared/format.js" */

/**
 * @typedef {object} Intervals
 * @property {boolean} isEmpty
 * @property {(index: number) => Interval|null} at
 */

/** @implements {Intervals} */
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
 * Error bars that are computed when they are first asked for.
 * @implements {Intervals}
 */
export class ComputedIntervals {
  #compute;
  /** @type {Map<number, Interval|null>} */
  #known = new Map();

  /** @param {(index: number) => Interval|null} compute */
  constructor(compute) {
    this.#compute = compute;
  }

  get isEmpty() {
    return false;
  }

  /** @param {number} index @returns {Interval|null} */
  at(index) {
    let interval = this.#known.get(index);
    if (interval === undefined) {
      interval = this.#compute(index);
      this.#known.set(index, interval);
    }
    return interval;
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
