// SPDX-License-Identifier: Apache-2.0
//
// What FlamePainter needs of a canvas, for a picture of shapes.
import {svgElement} from "./dom.js";

const NEW = "new";  // id of the pattern

export class SvgContext {
  canvas = {width: 0, height: 0};
  /** @type {string|CanvasGradient|CanvasPattern} */
  fillStyle = "";
  /** @type {string|CanvasGradient|CanvasPattern} */
  strokeStyle = "";
  /** @type {CanvasTextBaseline} */
  textBaseline = "middle";
  /** @type {CanvasDirection} */
  direction = "ltr";
  globalAlpha = 1;
  lineWidth = 1;
  font = "";
  /** @type {SVGElement[]} */
  #shapes = [];
  #measure;

  /** @param {CanvasText} measure  measures the text of the same fonts */
  constructor(measure) {
    this.#measure = measure;
  }

  setTransform() {}

  /** @param {string} text */
  measureText(text) {
    return this.#measure.measureText(text);
  }

  /**
   * The pattern for what is new, whatever the tile.
   * @returns {CanvasPattern|null}
   */
  createPattern() {
    return /** @type {any} */ (`url(#${NEW})`);
  }

  /**
   * @param {number} x @param {number} y
   * @param {number} width @param {number} height
   */
  fillRect(x, y, width, height) {
    this.#add("rect", {x, y, width, height, fill: String(this.fillStyle)});
  }

  /**
   * @param {number} x @param {number} y
   * @param {number} width @param {number} height
   */
  strokeRect(x, y, width, height) {
    this.#add("rect", {x, y, width, height, fill: "none",
                       stroke: String(this.strokeStyle),
                       "stroke-width": this.lineWidth});
  }

  /**
   * The text is as wide as it was measured, whatever fonts the reader has.
   * @param {string} text @param {number} x @param {number} y
   */
  fillText(text, x, y) {
    const length = this.measureText(text).width;
    this.#add("text", {x, y, fill: String(this.fillStyle),
                       textLength: rounded(length),
                       lengthAdjust: "spacingAndGlyphs"}, printable(text));
  }

  /**
   * @param {string} tag @param {Record<string, string|number>} attributes
   * @param {...string} children
   */
  #add(tag, attributes, ...children) {
    const shape = Object.entries(attributes).map(([name, value]) =>
      [name, typeof value === "number" ? rounded(value) : value]);
    if (this.globalAlpha !== 1) shape.push(["opacity", this.globalAlpha]);
    this.#shapes.push(svgElement(tag, Object.fromEntries(shape), ...children));
  }

  /** @param {string} title @param {string} line  the colour of the pattern */
  toText(title, line) {
    const {width, height} = this.canvas;
    const hatch = svgElement(
        "pattern", {id: NEW, width: 6, height: 6, patternUnits: "userSpaceOnUse",
                    patternTransform: "rotate(45)"},
        svgElement("path", {d: "M0 0V6", stroke: line, "stroke-width": 2,
                            opacity: 0.28}));
    const picture = svgElement(
        "svg", {width, height, viewBox: `0 0 ${width} ${height}`},
        svgElement("title", {}, printable(title)),
        svgElement("defs", {}, hatch),
        svgElement("g", {"font-family": "system-ui, sans-serif",
                         "font-size": 12, "dominant-baseline": "central"},
                   ...this.#shapes));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${
      new XMLSerializer().serializeToString(picture)}\n`;
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Without what XML does not allow. @param {string} text */
export function printable(text) {
  return text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
                      "?");
}
