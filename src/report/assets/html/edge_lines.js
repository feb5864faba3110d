// SPDX-License-Identifier: Apache-2.0
//
// The lines of a call graph, and where their labels have room. Lines are curved
// between the layers only, where there are no boxes.
/** @import {Point} from "./layered_layout.js" */

/** From the bottom of a layer to the top of the next one, or upwards.
 *  @typedef {{from: Point, to: Point}} Bend */

/**
 * @param {Point[]} line  see Layout @param {number} boxHeight
 * @returns {Bend[]}
 */
export function bendsOf(line, boxHeight) {
  const isUp = line[0].y > line[line.length - 1].y;
  const half = (isUp ? -1 : 1) * boxHeight / 2;
  return line.slice(1).map((to, i) => ({
    from: {x: line[i].x, y: line[i].y + half}, to: {x: to.x, y: to.y - half}}));
}

/** @param {Bend[]} bends */
export function pathOf(bends) {
  const number = (/** @type {number} */ value) => value.toFixed(1);
  return bends.map(({from, to}, i) => {
    const middle = number((from.y + to.y) / 2);
    return `${i === 0 ? "M" : "L"}${number(from.x)} ${number(from.y)}` +
      `C${number(from.x)} ${middle} ${number(to.x)} ${middle} ${
        number(to.x)} ${number(to.y)}`;
  }).join("");
}

/**
 * An arrow head, whose point is the end of the line.
 * @param {Bend[]} bends
 */
export function arrowHead(bends) {
  const {from, to: {x, y}} = bends[bends.length - 1];
  const back = from.y < y ? -8 : 8;
  return `M${(x - 4).toFixed(1)} ${(y + back).toFixed(1)}h8L${x.toFixed(1)} ${
    y.toFixed(1)}z`;
}

/**
 * A label: it begins at x, and y is its base line.
 * @typedef {{x: number, y: number, width: number}} PlacedLabel
 */

const LABEL = {ascent: 9, descent: 3, gap: 4};
const HEIGHT = LABEL.ascent + LABEL.descent;
const HEAD = 10;  // of an arrow

/**
 * Places labels beside their lines so that they overlap neither each other nor
 * boxes nor, where there is room, lines. Null: there is no room at all.
 * @param {{bends: Bend[], thickness: number, width: number}[]} lines  with the
 *     widths of their labels, the most important line first
 * @param {number} right  end of the picture
 * @returns {(PlacedLabel|null)[]}
 */
export function placeLabels(lines, right) {
  const drawn = lines.flatMap(({bends, thickness}) =>
    bends.map((bend) => ({bend, thickness})));
  /** @type {PlacedLabel[]} */
  const placed = [];
  const isFree = (/** @type {PlacedLabel} */ {x, y, width}) =>
    x >= 0 && x + width <= right && placed.every((other) =>
      Math.abs(y - other.y) >= HEIGHT ||
      x + width + LABEL.gap <= other.x || other.x + other.width + LABEL.gap <= x);
  const isClear = (/** @type {PlacedLabel} */ {x, y, width}) =>
    drawn.every(({bend, thickness}) => {
      const range = rangeAt(bend, thickness, y);
      return !range || range.right < x || range.left > x + width;
    });
  return lines.map((line) => {
    const places = placesOf(line).filter(isFree);
    const label = places.find(isClear) ?? places[0] ?? null;
    if (label) placed.push(label);
    return label;
  });
}

/**
 * Where a label may be: in the middle rather than at an end, and to the right
 * rather than to the left.
 * @param {{bends: Bend[], thickness: number, width: number}} line
 * @returns {PlacedLabel[]}
 */
function placesOf({bends, thickness, width}) {
  const middle = (bends.length - 1) / 2;
  const byDistance = bends.map((bend, i) => ({bend, far: Math.abs(i - middle)}))
      .sort((a, b) => a.far - b.far);
  return byDistance.flatMap(({bend}) => rowsOf(bend).flatMap((y) => {
    const range = rangeAt(bend, thickness, y);
    return range ? [{x: range.right + LABEL.gap, y, width},
                    {x: range.left - LABEL.gap - width, y, width}] : [];
  }));
}

/** The base lines between two layers, the middle one first. @param {Bend} bend */
function rowsOf({from, to}) {
  const [top, bottom] = from.y < to.y ? [from.y, to.y - HEAD] :
    [to.y + HEAD, from.y];
  const rows = [];
  for (let y = top + HEIGHT; y + LABEL.descent <= bottom; y += HEIGHT)
    rows.push(y);
  const middle = (top + bottom + HEIGHT) / 2;
  return rows.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

/**
 * Where a line is beside a label with this base line, or null.
 * @param {Bend} bend @param {number} thickness @param {number} y
 */
function rangeAt(bend, thickness, y) {
  const [top, bottom] = bend.from.y < bend.to.y ? [bend.from.y, bend.to.y] :
    [bend.to.y, bend.from.y];
  const [above, below] = [y - LABEL.ascent, y + LABEL.descent];
  if (above >= bottom || below <= top) return null;
  const [a, b] = [xAt(bend, Math.max(top, above)),
                  xAt(bend, Math.min(bottom, below))];
  return {left: Math.min(a, b) - thickness / 2,
          right: Math.max(a, b) + thickness / 2};
}

/** @param {Bend} bend @param {number} y  between its ends */
function xAt({from, to}, y) {
  const STEPS = 16;
  const share = (y - from.y) / (to.y - from.y);
  let [low, high] = [0, 1];
  for (let i = 0; i < STEPS; ++i) {
    const t = (low + high) / 2;
    // The heights and, below, the places of the cubic curve in pathOf().
    if (1.5 * t * (1 - t) + t ** 3 < share) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  return from.x + (to.x - from.x) * (3 * t * t - 2 * t ** 3);
}
