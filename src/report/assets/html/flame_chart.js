// SPDX-License-Identifier: Apache-2.0
//
// A flame graph that scrolls: a canvas as large as its window stays in view
// while an empty element as tall as the whole graph scrolls below it.
import {element} from "./dom.js";
import {FlameKeys} from "./flame_keys.js";
import {FlameLayout} from "./flame_layout.js";
import {FRAME_FONT, FlamePainter, ROW_PIXELS,
        contextOf} from "./flame_painter.js";
import {FlamePointer} from "./flame_pointer.js";
import {currentPalette, scheme} from "./scheme.js";
import {SvgContext} from "./svg_context.js";
import {spanOfText, textOfSpan} from "./span_text.js";
/** @import {FlameBox, Span} from "./flame_layout.js" */
/** @import {FlameModel} from "./flame_painter.js" */

/**
 * @typedef {object} ChartOptions
 * @property {string} label  for screen readers
 * @property {number} [mostPixels]  the chart is as tall as the graph, up to
 * this height; by default the style sheet says how tall it is
 * @property {boolean} [hidesRoot]  only in a chart that is flipped
 * @property {(node: number) => void} zoom  called when the user zooms to a node
 * @property {(span: string) => void} move  called with the part of the width
 *     that is shown after a free zoom; it is to be given to show()
 * @property {(node: number) => void} select  called when the user selects one
 * @property {(node: number, event: MouseEvent) => void} [openMenu]
 * @property {(key: string) => boolean} [pressKey]  other keys; true: handled
 */

export class FlameChart {
  /** @type {FlameModel|null} */
  model = null;
  /** @type {FlameLayout|null} */
  layout = null;
  /** @type {Span} */
  #span = {start: 0, size: 1};
  /** @type {FlameBox[]} */
  #boxes = [];
  #width = 0;  // for which boxes were placed
  #height = 0;  // of the window, as it was painted
  #bottom = 0;  // where the root ends if the graph is flipped
  #zoomed = 0;
  #spanText = "";
  #selected = -1;
  #isFlipped = false;
  #pendingPaint = 0;
  #painter;

  /** @param {ChartOptions} options */
  constructor(options) {
    this.options = options;
    this.canvas = element("canvas", {
      tabindex: "0", role: "application", "aria-label": options.label,
      "aria-roledescription": "flame graph",
    });
    this.space = element("div", {class: "chart-space"}, this.canvas);
    this.element = element("div", {class: "chart"}, this.space);
    this.#painter = FlamePainter.of(this.canvas);
    this.element.addEventListener("scroll", () => this.#paintSoon());
    new ResizeObserver(() => this.#resize()).observe(this.element);
    new FlamePointer(this);
    this.keys = new FlameKeys(this);
  }

  /**
   * Shows a graph.
   * @param {FlameModel} model
   * @param {{zoomed: number, selected: number, isFlipped: boolean,
   *          span: string}} view
   */
  show(model, {zoomed, selected, isFlipped, span}) {
    while (!(model.sizes[zoomed] > 0) && zoomed !== 0)
      zoomed = model.tree.parent[zoomed];
    const isSame = this.model === model && this.#zoomed === zoomed &&
        this.#isFlipped === isFlipped && this.#spanText === span;
    if (this.model !== model || !this.layout)
      this.layout = new FlameLayout(model.tree, model.sizes);
    this.model = model;
    this.#selected = selected;
    this.#zoomed = zoomed;
    this.#isFlipped = isFlipped;
    if (isSame) return this.#paintSoon();
    this.#spanText = span;
    this.#span = spanOfText(span, model.sizes[0]) ??
        this.layout.spanOf(this.#zoomed);
    this.#place();
    this.reveal(this.#zoomed);
    this.#paintSoon();
  }

  get selected() {
    return this.#selected;
  }

  get zoomed() {
    return this.#zoomed;
  }

  get isFlipped() {
    return this.#isFlipped;
  }

  /** @param {number} node */
  isShown(node) {
    return this.#boxes.some((box) =>
      box.node === node && box.folded.length === 0);
  }

  /** Scrolls until a node can be seen. @param {number} node */
  reveal(node) {
    const MARGIN = 2 * ROW_PIXELS;
    const {depth} = /** @type {FlameModel} */ (this.model).tree;
    const {scrollTop, clientHeight} = this.element;
    const top = this.#isFlipped ?
      this.#bottom - (depth[node] + 1) * ROW_PIXELS : depth[node] * ROW_PIXELS;
    const isVisible =
        top >= scrollTop && top + ROW_PIXELS <= scrollTop + clientHeight;
    if (node === 0) this.element.scrollTop = this.#isFlipped ? top : 0;
    else if (!isVisible)
      this.element.scrollTop = this.#isFlipped ?
        top - clientHeight + ROW_PIXELS + MARGIN : top - MARGIN;
  }

  /**
   * The box at a place of the canvas.
   * @param {number} x @param {number} y
   * @returns {FlameBox|null}
   */
  boxAt(x, y) {
    const place = y + this.element.scrollTop;
    const level = this.#isFlipped ?
      Math.ceil((this.#bottom - place) / ROW_PIXELS) - 1 :
      Math.floor(place / ROW_PIXELS);
    return this.#boxes.find((box) =>
      box.level === level && x >= box.x && x < box.x + box.width) ?? null;
  }

  /**
   * Zooms so that what is at `from` comes to `to`; by default, it stays.
   * @param {number} factor
   * @param {number} from @param {number} [to]  in pixels
   */
  zoomBy(factor, from, to = from) {
    if (!this.model) return;
    const whole = this.model.sizes[0];
    const size = Math.min(whole, Math.max(whole * 1e-9,
                                          this.#span.size / factor));
    const {clientWidth} = this.canvas;
    this.#moveTo(this.#span.start + from / clientWidth * this.#span.size -
      to / clientWidth * size, size);
  }

  /** Zooms until a box fills the width. @param {FlameBox} box */
  fill({x, width}) {
    const {start, size} = this.#span;
    const {clientWidth} = this.canvas;
    this.#moveTo(start + x / clientWidth * size, width / clientWidth * size);
  }

  /** @param {number} pixels  to the right */
  pan(pixels) {
    const {start, size} = this.#span;
    this.#moveTo(start + pixels * size / this.canvas.clientWidth, size);
  }

  /** @param {number} start @param {number} size */
  #moveTo(start, size) {
    const whole = this.model?.sizes[0] ?? 0;
    if (whole === 0) return;
    this.#span = {start: Math.min(Math.max(0, start), whole - size), size};
    const isAll = this.#zoomed === 0 && size >= whole;
    this.#spanText = isAll ? "" : textOfSpan(this.#span, whole);
    this.options.move(this.#spanText);
    this.#layoutSoon();
  }

  // Observers are also called at the start, when the graph is there already.
  #resize() {
    const {clientWidth, clientHeight} = this.element;
    if (clientWidth !== this.#width || clientHeight !== this.#height)
      this.#layoutSoon();
  }

  #layoutSoon() {
    this.#soon(() => {
      this.#place();
      this.#paint();
    });
  }

  #paintSoon() {
    this.#soon(() => this.#paint());
  }

  /** @param {() => void} work */
  #soon(work) {
    cancelAnimationFrame(this.#pendingPaint);
    this.#pendingPaint = requestAnimationFrame(work);
  }

  // The height of a chart that fits its graph is kept while zooming, so that
  // the page below it does not jump.
  #place() {
    const width = this.element.clientWidth;
    if (!this.layout || width === 0) return;
    this.#width = width;
    this.#boxes = this.layout.boxes(this.#span, width);
    const {scrollHeight, scrollTop} = this.element;
    const belowWindow = scrollHeight - scrollTop - this.#height;
    const {mostPixels} = this.options;
    const {height, hidden} = this.#heightOf(this.#boxes);
    if (mostPixels !== undefined && this.#span.size === this.layout.sizes[0])
      this.element.style.height = `${Math.min(height, mostPixels) + 2}px`;
    const whole = Math.max(height, this.element.clientHeight);
    this.space.style.height = `${whole}px`;
    this.#bottom = whole + hidden;
    if (this.#isFlipped)
      this.element.scrollTop =
          this.element.scrollHeight - belowWindow - this.element.clientHeight;
  }

  /** Of all levels. @param {FlameBox[]} boxes */
  #heightOf(boxes) {
    const hidden = this.options.hidesRoot ? ROW_PIXELS : 0;
    let levels = 1;
    for (const box of boxes) levels = Math.max(levels, box.level + 1);
    return {height: levels * ROW_PIXELS - hidden, hidden};
  }

  #paint() {
    if (!this.model || this.element.clientWidth === 0) return;
    if (scheme.isPrinting) return this.#paintForPaper();
    // There may be a scroll bar since boxes were placed.
    if (this.element.clientWidth !== this.#width) this.#place();
    const look = {
      width: this.element.clientWidth, height: this.element.clientHeight,
      scroll: this.element.scrollTop, bottom: this.#bottom,
      isFlipped: this.#isFlipped, zoomed: this.#zoomed,
      selected: this.#selected, ratio: window.devicePixelRatio,
    };
    this.#height = look.height;
    this.canvas.style.width = `${look.width}px`;
    this.canvas.style.height = `${look.height}px`;
    this.#painter.paint(this.#boxes, this.model, look, currentPalette());
  }

  // The style sheet makes the canvas as wide as the paper.
  #paintForPaper() {
    const [WIDTH, MOST_HEIGHT, SHARP] = [720, 900, 3];
    this.#paintAll(this.#painter, WIDTH, MOST_HEIGHT, SHARP);
  }

  /**
   * Paints what is shown with all levels that there is room for.
   * @param {FlamePainter} painter @param {number} width
   * @param {number} mostHeight @param {number} ratio
   */
  #paintAll(painter, width, mostHeight, ratio) {
    const {model, layout} = this;
    if (!model || !layout) return;
    const boxes = layout.boxes(this.#span, width);
    const {height, hidden} = this.#heightOf(boxes);
    const shown = Math.min(height, mostHeight);
    painter.paint(boxes, model, {
      width, height: shown, scroll: 0, bottom: shown + hidden,
      isFlipped: this.#isFlipped, zoomed: this.#zoomed, selected: -1, ratio,
    }, currentPalette());
  }

  /** What is shown as a picture of shapes. @param {string} title */
  svgPicture(title) {
    const measure = contextOf(document.createElement("canvas"));
    measure.font = FRAME_FONT;
    const context = new SvgContext(measure);
    this.#paintAll(new FlamePainter(context), this.#pictureWidth, Infinity, 1);
    return context.toText(title, currentPalette().line);
  }

  /** @returns {Promise<Blob|null>} what is shown as a PNG file */
  pngPicture() {
    const MOST_PIXELS = 16_000;  // of a side: browsers have limits
    const SHARP = 2;
    const canvas = document.createElement("canvas");
    this.#paintAll(FlamePainter.of(canvas), this.#pictureWidth,
                   MOST_PIXELS / SHARP, SHARP);
    return new Promise((resolve) => canvas.toBlob(resolve));
  }

  get #pictureWidth() {
    const LEAST = 800;
    return Math.max(LEAST, this.element.clientWidth);
  }

  /** Paints again, in the colours that now apply, for the screen or paper. */
  repaint() {
    this.#place();
    this.#paint();
  }
}
