// SPDX-License-Identifier: Apache-2.0
//
// The tab with the call graph: the most important functions as boxes, and what
// flows between them.
import {callGraph} from "./call_edges.js";
import {button, chooser, element, svgElement} from "./dom.js";
import {arrowHead, bendsOf, pathOf, placeLabels} from "./edge_lines.js";
import {pictureExports} from "./export_menu.js";
import {contextOf} from "./flame_painter.js";
import {comparedAmount} from "./frame_facts.js";
import {layeredLayout} from "./layered_layout.js";
import {fittedName} from "../shared/names.js";
import {formatAmount, formatCell, formatChange, formatShare} from
  "../shared/format.js";
import {paintedPicture, standalonePicture} from "./svg_picture.js";
import {sectionOf} from "./tabs.js";
import {toneOf} from "./tone.js";
/** @import {GraphEdge, GraphNode} from "./call_edges.js" */
/** @import {Bend, PlacedLabel} from "./edge_lines.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Layout, Point} from "./layered_layout.js" */

/**
 * @typedef {object} Arrow
 * @property {GraphEdge} edge
 * @property {Bend[]} bends
 * @property {number} thickness
 * @property {string} text
 * @property {PlacedLabel|null} place  of the text; null: it has no room
 */

const BOX = {width: 230, height: 50, gap: 18, rise: 62};
const MARGIN = 14;
const PADDING = 6;  // of a box
const FONTS = {label: "11px system-ui, sans-serif",
               name: "600 12px system-ui, sans-serif"};
const COUNTS = ["20", "40", "60"];

export class CallGraphTab {
  id = "graph";
  title = "Call graph";
  #report;
  #count = "40";
  #scale = 1;
  #key = "";
  #layout = {width: 0, height: 0};
  #picture = svgElement("svg", {role: "group", "aria-label": "Call graph"});
  #chooser;
  #widthOfLabel = widthIn(FONTS.label);
  #widthOfName = widthIn(FONTS.name);
  #missing = element("p", {class: "missing"}, "There is nothing to show.");

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.#chooser = chooser(
        "Functions", COUNTS.map((value) =>
          ({value, text: `${value} functions`})), (count) => {
          this.#count = count;
          this.update();
        });
    this.#chooser.value = this.#count;
    const zoom = (/** @type {number} */ factor) => () =>
      this.#zoom(this.#scale * factor);
    this.section.append(
        element("div", {class: "controls", role: "group",
                        "aria-label": "Call graph"},
                this.#chooser, button("+", zoom(1.25), {"aria-label": "Larger"}),
                button("−", zoom(0.8), {"aria-label": "Smaller"}),
                button("Fit", () => this.#zoom(this.#fitting))),
        element("p", {class: "hint"},
                "Arrows lead from callers to callees, and are as thick as what " +
                "is held through them. Dotted: functions between them are left " +
                "out. Click a function to see it in the table.",
                report.profile.header.is_comparison ?
                  " Orange: grown; blue: shrunk; grey: unchanged or may be " +
                  "chance." : null),
        this.#missing,
        element("div", {class: "call-graph", tabindex: 0}, this.#picture));
  }

  update() {
    const key = `${this.#report.valuesKey} ${this.#count}`;
    if (key === this.#key) return;
    const isFirst = this.#key === "";
    this.#key = key;
    const {tree, values} = this.#report.graph;
    const {profile} = this.#report;
    const {nodes, edges} = callGraph(
        tree, values, Number(this.#count),
        (label) => !profile.knowsOwn || profile.isOwn(label),
        profile.groupLabels);
    const layout = layeredLayout(nodes.length, edges, BOX);
    this.#layout = layout;
    this.#missing.hidden = nodes.length > 0;
    const all = Math.max(values.total[0], values.baseTotal?.[0] ?? 0);
    const verdicts = this.#verdicts();
    const arrows = this.#arrowsOf(edges, layout, all);
    this.#picture.replaceChildren(
        ...arrows.map((arrow) => this.#arrow(arrow)),
        ...nodes.map((node, i) => this.#box(
            node, layout.boxes[i], all, verdicts.get(node.label) ?? "")),
        ...arrows.flatMap(({text, place}) => place ? [svgElement(
            "text", {class: "edge-label", x: place.x, y: place.y}, text)] : []));
    this.#zoom(isFirst ? Math.max(this.#fitting, 0.85) : this.#scale);
    const first = layout.boxes.find(({y}) => y === BOX.height / 2);
    const view = this.#picture.parentElement;
    if (isFirst && first && view)
      view.scrollLeft =
          (first.x + MARGIN) * this.#scale - view.clientWidth / 2;
  }

  /** The scale at which the whole graph is visible. */
  get #fitting() {
    const {clientWidth, clientHeight} =
      /** @type {Element} */ (this.#picture.parentElement);
    const {width, height} = this.#layout;
    return Math.min(1, clientWidth / (width + 2 * MARGIN),
                    clientHeight / (height + 2 * MARGIN)) || 1;
  }

  /** @param {number} scale */
  #zoom(scale) {
    const [LEAST, MOST] = [0.1, 3];
    this.#scale = Math.min(MOST, Math.max(LEAST, scale));
    const [width, height] = [this.#layout.width + 2 * MARGIN,
                             this.#layout.height + 2 * MARGIN];
    this.#picture.setAttribute(
        "viewBox", `${-MARGIN} ${-MARGIN} ${width} ${height}`);
    this.#picture.setAttribute("width", String(width * this.#scale));
    this.#picture.setAttribute("height", String(height * this.#scale));
  }

  exports() {
    return pictureExports(this.#report, {
      svgPicture: (title) => standalonePicture(this.#picture, title),
      pngPicture: () => paintedPicture(this.#picture),
    }, () => this.#report.graph);
  }

  /**
   * The edges with their lines and labels, the largest first.
   * @param {GraphEdge[]} edges @param {Layout} layout @param {number} all
   * @returns {Arrow[]}
   */
  #arrowsOf(edges, {lines, width}, all) {
    const [THINNEST, THICKEST] = [0.8, 9.8];
    const {metric, isComparison} = this.#report;
    const arrows = edges.map((edge, i) => ({
      edge, bends: bendsOf(lines[i], BOX.height),
      thickness: THINNEST +
        (THICKEST - THINNEST) * (sizeOf(edge) / all || 0),
      text: isComparison ? formatChange(edge.value - edge.base, metric) :
        formatCell(edge.value, metric),
    })).sort((a, b) => sizeOf(b.edge) - sizeOf(a.edge));
    const isLabelled = arrows.map(({edge: {value, base}}) =>
      !isComparison || value !== base);
    const places = placeLabels(
        arrows.filter((_, i) => isLabelled[i]).map((arrow) =>
          ({...arrow, width: this.#widthOfLabel(arrow.text)})), width).values();
    return arrows.map((arrow, i) => ({
      ...arrow, place: isLabelled[i] ? places.next().value ?? null : null}));
  }

  /** @param {Arrow} arrow */
  #arrow({edge: {value, base, skips}, bends, thickness}) {
    const {metric, isComparison} = this.#report;
    const amount = isComparison ?
      comparedAmount(value, base, null, metric) : formatAmount(value, metric);
    return svgElement(
        "g", {class: skips ? "edge skips" : "edge"},
        svgElement("title", {}, amount),
        svgElement("path", {d: pathOf(bends), class: "line",
                            "stroke-width": thickness}),
        svgElement("path", {d: arrowHead(bends), class: "head"}));
  }

  /**
   * By label, "grown" or "shrunk" if sampling does not explain the change.
   * @returns {Map<number, string>}
   */
  #verdicts() {
    const rows = this.#report.isComparison ? this.#report.rows("functions") :
      null;
    if (!rows) return new Map();
    return new Map(rows.selections.map((selection, row) =>
      [Number(selection.slice(1)), toneOf(rows, "total", row)]));
  }

  /**
   * @param {GraphNode} node @param {Point} at @param {number} all
   * @param {string} verdict
   */
  #box(node, {x, y}, all, verdict) {
    const {metric, isComparison, profile, state} = this.#report;
    const {label, self, total, baseSelf, baseTotal} = node;
    const show = () => state.set(this.#report.functionState(label));
    const amount = isComparison ?
      [`total ${formatChange(total - baseTotal, metric)}`,
       ...(self !== baseSelf ?
         [`self ${formatChange(self - baseSelf, metric)}`] : [])] :
      [`total ${formatCell(total, metric)}, ${formatShare(total, all)}`,
       ...(self > 0 ?
         [`self ${formatCell(self, metric)}, ${formatShare(self, all)}`] : [])];
    const [left, top] = [x - BOX.width / 2, y - BOX.height / 2];
    const box = svgElement(
        "g", {class: `node ${isComparison ? verdict : shareTone(self, all)} ${
          profile.frameClass(label)}`, tabindex: 0, role: "link"},
        svgElement("title", {}, [profile.labels[label], profile.placeOf(label),
                                 ...amount].filter((text) => text).join("\n")),
        svgElement("rect", {x: left, y: top, width: BOX.width,
                            height: BOX.height, rx: 4}),
        svgElement("text", {class: "name", x, y: top + 15},
                   this.#fittedName(label)),
        ...amount.map((text, i) => svgElement(
            "text", {x, y: top + 30 + 14 * i}, text)));
    box.addEventListener("click", show);
    box.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") show();
    });
    return box;
  }

  /** @param {number} label */
  #fittedName(label) {
    const LONGEST = 500;  // A name may have a million characters.
    const name = this.#report.profile.shortName(label).slice(-LONGEST);
    return fittedName(name, (text) =>
      this.#widthOfName(text) <= BOX.width - 2 * PADDING);
  }
}

/** By what the function itself holds. @param {number} self @param {number} all */
function shareTone(self, all) {
  const [SOME, MUCH] = [0.02, 0.1];
  return self >= MUCH * all ? "much" : self >= SOME * all ? "some" : "";
}

/** Measures texts, in pixels. @param {string} font */
function widthIn(font) {
  const context = contextOf(document.createElement("canvas"));
  context.font = font;
  return (/** @type {string} */ text) => context.measureText(text).width;
}

/** @param {GraphEdge} edge */
function sizeOf({value, base}) {
  return Math.max(value, base);
}
