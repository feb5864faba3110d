// SPDX-License-Identifier: Apache-2.0
//
// Numbers for people, in the form that src/view/units.cc gives them.

/**
 * What a number counts: bytes, else objects.
 * @typedef {{is_bytes: boolean}} Quantity
 */

/** @typedef {{lower: number, upper: number}} Interval */

/** @typedef {{name: string, size: number, decimals: number}} BinaryUnit */

/** @type {BinaryUnit[]} */
const BINARY_UNITS = [
  {name: "B", size: 1, decimals: 0},
  {name: "KiB", size: 2 ** 10, decimals: 1},
  {name: "MiB", size: 2 ** 20, decimals: 1},
  {name: "GiB", size: 2 ** 30, decimals: 2},
  {name: "TiB", size: 2 ** 40, decimals: 2},
  {name: "PiB", size: 2 ** 50, decimals: 2},
];

/**
 * Rounds halves away from zero.
 * @param {number} value
 * @param {number} decimals
 */
function rounded(value, decimals) {
  const scale = 10 ** decimals;
  return Math.sign(value) * Math.round(Math.abs(value) * scale) / scale + 0;
}

/** @param {number} value @param {number} decimals */
function fixed(value, decimals) {
  return rounded(value, decimals).toFixed(decimals);
}

/**
 * The smallest unit in which `bytes` is shown as less than 1024.
 * @param {number} bytes
 */
export function unitOf(bytes) {
  const fits = BINARY_UNITS.find(({size, decimals}) =>
    Math.abs(rounded(bytes / size, decimals)) < 1024);
  return fits ?? BINARY_UNITS[BINARY_UNITS.length - 1];
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  const {name, size, decimals} = unitOf(bytes);
  return `${fixed(bytes / size, decimals)} ${name}`;
}

/**
 * A value without the name of objects.
 * @param {number} value
 * @param {Quantity} metric
 */
export function formatCell(value, metric) {
  if (value === 0) return "0";
  return metric.is_bytes ? formatBytes(value) : fixed(value, 0);
}

/** @param {number} value @param {Quantity} metric */
export function formatAmount(value, metric) {
  if (!metric.is_bytes) return formatCount(rounded(value, 0), "object");
  return value === 0 ? "0 B" : formatBytes(value);
}

/** @param {number} count @param {string} noun */
export function formatCount(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A change with its sign. @param {number} change @param {Quantity} metric */
export function formatChange(change, metric) {
  return (change > 0 ? "+" : "") + formatCell(change, metric);
}

/**
 * The larger distance to a bound, and whether "±" tells the truth about both.
 * @param {number} value @param {Interval} interval
 */
export function errorOf(value, {lower, upper}) {
  const ALMOST_EQUAL = 1.5;
  const [below, above] = [value - lower, upper - value];
  const size = Math.max(below, above);
  return {size, isSymmetrical: size <= ALMOST_EQUAL * Math.min(below, above)};
}

/** "1.2" or "<0.1" @param {number} error @param {BinaryUnit} unit */
export function formatErrorIn(error, {size, decimals}) {
  const least = 10 ** -decimals;
  const shown = rounded(error / size, decimals);
  return (shown < least ? "<" : "") + fixed(Math.max(shown, least), decimals);
}

/**
 * " ± 1.2"; nothing if the error is too small to show
 * @param {number} error @param {BinaryUnit} unit
 */
function plusMinus(error, unit) {
  return rounded(error / unit.size, unit.decimals) < 10 ** -unit.decimals ?
    "" : ` ± ${formatErrorIn(error, unit)}`;
}

/**
 * "312.6 ± 1.2 MiB", "1.0 MiB (0.1 MiB to 5.6 MiB)" or, without an error bar,
 * "312.6 MiB".
 * @param {number} value @param {Interval|null} interval
 * @param {Quantity} metric
 */
export function formatWithInterval(value, interval, metric) {
  if (!interval || interval.lower === interval.upper)
    return formatAmount(value, metric);
  const error = errorOf(value, interval);
  if (!error.isSymmetrical)
    return `${formatAmount(value, metric)} (${
      formatAmount(interval.lower, metric)} to ${
      formatAmount(interval.upper, metric)})`;
  const unit = unitOf(value);
  return `${fixed(value / unit.size, unit.decimals)}${
    plusMinus(error.size, unit)} ${unit.name}`;
}

/**
 * Whether "±" would suggest that a change may be zero although it is not.
 * @param {number} change @param {Interval} interval
 */
export function needsRange(change, {lower, upper}) {
  const error = Math.max(upper - change, change - lower);
  return (lower > 0 || upper < 0) && error >= Math.abs(change);
}

/**
 * "+17.5 ± 1.7 MiB", or "-6.0 (-13.1 to -0.7) MiB" if "±" would suggest that
 * the change may be zero.
 * @param {number} change @param {Interval|null} interval
 * @param {Quantity} metric
 */
export function formatChangeWithInterval(change, interval, metric) {
  if (!interval || interval.lower === interval.upper || !metric.is_bytes)
    return formatChange(change, metric);
  const {lower, upper} = interval;
  const unit = unitOf(Math.max(...[change, lower, upper].map(Math.abs)));
  const number = (/** @type {number} */ value) => {
    const shown = fixed(value / unit.size, unit.decimals);
    return (Number(shown) > 0 ? "+" : "") + shown;
  };
  const error = Math.max(upper - change, change - lower);
  if (needsRange(change, interval))
    return `${number(change)} (${number(lower)} to ${number(upper)}) ${
      unit.name}`;
  return `${number(change)}${plusMinus(error, unit)} ${unit.name}`;
}

/**
 * The error alone, for a column: "± 1.2 MiB", "0.1 MiB to 5.6 MiB".
 * @param {number} value @param {Interval|null} interval
 */
export function formatError(value, interval) {
  if (!interval || interval.lower === interval.upper) return "";
  const {size, isSymmetrical} = errorOf(value, interval);
  if (!isSymmetrical)
    return `${formatBytes(interval.lower)} to ${formatBytes(interval.upper)}`;
  const unit = unitOf(value);
  return `± ${formatErrorIn(size, unit)} ${unit.name}`;
}

/**
 * What C prints with "%.*f": a number in the middle of two becomes the even
 * one. Unlike the products of 10, those of 2 are exact.
 * @param {number} size  not negative
 * @param {number} decimals
 */
function printed(size, decimals) {
  const isInTheMiddle = size * 2 ** (decimals + 1) % 2 === 1;
  const scale = 10 ** decimals;
  const below = Math.floor(size * scale);
  return isInTheMiddle && below % 2 === 0 ?
    (below / scale).toFixed(decimals) : size.toFixed(decimals);
}

/** @param {number} part @param {number} whole */
export function formatShare(part, whole) {
  const percent = whole === 0 ? 0 : 100 * part / whole;
  const size = Math.abs(percent);
  const sign = percent < 0 ? "-" : "";
  if (size === 0) return "0%";
  if (size < 0.005) return "<0.01%";
  if (size < 0.995) return `${sign}${printed(size, 2)}%`;
  const isWhole = size >= 999.5 || (size >= 99.95 && size < 100.05);
  return `${sign}${printed(size, isWhole ? 0 : 1)}%`;
}

/**
 * How a value changed in relation to what it was.
 * @param {number} now
 * @param {number} before
 */
export function formatGrowth(now, before) {
  if (now === before) return "";
  if (before === 0) return "new";
  if (now === 0) return "gone";
  return (now > before ? "+" : "") + formatShare(now - before, before);
}
