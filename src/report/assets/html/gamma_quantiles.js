// SPDX-License-Identifier: Apache-2.0
//
// Quantiles of the gamma distribution of scale 1, as src/stats/quantiles.cc
// computes them.

/**
 * How much of a distribution is beyond a quantile, and by how many standard
 * deviations the quantile of a normal distribution differs from its mean.
 * @typedef {{tail: number, deviations: number}} Level
 */

/** That of the intervals of all reports: kConfidence. @type {Level} */
export const CONFIDENCE = {tail: 0.025, deviations: 1.959963984540054};

// From this shape on, the expansion of Cornish and Fisher is exact enough.
const LARGE_SHAPE = 1000;

/** The value with `tail` below it. @param {number} shape @param {Level} level */
export function lowerQuantile(shape, {tail, deviations} = CONFIDENCE) {
  return quantile(shape, tail, -deviations);
}

/** The value with `tail` above it. @param {number} shape @param {Level} level */
export function upperQuantile(shape, {tail, deviations} = CONFIDENCE) {
  return quantile(shape, 1 - tail, deviations);
}

/** @param {number} shape @param {number} below @param {number} z */
function quantile(shape, below, z) {
  return shape < LARGE_SHAPE ? halley(shape, below, z) : expansion(shape, z);
}

/** @param {number} shape @param {number} z */
function expansion(shape, z) {
  const root = Math.sqrt(shape);
  const square = z * z;
  return shape + z * root + (square - 1) / 3 + z * (square - 7) / (36 * root) -
      ((3 * square + 7) * square - 16) / (810 * shape);
}

/** @param {number} shape @param {number} below @param {number} z */
function halley(shape, below, z) {
  const STEPS = 20;
  const EXACT = 1e-12;
  const logGamma = logGammaOf(shape);
  let x = firstGuess(shape, below, z, logGamma);
  for (let i = 0; i < STEPS && x > 0; ++i) {
    const density =
        Math.exp((shape - 1) * Math.log(x) - x - logGamma);
    const newton = (lowerShare(shape, x, logGamma) - below) / density;
    const step =
        newton / (1 - 0.5 * Math.min(1, newton * ((shape - 1) / x - 1)));
    x = x > step ? x - step : x / 2;
    if (Math.abs(step) < EXACT * x) break;
  }
  return x;
}

// That of Wilson and Hilferty, or the limit near 0, where the density is a
// power of x.
/**
 * @param {number} shape @param {number} below @param {number} z
 * @param {number} logGamma
 */
function firstGuess(shape, below, z, logGamma) {
  const cube = (1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
  return shape >= 0.5 && cube > 0.01 ? shape * cube :
    Math.exp((Math.log(below * shape) + logGamma) / shape);
}

/**
 * How much of the distribution is below x.
 * @param {number} shape @param {number} x @param {number} logGamma
 */
function lowerShare(shape, x, logGamma) {
  const EXACT = 1e-15;
  const factor = Math.exp(shape * Math.log(x) - x - logGamma);
  if (x < shape + 1) {
    let [term, sum] = [1 / shape, 1 / shape];
    for (let i = shape + 1; term > EXACT * sum; ++i) sum += term *= x / i;
    return factor * sum;
  }
  // The continued fraction of Lentz.
  let b = x + 1 - shape;
  let [c, d] = [Infinity, 1 / b];
  let fraction = d;
  for (let i = 1, change = 0; Math.abs(change - 1) > EXACT && i < 1e4; ++i) {
    const a = i * (shape - i);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    change = c * d;
    fraction *= change;
  }
  return 1 - factor * fraction;
}

/** The logarithm of the gamma function, by Stirling. @param {number} x */
function logGammaOf(x) {
  const LEAST = 15;
  let shift = 0;
  for (; x < LEAST; ++x) shift += Math.log(x);
  const square = x * x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) +
      (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) /
       square) / x - shift;
}
