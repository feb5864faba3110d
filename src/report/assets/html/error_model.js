// SPDX-License-Identifier: Apache-2.0
//
// The intervals of sums, as include/heapprof/view/error_bars.h computes them:
// of what the page itself has added up.
import {CONFIDENCE, lowerQuantile, upperQuantile} from "./gamma_quantiles.js";
/** @import {ErrorsOfSums} from "./block.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {Level} from "./gamma_quantiles.js" */

/**
 * The value of one side with the variance of its sampling error.
 * @typedef {{value: number, variance: number}} Estimate
 */

export class ErrorModel {
  #missed;
  #variations;
  #ofChanges;

  /** @param {ErrorsOfSums} errors */
  constructor({missed, of_entries, of_total, changes}) {
    this.#missed = missed;
    this.#ofChanges = changes;
    this.#variations = {entry: of_entries, total: of_total};
  }

  /**
   * The interval, in whole bytes, of a sum or, with a base, of its change.
   * @param {Estimate} now @param {Estimate|null} base
   * @param {"entry"|"total"} extent
   * @param {number} repetition  how many samples a missed one stands for, at
   *     least; see repetition()
   * @returns {Interval}
   */
  interval(now, base, extent, repetition = 1) {
    const {below, above} =
        this.#bothRooms(now, base, extent, repetition, CONFIDENCE);
    const value = now.value - (base?.value ?? 0);
    return {lower: Math.floor(value - below), upper: Math.ceil(value + above)};
  }

  /**
   * Whether a change is more than chance: HasChanged() in
   * include/heapprof/stats/growth.h.
   * @param {Estimate} now @param {Estimate} base
   * @param {"entry"|"total"} extent @param {number} repetition
   */
  hasChanged(now, base, extent, repetition) {
    const change = now.value - base.value;
    if (!this.#ofChanges || change === 0) return change !== 0;
    const {below, above} =
        this.#bothRooms(now, base, extent, repetition, this.#ofChanges);
    return change > 0 ? change > below : -change > above;
  }

  /**
   * How far the bounds of a value or, with a base, of a change are from it.
   * @param {Estimate} now @param {Estimate|null} base
   * @param {"entry"|"total"} extent @param {number} repetition
   * @param {Level} level
   */
  #bothRooms(now, base, extent, repetition, level) {
    const after = this.#room(now, 0, base, extent, repetition, level);
    const before = base ? this.#room(base, 1, now, extent, repetition, level) :
      {below: 0, above: 0};
    return {below: Math.hypot(after.below, before.above),
            above: Math.hypot(after.above, before.below)};
  }

  /**
   * How many sampling periods one sample of a sum stands for: more than 1 only
   * if threads share a seed.
   * @param {Estimate|null} sum @param {0|1} side
   */
  repetition(sum, side) {
    const missed = this.#missed[side];
    return !sum || !missed || sum.value <= 0 ? 1 :
      Math.max(1, sum.variance / (sum.value * missed));
  }

  /**
   * How far the bounds are from the value: src/stats/gamma_bounds.h.
   * @param {Estimate} estimate @param {0|1} side
   * @param {Estimate|null} other  that of the other side
   * @param {"entry"|"total"} extent @param {number} repetition
   * @param {Level} level
   */
  #room(estimate, side, other, extent, repetition, level) {
    const {value} = estimate;
    if (this.#missed[side] === null) return {below: 0, above: 0};
    const spread = this.#variance(estimate, side, extent, level);
    const worth = value > 0 || this.#missed[side] !== 0 ?
      Math.max(this.#missedOf(estimate, side, extent, repetition),
               value > 0 ? spread / value : 0) :
      this.#lackedByChance(side, other, extent, repetition);
    return {
      below: value - boundOf(value, spread, lowerQuantile, level),
      above:
        boundOf(value + worth, spread + worth * worth, upperQuantile, level) -
        value,
    };
  }

  /**
   * MeasuredSide::missed in include/heapprof/stats/growth.h.
   * @param {Estimate} estimate @param {0|1} side
   * @param {"entry"|"total"} extent @param {number} repetition
   */
  #missedOf(estimate, side, extent, repetition) {
    const period = this.#missed[side] ?? 0;
    const repeated = repetition === 1 ? period :
      period * Math.max(repetition, this.repetition(estimate, side));
    return repeated * Math.max(1, this.#variations[extent].sampling);
  }

  /**
   * The same of a side without the entry whose runs count every allocation:
   * ErrorBars::AllowForAbsence().
   * @param {0|1} side @param {Estimate|null} other  that of the other side
   * @param {"entry"|"total"} extent @param {number} repetition
   */
  #lackedByChance(side, other, extent, repetition) {
    if (!other || other.value <= 0) return 0;
    const {value, variance} = other;
    const missed =
        this.#missedOf(other, side === 0 ? 1 : 0, extent, repetition);
    return 2 * variance >= value * value && variance > value * missed ? value :
      0;
  }

  /**
   * That of the sampling error, or that between runs if it is larger: see
   * MeasuredSide in include/heapprof/stats/growth.h.
   * @param {Estimate} estimate @param {0|1} side
   * @param {"entry"|"total"} extent @param {Level} level
   */
  #variance({value, variance}, side, extent, level) {
    const {sampling, relative, widening, widening_of_changes} =
        this.#variations[extent];
    const between = sampling * variance + relative[side] * value * value;
    const factor =
        level === this.#ofChanges ? widening_of_changes ?? widening : widening;
    return Math.max(variance, between * factor);
  }
}

/**
 * The bound of a variable with this mean and variance.
 * @param {number} mean @param {number} variance
 * @param {(shape: number, level: Level) => number} quantile
 * @param {Level} level
 */
function boundOf(mean, variance, quantile, level) {
  const shape = mean * (mean / variance);
  return mean === 0 || !Number.isFinite(shape) ? mean :
    mean * (quantile(shape, level) / shape);
}
