// SPDX-License-Identifier: Apache-2.0
//
// Files of a picture that the page shows as SVG, with its colours. Its shapes
// are paths, rectangles and texts, without transformations.
import {svgElement} from "./dom.js";
import {contextOf} from "./flame_painter.js";
import {printable} from "./svg_context.js";

const FONT = "system-ui, sans-serif";
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray",
                "stroke-linejoin", "opacity", "paint-order", "font-size",
                "font-weight", "text-anchor"];
const SHAPES = "path, rect, text";

/** @param {Element} picture  "viewBox" says how large it is */
function viewBoxOf(picture) {
  const [x, y, width, height] =
    (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return {x, y, width, height};
}

/** @param {SVGElement} picture @param {string} title */
export function standalonePicture(picture, title) {
  const {x, y, width, height} = viewBoxOf(picture);
  const shapes = [...picture.querySelectorAll(SHAPES)].map((shape) => {
    const copy = /** @type {Element} */ (shape.cloneNode(true));
    for (const name of ["class", "tabindex", "role"]) copy.removeAttribute(name);
    const style = getComputedStyle(shape);
    for (const name of STYLES)
      copy.setAttribute(name, style.getPropertyValue(name));
    if (copy.tagName === "text")
      copy.textContent = printable(copy.textContent ?? "");
    return copy;
  });
  const made = svgElement(
      "svg", {width, height, viewBox: `${x} ${y} ${width} ${height}`,
              "font-family": FONT},
      svgElement("title", {}, printable(title)),
      svgElement("rect", {x, y, width, height, fill: pageColor()}), ...shapes);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    new XMLSerializer().serializeToString(made)}\n`;
}

/** Null: it is too large. @param {SVGElement} picture @returns {Promise<Blob|null>} */
export function paintedPicture(picture) {
  const MOST_PIXELS = 16_000;  // of a side: browsers have limits
  const SHARP = 2;
  const {x, y, width, height} = viewBoxOf(picture);
  const scale = Math.min(SHARP, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const context = contextOf(canvas);
  context.scale(scale, scale);
  context.translate(-x, -y);
  context.fillStyle = pageColor();
  context.fillRect(x, y, width, height);
  for (const shape of picture.querySelectorAll(SHAPES)) paint(shape, context);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

function pageColor() {
  return getComputedStyle(document.body).backgroundColor;
}

/** @param {Element} shape @param {CanvasRenderingContext2D} context */
function paint(shape, context) {
  const style = getComputedStyle(shape);
  const number = (/** @type {string} */ name) =>
    Number(shape.getAttribute(name) ?? 0);
  context.globalAlpha = Number(style.opacity);
  context.lineWidth = parseFloat(style.strokeWidth);
  context.lineJoin = style.strokeLinejoin === "round" ? "round" : "miter";
  context.setLineDash(style.strokeDasharray === "none" ? [] :
    style.strokeDasharray.split(/[\s,]+/).map(parseFloat));
  [context.fillStyle, context.strokeStyle] = [style.fill, style.stroke];
  const [hasFill, hasStroke] =
    [style.fill !== "none", style.stroke !== "none"];
  if (shape.tagName === "text") {
    const text = shape.textContent ?? "";
    context.font = `${style.fontWeight} ${style.fontSize} ${FONT}`;
    context.textAlign = style.textAnchor === "middle" ? "center" : "left";
    if (hasStroke) context.strokeText(text, number("x"), number("y"));
    context.fillText(text, number("x"), number("y"));
    return;
  }
  const path = new Path2D(shape.getAttribute("d") ?? undefined);
  if (shape.tagName === "rect")
    path.rect(number("x"), number("y"), number("width"), number("height"));
  if (hasFill) context.fill(path);
  if (hasStroke) context.stroke(path);
}
