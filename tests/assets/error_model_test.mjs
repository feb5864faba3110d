// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {ErrorModel} from "../../src/report/assets/html/error_model.js";
import {
  CONFIDENCE, lowerQuantile, upperQuantile,
} from "../../src/report/assets/html/gamma_quantiles.js";

function near(value, expected, tolerance) {
  assert.ok(Math.abs(value / expected - 1) < tolerance,
            `${value}, expected ${expected}`);
}

// Computed by scipy.special.gammaincinv() and gammainccinv(). The large shapes
// are approximated.
test("quantiles of the gamma distribution", () => {
  for (const [shape, lower, upper, tolerance = 1e-12] of [
    [0.05, 5.31566188991436e-33, 0.5671737617538587],
    [0.5, 0.0004910345585876278, 2.511943093657445],
    [1, 0.025317807984289876, 3.6888794541139363],
    [4, 1.0898653736263249, 8.767273069742325],
    [15.5, 8.76936929073775, 24.11594479722599],
    [999, 938.0040185617676, 1061.8901509343823],
    [1000.5, 939.4575241441688, 1063.4366455565284, 2e-9],
    [1e7, 9993802.996884268, 10006198.8974216],
  ]) {
    near(lowerQuantile(shape), lower, tolerance);
    near(upperQuantile(shape), upper, tolerance);
  }
});

// Computed by Boost.Math, gamma_p_inv() and gamma_q_inv().
test("quantiles of other levels", () => {
  const level = {tail: 1e-5, deviations: 4.264890793922825};
  for (const [shape, lower, upper] of [
    [0.5, 7.8539816343857163e-11, 9.7557104823287855],
    [4, 0.12767888617358447, 18.665796822211103],
    [40, 18.509438673125697, 72.881835852085743],
    [2000, 1814.9677185801975, 2196.4904475416911],
  ]) {
    near(lowerQuantile(shape, level), lower, 1e-8);
    near(upperQuantile(shape, level), upper, 1e-8);
  }
});

const variation = (sampling, relative = 0, widening = 1) =>
  ({sampling, relative: [relative, relative], widening});

test("many changes are judged at once", () => {
  const changes = {tail: 1e-5, deviations: 4.264890793922825};
  const of = (level) => new ErrorModel(
      {missed: [100, 100], of_entries: variation(1), of_total: variation(1),
       changes: level});
  const few = {value: 2000, variance: 2e5};
  const many = {value: 4000, variance: 4e5};
  for (const [now, base] of [[few, many], [many, few]]) {
    assert.equal(of(CONFIDENCE).hasChanged(now, base, "entry", 1), true);
    assert.equal(of(changes).hasChanged(now, base, "entry", 1), false);
  }
  assert.equal(of(changes).hasChanged(few, few, "entry", 1), false);
});

const model = (missed, sampling = 1) => new ErrorModel({
  missed, of_entries: variation(sampling), of_total: variation(9 * sampling),
});

// As in tests/view/error_bars_test.cc: Garwood's bounds of a count of 4 are
// 1.0899 and 10.2416.
test("samples of equal worth are a count", () => {
  const estimate = {value: 1e8, variance: 25e14};
  const {lower, upper} = model([25e6, null]).interval(estimate, null, "entry");
  near(lower, 27.24664e6, 1e-6);
  near(upper, 256.0397e6, 1e-6);
});

test("what was missed", () => {
  const nothing = {value: 0, variance: 0};
  assert.deepEqual(model([1000, 1000]).interval(nothing, null, "entry"),
                   {lower: 0, upper: 3689});
  assert.deepEqual(model([1000, 1000]).interval(nothing, nothing, "entry"),
                   {lower: -3689, upper: 3689});
  assert.deepEqual(
      model([null, null]).interval({value: 9, variance: 5}, null, "entry"),
      {lower: 9, upper: 9});
  // Runs that count every allocation lack by chance what other runs lack, too.
  const rare = {value: 3000, variance: 18e6};
  const exact = model([0, 0]);
  assert.ok(exact.interval(rare, nothing, "entry").lower < -8000);
  assert.equal(
      exact.interval({value: 3000, variance: 0}, nothing, "entry").lower,
      3000);
  // Runs that vary four times as much, and missed samples that stand for two.
  assert.equal(
      model([1000, 1000], 4).interval(nothing, null, "entry").upper, 14756);
  assert.equal(
      model([1000, 1000]).interval(nothing, null, "entry", 2).upper, 7378);
});

test("a sample of threads that share a seed stands for several", () => {
  const of = (sum, side = 0) => model([100, null]).repetition(sum, side);
  assert.equal(of({value: 1000, variance: 4e5}), 4);
  assert.equal(of({value: 1000, variance: 9e4}), 1);
  for (const nothing of [null, {value: 0, variance: 4e5}])
    assert.equal(of(nothing), 1);
  assert.equal(of({value: 1000, variance: 4e5}, 1), 1);
});

test("runs that vary have wider intervals", () => {
  const [of, once, more] = [{value: 1e6, variance: 1e8}, model([100, 100]),
                            model([100, 100], 4)];
  const widths = [once.interval(of, null, "entry"),
                  more.interval(of, null, "entry"),
                  more.interval(of, null, "total")]
      .map(({lower, upper}) => upper - lower);
  near(widths[1] / widths[0], 2, 0.01);
  near(widths[2] / widths[0], 6, 0.03);
});

test("a load that differs from run to run counts by the square", () => {
  const of = {value: 1e6, variance: 1e6};
  const width = (...numbers) => {
    const {lower, upper} = new ErrorModel({
      missed: [1, 1], of_entries: variation(...numbers),
      of_total: variation(1),
    }).interval(of, null, "entry");
    return upper - lower;
  };
  near(width(1, 3e-6) / width(1), 2, 0.01);
  near(width(1, 0, 4) / width(1), 2, 0.01);
  // Runs that differ less than by their sampling errors.
  near(width(0.5) / width(1), 1, 1e-9);
});

test("changes have a widening of their own", () => {
  const changes = {tail: 0.025, deviations: 1.959963984540054};
  const of = (widening) => new ErrorModel({
    missed: [100, 100], changes, of_total: variation(1),
    of_entries: {...variation(1), widening_of_changes: widening},
  });
  const [few, many] = [{value: 2000, variance: 2e5},
                       {value: 4000, variance: 4e5}];
  assert.equal(of(1).hasChanged(many, few, "entry", 1), true);
  assert.equal(of(9).hasChanged(many, few, "entry", 1), false);
});
