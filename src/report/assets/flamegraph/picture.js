// SPDX-License-Identifier: Apache-2.0
//
// A flame graph that zooms and searches.
import {formatCount} from "../shared/format.js";
import {Bar} from "./bar.js";
import {byId, draw} from "./elements.js";
import {FrameText, NEW} from "./frame_text.js";
import {Labels} from "./labels.js";
import {Tip} from "./tip.js";
/** @import {Values} from "./frame_text.js" */
/** @import {Box, FlameFrames, View} from "./frames.js" */

// Lengths in pixels, as in src/report/flamegraph.cc.
const MARGIN = 10;
const FRAME_HEIGHT = 16;
const GAP = 1;
const TEXT_MARGIN = 3;
const BASELINE = 11.5;

export class Picture {
  /** @type {Box[]} */
  boxes = [];
  focused = -1;  // index of `boxes`
  #svg;
  #frames;
  #text;
  #labels;
  #tip = new Tip();
  #outline = draw("rect", {id: "focus", visibility: "hidden"});
  #group = byId("frames", SVGGElement);
  /** @type {View} */
  #view;
  /** @type {ReturnType<FlameFrames["search"]>|null} */
  #found = null;
  /** @type {Uint8Array|null} */
  #matches = null;  // by label
  /** @type {Map<Element, Box>} */
  #boxOf = new Map();
  #tops = new Float64Array(0);  // of boxes
  #height = 0;

  /** @param {SVGSVGElement} svg @param {FlameFrames} frames */
  constructor(svg, frames) {
    this.#svg = svg;
    this.#frames = frames;
    this.#text = new FrameText(frames.data.unit, frames.isComparison);
    this.#labels = new Labels(frames);
    this.#view = {roots: [0], rest: [], side: frames.data.side};
    this.bar = new Bar(frames.isComparison);
    byId("header", SVGGElement).replaceWith(this.bar.element);
    svg.append(this.#outline, this.#tip.element);
    this.#group.after(this.bar.element);
    this.#listen();
    this.show();
    this.#scrollToFirst();
  }

  #listen() {
    const {searchButton, resetButton, sideButton, input} = this.bar;
    this.#group.addEventListener("pointermove", (event) => {
      const box = this.#boxAt(event);
      if (box) this.#showTip(box, event.pageX, event.pageY);
      else this.#tip.hide();
    });
    this.#group.addEventListener("pointerleave", () => this.#tip.hide());
    this.#group.addEventListener("click", (event) =>
      this.zoomIn(this.#boxAt(event)));
    input.addEventListener("input", () => this.search(input.value));
    searchButton.addEventListener("click", () => this.startSearch());
    resetButton.addEventListener("click", () => this.zoomTo([0]));
    sideButton.addEventListener("click", () => this.switchSides());
    window.addEventListener("scroll", () => this.bar.followScroll());
    window.addEventListener("resize", () => this.show());
  }

  /** @param {Event} event */
  #boxAt({target}) {
    return target instanceof Element ? this.#boxOf.get(target) : undefined;
  }

  get isInverted() {
    return this.#frames.data.inverted;
  }

  // ---- boxes

  show() {
    this.#tip.hide();
    this.#updateBar();
    const {least, levels: mostLevels} = this.#frames.data;
    const width = this.#width();
    const top = this.bar.fit(width);
    this.boxes = this.#frames.boxesOf({
      ...this.#view, width: width - 2 * MARGIN, least, levels: mostLevels});
    const levels =
        this.boxes.reduce((most, box) => Math.max(most, box.level), 0) + 1;
    this.#height = top + levels * FRAME_HEIGHT + MARGIN;
    this.#tops = Float64Array.from(this.boxes, ({level}) => top +
        (this.isInverted ? level : levels - 1 - level) * FRAME_HEIGHT);
    this.#boxOf.clear();
    this.#group.replaceChildren(
        ...this.boxes.flatMap((box, i) => this.#draw(box, this.#tops[i])));
    this.#group.classList.toggle("searching", this.#found !== null);
    this.#svg.setAttribute("height", String(this.#height));
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${this.#height}`);
  }

  #updateBar() {
    const {roots, side} = this.#view;
    const {total} = this.#frames;
    const {resetButton, sideButton, result} = this.bar;
    resetButton.disabled = roots[0] === 0;
    sideButton.textContent = `Widths: ${side === NEW ? "after" : "before"}`;
    sideButton.disabled = total[1 - side][0] === 0;
    result.textContent = this.#found === null ? "" : `Matched: ${
      this.#detailsOf(this.#found.values)}; ${
      formatCount(this.#found.frames, "frame")}`;
  }

  // The width of the picture: that of the window, unless the user chose it.
  #width() {
    if (this.#frames.data.fixed) return this.#svg.viewBox.baseVal.width;
    this.#svg.setAttribute("width", "100%");
    return Math.max(200, this.#svg.getBoundingClientRect().width);
  }

  /** @param {Box} box @param {number} y */
  #draw(box, y) {
    const place = {x: (MARGIN + box.x).toFixed(2), y,
                   width: box.width.toFixed(2), height: FRAME_HEIGHT - GAP};
    const color = this.#isMatch(box) ? "match" : this.#frames.colorOf(box);
    const rect = draw("rect",
        {class: box.isCaller ? `${color} caller` : color, ...place});
    this.#boxOf.set(rect, box);
    /** @type {SVGElement[]} */
    const drawn = [rect];
    const overlay = box.kind !== "frame" ? "folded" :
      this.#frames.isNew(box.values) ? "new" : "";
    if (overlay !== "") drawn.push(draw("rect", {class: overlay, ...place}));
    const label = this.#labels.textOf(box, box.width - 2 * TEXT_MARGIN);
    if (label === "") return drawn;
    const isOwn = box.kind === "frame" && this.#frames.isOwn(box.frame);
    drawn.push(draw("text", {
      x: (MARGIN + box.x + TEXT_MARGIN).toFixed(2), y: y + BASELINE,
      ...(isOwn ? {class: "own"} : {}),
    }, label));
    return drawn;
  }

  /** @param {Box} box */
  #isMatch(box) {
    const {label, end} = this.#frames;
    if (this.#found === null) return false;
    if (box.kind === "frame")
      return label[box.frame] >= 0 && this.#matches?.[label[box.frame]] === 1;
    const {isIn} = this.#found;
    return box.hidden.some((i) => isIn(i, end[i]));
  }

  // The frames grow away from the first one, which should be in sight.
  #scrollToFirst() {
    window.scrollTo(0, this.isInverted ? 0 : this.#height);
    this.bar.followScroll();
  }

  // ---- what is known about a box

  /** @param {Values} values */
  #detailsOf(values) {
    const {side} = this.#view;
    return this.#text.details(values, this.#frames.total[side][0], side);
  }

  /** @param {Box} box @param {number} x @param {number} y */
  #showTip(box, x, y) {
    const facts = {
      name: this.#labels.nameOf(box), details: this.#detailsOf(box.values),
      module: box.kind === "frame" ? this.#frames.moduleOf(box.frame) : "",
    };
    this.#tip.show(facts, {x, y},
                   {width: this.#svg.viewBox.baseVal.width, margin: MARGIN,
                    frameHeight: FRAME_HEIGHT});
  }

  /** Of the keyboard. @param {number} index  of `boxes`; -1: nowhere */
  focus(index) {
    this.focused = index;
    const box = this.boxes[index];
    this.#outline.setAttribute("visibility", box ? "visible" : "hidden");
    if (!box) return this.#tip.hide();
    const y = this.#tops[index];
    const place = {x: MARGIN + box.x, y, width: box.width,
                   height: FRAME_HEIGHT - GAP};
    for (const [name, value] of Object.entries(place))
      this.#outline.setAttribute(name, String(value));
    const top = this.bar.element.height.baseVal.value;
    if (y < window.scrollY + top)
      window.scrollTo(0, y - top - FRAME_HEIGHT);
    else if (y + 2 * FRAME_HEIGHT > window.scrollY + window.innerHeight)
      window.scrollTo(0, y + 6 * FRAME_HEIGHT - window.innerHeight);
    this.#showTip(box, MARGIN + box.x, y);
  }

  // ---- zoom, search, sides

  /** @param {number[]} roots @param {number[]} [rest] */
  zoomTo(roots, rest = []) {
    const isVisible =
        this.#frames.sumOf(roots).total[this.#view.side] > 0;
    this.#view.roots = isVisible ? roots : [0];
    this.#view.rest = isVisible ? rest : [];
    this.show();
    this.focus(-1);
    this.#scrollToFirst();
  }

  /**
   * Others fill the width together. They may not be visible on this side, or
   * not be in the file.
   * @param {Box|undefined} box
   */
  zoomIn(box) {
    if (!box) return;
    const {others, total} = this.#frames;
    const hidden = box.kind !== "others" ? [] : box.hidden.filter((i) =>
      others[i] === 0 && total[this.#view.side][i] > 0);
    if (hidden.length === 0) this.zoomTo([box.frame]);
    else this.#zoomToLargest(hidden);
  }

  /**
   * If most of these frames are too thin even if they fill the width, zooms to
   * the largest ones.
   * @param {number[]} hidden
   */
  #zoomToLargest(hidden) {
    const LEAST_WIDTH = 4;
    const {side} = this.#view;
    const {least} = this.#frames.data;
    const total = this.#frames.total[side];
    const width = this.#svg.viewBox.baseVal.width - 2 * MARGIN;
    const whole = this.#frames.sumOf(hidden).total[side];
    const seen = hidden.filter((i) => total[i] * width / whole >= least);
    if (this.#frames.sumOf(seen).total[side] >= whole / 2)
      return this.zoomTo(hidden);
    const room = Math.ceil(width / Math.max(LEAST_WIDTH, 2 * least));
    const bySize = [...hidden].sort((i, j) => total[j] - total[i]);
    this.zoomTo(bySize.slice(0, room).sort((i, j) => i - j),
                bySize.slice(room));
  }

  zoomOut() {
    this.zoomTo([this.#frames.parent[this.#view.roots[0]]]);
  }

  startSearch() {
    this.bar.input.focus();
    this.bar.input.select();
  }

  /** @param {string} pattern */
  search(pattern) {
    const expression = compile(pattern);
    this.bar.input.classList.toggle("wrong", expression === null);
    this.#matches = pattern === "" || expression === null ? null :
      this.#frames.matchLabels(expression);
    this.#found =
        this.#matches === null ? null : this.#frames.search(this.#matches);
    this.show();
    if (expression === null)
      this.bar.result.textContent = "Not a regular expression";
  }

  clearSearch() {
    this.bar.input.value = "";
    this.search("");
    this.bar.input.blur();
  }

  /** Ends the search or, if there is none, the zoom. */
  escape() {
    if (this.#found === null) this.zoomTo([0]);
    else this.clearSearch();
  }

  switchSides() {
    if (this.bar.sideButton.disabled) return;
    this.#view.side = 1 - this.#view.side;
    this.zoomTo(this.#view.roots, this.#view.rest);
  }
}

/**
 * As in many tools, capital letters make a search case-sensitive.
 * @param {string} pattern
 */
function compile(pattern) {
  try {
    return new RegExp(pattern, /[A-Z]/.test(pattern) ? "u" : "iu");
  } catch {
    return null;
  }
}
