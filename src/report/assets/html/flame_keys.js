// SPDX-License-Identifier: Apache-2.0
//
// The keys of a flame graph: arrows select frames, Enter zooms.
/** @import {FlameChart} from "./flame_chart.js" */

export class FlameKeys {
  #chart;

  /** @param {FlameChart} chart */
  constructor(chart) {
    this.#chart = chart;
    chart.canvas.addEventListener("keydown", (event) => this.handle(event));
  }

  /** @param {KeyboardEvent} event */
  handle(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {pressKey} = this.#chart.options;
    if (this.#press(event.key) || pressKey?.(event.key)) event.preventDefault();
  }

  /** @param {string} key  returns true if it means something */
  #press(key) {
    const STEP = 0.1;  // of the width
    const FACTOR = 1.4;
    const chart = this.#chart;
    const width = chart.canvas.clientWidth;
    switch (key) {
      case "ArrowUp":
      case "ArrowDown":
        this.#selectLevel((key === "ArrowDown") !== chart.isFlipped);
        return true;
      case "ArrowLeft":
        this.#selectSibling(-1);
        return true;
      case "ArrowRight":
        this.#selectSibling(1);
        return true;
      case "Enter":
        chart.options.zoom(Math.max(0, chart.selected));
        return true;
      case "Backspace":
        this.#zoomToCaller();
        return true;
      case "0":
      case "Escape":
        chart.options.zoom(0);
        return true;
      case "+":
      case "=":
        chart.zoomBy(FACTOR, width / 2);
        return true;
      case "-":
        chart.zoomBy(1 / FACTOR, width / 2);
        return true;
      case "<":
        chart.pan(-STEP * width);
        return true;
      case ">":
        chart.pan(STEP * width);
        return true;
      default:
        return false;
    }
  }

  #zoomToCaller() {
    const {model, zoomed, options} = this.#chart;
    if (model && zoomed !== 0) options.zoom(model.tree.parent[zoomed]);
  }

  /** To the largest child, or to the parent. @param {boolean} isDeeper */
  #selectLevel(isDeeper) {
    const {layout, selected, zoomed} = this.#chart;
    if (!layout) return;
    if (selected < 0) return this.#select(zoomed);
    if (!isDeeper) return this.#select(layout.tree.parent[selected]);
    const [largest] = layout.childrenBySize(selected);
    if (largest !== undefined) this.#select(largest);
  }

  /** @param {1|-1} step */
  #selectSibling(step) {
    const {layout, selected} = this.#chart;
    if (!layout || selected <= 0) return;
    const siblings = layout.childrenBySize(layout.tree.parent[selected]);
    const next = siblings[siblings.indexOf(selected) + step];
    if (next !== undefined) this.#select(next);
  }

  /** @param {number} node */
  #select(node) {
    this.#chart.options.select(node);
    if (!this.#chart.isShown(node)) this.#chart.options.zoom(node);
    this.#chart.reveal(node);
  }
}
