// SPDX-License-Identifier: Apache-2.0
//
// A picture of values over dumps: bands that lie on each other.
import {element, svgElement} from "./dom.js";
import {tooltip} from "./tooltip.js";

/** @typedef {{name: string, values: number[]}} Band */

/**
 * @typedef {object} TimeChart
 * @property {string} label  for screen readers
 * @property {Band[]} bands  from the bottom to the top
 * @property {number[]} places  of the dumps, from 0 to 1
 * @property {string[]} dumps
 * @property {(value: number) => string} format
 * @property {(value: number) => string} formatTick  of round values
 * @property {1024|1000} base  how many of a unit are the next one: of bytes, of
 *     objects
 */

const CHART_BOX = {left: 74, right: 12, top: 10, bottom: 26, height: 220};
export const BAND_COLORS = 8;

/** @param {TimeChart} chart @param {number} width  in pixels */
export function drawTimeChart(chart, width) {
  const {left, right, top, bottom, height} = CHART_BOX;
  const sums = chart.dumps.map((_, i) =>
    chart.bands.reduce((sum, {values}) => sum + values[i], 0));
  const highest = Math.max(1, ...sums);
  const toX = (/** @type {number} */ i) =>
    left + chart.places[i] * (width - left - right);
  const toY = (/** @type {number} */ value) =>
    height - bottom - value / highest * (height - top - bottom);
  const picture = svgElement("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": chart.label, class: "time-chart"});
  picture.append(...ticks(highest, width, toY, chart),
                 ...dumpNames(chart, width, toX),
                 ...areas(chart, toX, toY));
  watchTimeChart(/** @type {SVGElement} */ (picture), chart, toX);
  return picture;
}

/**
 * @param {number} highest @param {number} width
 * @param {(value: number) => number} toY
 * @param {TimeChart} chart
 */
function ticks(highest, width, toY, {formatTick, base}) {
  const step = tickStep(highest, base);
  const made = [];
  for (let value = 0; value <= highest; value += step) {
    const y = Math.round(toY(value)) + 0.5;
    made.push(
        svgElement("line", {x1: CHART_BOX.left, x2: width - CHART_BOX.right,
                            y1: y, y2: y, class: "tick"}),
        svgElement("text", {x: CHART_BOX.left - 8, y: y + 4,
                            "text-anchor": "end"}, formatTick(value)));
  }
  return made;
}

/**
 * A round number of a unit: three to six ticks.
 * @param {number} highest @param {number} base  see TimeChart
 */
export function tickStep(highest, base) {
  const least = highest / 5;
  let unit = 1;
  while (unit * base <= least) unit *= base;
  const factors = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  return unit * (factors.find((factor) => factor * unit >= least) ?? base);
}

/**
 * @param {TimeChart} chart
 * @param {number} width
 * @param {(i: number) => number} toX
 */
function dumpNames({dumps}, width, toX) {
  const PIXELS = 110;
  const every = Math.max(1, Math.ceil(dumps.length * PIXELS / width));
  const last = dumps.length - 1;
  const names = shortDumpNames(dumps);
  return [...dumps.keys()].filter((i) => i % every === 0).map((i) =>
    svgElement("text", {
      x: toX(i), y: CHART_BOX.height - 8,
      "text-anchor": i === 0 ? "start" : i === last ? "end" : "middle",
    }, names[i]));
}

/**
 * "0007" of "app.1234.0007.i7.heap" if that tells the dumps apart, as it does
 * not if they are of several processes; else without what all names share.
 * @param {string[]} names
 */
export function shortDumpNames(names) {
  const MOST = 14;
  const numbers = names.map((name) =>
    /\.(\d+)\.[a-z]\d*\.heap/.exec(name)?.[1] ?? "");
  const shared = sharedStart(names);
  const short = numbers.every(Boolean) && new Set(numbers).size === names.length
    ? numbers
    : names.map((name) =>
        name.slice(shared).replace(/(\.heap)?(\.(gz|zst|xz|bz2))?$/, ""));
  return short.map((name) =>
    name.length > MOST ? `${name.slice(0, MOST - 1)}…` : name);
}

/**
 * How many characters all names begin with, up to a separator.
 * @param {string[]} names
 */
function sharedStart([first, ...rest]) {
  let length = 0;
  while (length < first.length &&
         rest.every((name) => name[length] === first[length]))
    ++length;
  return /^.*[-._]/.exec(first.slice(0, length))?.[0].length ?? 0;
}

/**
 * @param {TimeChart} chart
 * @param {(i: number) => number} toX
 * @param {(value: number) => number} toY
 */
function areas({bands, dumps}, toX, toY) {
  const below = dumps.map(() => 0);
  return bands.map(({name, values}, band) => {
    const lower = dumps.map((_, i) => `${toX(i)},${toY(below[i])}`);
    values.forEach((value, i) => { below[i] += value; });
    const upper = dumps.map((_, i) => `${toX(i)},${toY(below[i])}`);
    return svgElement("polygon", {
      points: [...upper, ...lower.reverse()].join(" "),
      class: `band band-${band % BAND_COLORS}`,
    }, svgElement("title", {}, name));
  });
}

/**
 * Says the values at the pointer.
 * @param {SVGElement} picture
 * @param {TimeChart} chart
 * @param {(i: number) => number} toX
 */
function watchTimeChart(picture, {bands, dumps, format}, toX) {
  const {top, bottom, height} = CHART_BOX;
  const line = svgElement("line", {y1: top, y2: height - bottom,
                                   class: "cursor", visibility: "hidden"});
  picture.append(line);
  picture.addEventListener("pointerleave", () => {
    line.setAttribute("visibility", "hidden");
    tooltip.hide();
  });
  picture.addEventListener("pointermove", (event) => {
    const x = event.clientX - picture.getBoundingClientRect().left;
    let nearest = 0;
    dumps.forEach((_, i) => {
      if (Math.abs(toX(i) - x) < Math.abs(toX(nearest) - x)) nearest = i;
    });
    line.setAttribute("visibility", "visible");
    line.setAttribute("x1", String(toX(nearest)));
    line.setAttribute("x2", String(toX(nearest)));
    tooltip.show(event.clientX, event.clientY, (tip) => {
      tip.append(element("b", {}, dumps[nearest]));
      for (const {name, values} of [...bands].reverse())
        tip.append(element("span", {}, `${format(values[nearest])}  ${name}`));
    });
  });
}
