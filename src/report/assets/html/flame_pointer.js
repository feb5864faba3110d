// SPDX-License-Identifier: Apache-2.0
//
// What mouse, pen and fingers do on a flame graph: click to zoom, drag to move,
// Ctrl and the wheel or two fingers to zoom, hover for a tooltip.
import {element} from "./dom.js";
import {formatCount} from "../shared/format.js";
import {tooltip} from "./tooltip.js";
/** @import {FlameChart} from "./flame_chart.js" */

export class FlamePointer {
  static LEAST_DRAG = 4;  // pixels; less is a click
  #chart;
  /** @type {{x: number, y: number, isDrag: boolean}|null} */
  #pressed = null;
  /** @type {Map<number, number>} by id: where fingers are */
  #fingers = new Map();

  /** @param {FlameChart} chart */
  constructor(chart) {
    this.#chart = chart;
    const {canvas} = chart;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#release(event));
    canvas.addEventListener("pointercancel", (event) => this.#lift(event));
    canvas.addEventListener("pointerleave", () => tooltip.hide());
    canvas.addEventListener("contextmenu", (event) => this.#menu(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event),
                            {passive: false});
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0) return;
    if (event.pointerType === "touch")
      this.#fingers.set(event.pointerId, event.clientX);
    this.#pressed = {x: event.clientX, y: event.clientY,
                     isDrag: this.#fingers.size > 1};
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#fingers.size > 1) return this.#pinch(event);
    const pressed = this.#pressed;
    if (!pressed) return this.#hover(event);
    const [right, down] =
        [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!pressed.isDrag) {
      if (Math.hypot(right, down) < FlamePointer.LEAST_DRAG) return;
      pressed.isDrag = true;
      tooltip.hide();
      this.#chart.canvas.setPointerCapture(event.pointerId);
    }
    this.#chart.pan(-right);
    // A finger scrolls the chart itself.
    if (event.pointerType !== "touch") this.#chart.element.scrollTop -= down;
    [pressed.x, pressed.y] = [event.clientX, event.clientY];
  }

  // What is between the two fingers stays there.
  /** @param {PointerEvent} event */
  #pinch(event) {
    const LEAST_PIXELS = 8;  // fingers above each other do not zoom
    const look = () => {
      const [left, right] = [...this.#fingers.values()].sort((a, b) => a - b);
      return {middle: (left + right) / 2,
              size: Math.max(LEAST_PIXELS, right - left)};
    };
    const before = look();
    this.#fingers.set(event.pointerId, event.clientX);
    const after = look();
    const {left} = this.#chart.canvas.getBoundingClientRect();
    this.#chart.zoomBy(after.size / before.size, before.middle - left,
                       after.middle - left);
  }

  /** @param {PointerEvent} event */
  #lift(event) {
    this.#fingers.delete(event.pointerId);
    this.#pressed = null;
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const isClick = this.#pressed !== null && !this.#pressed.isDrag;
    this.#lift(event);
    if (!isClick) return;
    const box = this.#chart.boxAt(event.offsetX, event.offsetY);
    if (!box) return;
    tooltip.hide();
    if (box.folded.length > 0) return this.#chart.fill(box);
    this.#chart.options.select(box.node);
    this.#chart.options.zoom(box.node);
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    if (event.pointerType === "touch") return;
    const box = this.#chart.boxAt(event.offsetX, event.offsetY);
    const {model, canvas} = this.#chart;
    canvas.style.cursor = box ? "pointer" : "";
    if (!box || !model) return tooltip.hide();
    tooltip.show(event.clientX, event.clientY, (tip) => {
      if (box.folded.length === 0) return model.describe(box.node, tip);
      tip.append(
          element("b", {}, formatCount(box.folded.length, "smaller frame")),
          element("span", {}, model.amountOf(box.folded)));
    });
  }

  /** @param {MouseEvent} event */
  #menu(event) {
    const {openMenu, select} = this.#chart.options;
    const box = this.#chart.boxAt(event.offsetX, event.offsetY);
    if (!box || !openMenu || event.shiftKey) return;
    event.preventDefault();
    tooltip.hide();
    select(box.node);
    openMenu(box.node, event);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const PIXELS_TO_DOUBLE = 240;
    const PIXELS_PER_LINE = 16;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ?
      PIXELS_PER_LINE : 1;
    const [right, down] = [event.deltaX * unit, event.deltaY * unit];
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#chart.zoomBy(2 ** (-down / PIXELS_TO_DOUBLE), event.offsetX);
    } else if (event.shiftKey || Math.abs(right) > Math.abs(down)) {
      event.preventDefault();
      this.#chart.pan(right === 0 ? down : right);
    }
    tooltip.hide();
  }
}
