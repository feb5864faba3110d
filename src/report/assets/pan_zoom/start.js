// SPDX-License-Identifier: Apache-2.0
//
// Moves and zooms a picture that is opened by itself in a browser: by dragging
// and the wheel, or by the arrow keys, "+", "-" and "0", which shows all of it.
// Only the size and the viewBox of the <svg> element change. Without this
// script, and inside another page, the whole picture is there in its own size.

const PIXELS_PER_POINT = 4 / 3;
const LARGEST_SCALE = 8 * PIXELS_PER_POINT;
const KEY_ZOOM = 1.25;
const WHEEL_PIXELS_TO_DOUBLE = 300;
const KEY_MOVE = 0.1;  // of the width or height of the window

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

class PanZoom {
  #svg;
  #whole;  // in points, as everything in the file
  // The point in the middle of the window, and pixels per point.
  #view = {x: 0, y: 0, scale: 1};
  /** @type {{x: number, y: number}|null} */
  #dragged = null;  // the last position of the pointer that is down

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.#svg = svg;
    const {x, y, width, height} = svg.viewBox.baseVal;
    this.#whole = {x, y, width, height};
    svg.setAttribute("width", "100%");
    svg.setAttribute("height", "100%");
    svg.style.cursor = "grab";
    svg.style.userSelect = "none";
    this.#showAll();
    this.#listen();
  }

  #listen() {
    const svg = this.#svg;
    svg.addEventListener("wheel", (event) => this.#onWheel(event),
                         {passive: false});
    svg.addEventListener("pointerdown", (event) => this.#onPress(event));
    svg.addEventListener("pointermove", (event) => this.#onDrag(event));
    svg.addEventListener("pointerup", () => this.#onRelease());
    svg.addEventListener("pointercancel", () => this.#onRelease());
    window.addEventListener("resize", () => this.#show());
    document.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey)
        this.#pressKey(event.key);
    });
  }

  // The scale at which all is visible, without making a small picture larger.
  /** @param {DOMRect} box */
  #smallestScale(box) {
    return Math.min(box.width / this.#whole.width,
                    box.height / this.#whole.height, PIXELS_PER_POINT);
  }

  // Shows the view, corrected so that the picture cannot get lost.
  #show() {
    const box = this.#svg.getBoundingClientRect();
    const [view, whole] = [this.#view, this.#whole];
    view.scale = clamp(view.scale, this.#smallestScale(box), LARGEST_SCALE);
    view.x = clamp(view.x, whole.x, whole.x + whole.width);
    view.y = clamp(view.y, whole.y, whole.y + whole.height);
    const width = box.width / view.scale;
    const height = box.height / view.scale;
    this.#svg.setAttribute(
        "viewBox",
        [view.x - width / 2, view.y - height / 2, width, height].join(" "));
  }

  #showAll() {
    const {x, y, width, height} = this.#whole;
    this.#view = {x: x + width / 2, y: y + height / 2, scale: 0};
    this.#show();
  }

  // Moves the window over the picture, by pixels.
  /** @param {number} right @param {number} down */
  #move(right, down) {
    this.#view.x += right / this.#view.scale;
    this.#view.y += down / this.#view.scale;
    this.#show();
  }

  /**
   * Zooms so that the point of the picture at `left` and `top`, pixels in the
   * window, stays where it is.
   * @param {number} factor @param {number} left @param {number} top
   */
  #zoom(factor, left, top) {
    const view = this.#view;
    const box = this.#svg.getBoundingClientRect();
    const scale =
        clamp(view.scale * factor, this.#smallestScale(box), LARGEST_SCALE);
    const shift = 1 / view.scale - 1 / scale;
    view.x += (left - box.width / 2) * shift;
    view.y += (top - box.height / 2) * shift;
    view.scale = scale;
    this.#show();
  }

  /** @param {string} key */
  #pressKey(key) {
    const {width, height} = this.#svg.getBoundingClientRect();
    switch (key) {
      case "+":
      case "=":
        return this.#zoom(KEY_ZOOM, width / 2, height / 2);
      case "-":
        return this.#zoom(1 / KEY_ZOOM, width / 2, height / 2);
      case "0":
        return this.#showAll();
      case "ArrowLeft":
        return this.#move(-width * KEY_MOVE, 0);
      case "ArrowRight":
        return this.#move(width * KEY_MOVE, 0);
      case "ArrowUp":
        return this.#move(0, -height * KEY_MOVE);
      case "ArrowDown":
        return this.#move(0, height * KEY_MOVE);
    }
  }

  /** @param {WheelEvent} event */
  #onWheel(event) {
    event.preventDefault();
    const LINE = 16;
    const {DOM_DELTA_LINE, DOM_DELTA_PAGE} = WheelEvent;
    const unit = event.deltaMode === DOM_DELTA_LINE ? LINE :
      event.deltaMode === DOM_DELTA_PAGE ?
        this.#svg.getBoundingClientRect().height : 1;
    this.#zoom(2 ** (-event.deltaY * unit / WHEEL_PIXELS_TO_DOUBLE),
               event.clientX, event.clientY);
  }

  // A touch screen moves and zooms the page itself.
  /** @param {PointerEvent} event */
  #onPress(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    this.#dragged = {x: event.clientX, y: event.clientY};
    this.#svg.setPointerCapture(event.pointerId);
    this.#svg.style.cursor = "grabbing";
  }

  /** @param {PointerEvent} event */
  #onDrag(event) {
    if (this.#dragged === null) return;
    this.#move(this.#dragged.x - event.clientX,
               this.#dragged.y - event.clientY);
    this.#dragged = {x: event.clientX, y: event.clientY};
  }

  #onRelease() {
    this.#dragged = null;
    this.#svg.style.cursor = "grab";
  }
}

const svg = document.documentElement;
if (/** @type {unknown} */ (svg) instanceof SVGSVGElement &&
    document.currentScript?.parentNode === svg)
  new PanZoom(svg);
