// SPDX-License-Identifier: Apache-2.0
//
// The tab with the call graph: the most important functions as boxes, and what
// flows between them.
import {callGraph} from "./call_edges.js";
import {button, chooser, element, svgElement} from "./dom.js";
import {comparedAmount} from "./frame_facts.js";
import {layeredLayout} from "./layered_layout.js";
import {formatAmount, formatCell, formatChange, formatShare} from
  "../shared/format.js";
import {sectionOf} from "./tabs.js";
/** @import {GraphEdge, GraphNode} from "./call_edges.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Point} from "./layered_layout.js" */

const BOX = {width: 230, height: 50, gap: 18, rise: 46};
const MARGIN = 14;
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
                  " Orange: grown; blue: shrunk; grey: unchanged, or nobody " +
                  "knows whether it is more than the sampling error." : null),
        this.#missing,
        element("div", {class: "call-graph", tabindex: 0}, this.#picture));
  }

  update() {
    const key = `${this.#report.valuesKey} ${this.#count}`;
    if (key === this.#key) return;
    const isFirst = this.#key === "";
    this.#key = key;
    const {tree, values} = this.#report.graph;
    const {nodes, edges} = callGraph(tree, values, Number(this.#count));
    const layout = layeredLayout(nodes.length, edges, BOX);
    this.#layout = layout;
    this.#missing.hidden = nodes.length > 0;
    const all = Math.max(values.total[0], values.baseTotal?.[0] ?? 0);
    const verdicts = this.#verdicts();
    this.#picture.replaceChildren(
        arrowHead(),
        ...edges.map((edge, i) => this.#arrow(edge, layout.lines[i], all)),
        ...nodes.map((node, i) => this.#box(
            node, layout.boxes[i], all, verdicts.get(node.label) ?? "")));
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

  /**
   * @param {GraphEdge} edge @param {Point[]} line @param {number} all
   */
  #arrow({value, base, skips}, line, all) {
    const THICKEST = 9;
    const {metric, isComparison} = this.#report;
    const share = Math.max(value, base) / all || 0;
    const text = isComparison ? formatChange(value - base, metric) :
      formatCell(value, metric);
    const middle = line.length % 2 === 1 ? line[(line.length - 1) / 2] :
      between(line[line.length / 2 - 1], line[line.length / 2]);
    const amount = isComparison ?
      comparedAmount(value, base, null, metric) : formatAmount(value, metric);
    return svgElement(
        "g", {class: skips ? "edge skips" : "edge"},
        svgElement("title", {}, amount),
        svgElement("path", {d: curve(line),
                            "stroke-width": 0.8 + THICKEST * share,
                            "marker-end": "url(#arrow-head)"}),
        isComparison && value === base ? "" :
          svgElement("text", {x: middle.x + 4, y: middle.y}, text));
  }

  /**
   * By label, "grown" or "shrunk" if sampling does not explain the change.
   * @returns {Map<number, string>}
   */
  #verdicts() {
    const rows = this.#report.isComparison ? this.#report.rows("functions") :
      null;
    if (!rows) return new Map();
    const {selections, total, baseTotal, judge} = rows;
    const verdict = (/** @type {number} */ row) => {
      const change = total[row] - (baseTotal?.[row] ?? 0);
      const {lower, upper} = !judge ? {lower: change, upper: change} :
        judge.totalBounds?.at(row) ?? {lower: 0, upper: 0};
      return change > 0 && lower > 0 ? "grown" :
        change < 0 && upper < 0 ? "shrunk" : "";
    };
    return new Map(selections.map((selection, row) =>
      [Number(selection.slice(1)), verdict(row)]));
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
      [`self ${formatChange(self - baseSelf, metric)}`,
       `total ${formatChange(total - baseTotal, metric)}`] :
      [`total ${formatCell(total, metric)}, ${formatShare(total, all)}`,
       ...(self > 0 ?
         [`self ${formatCell(self, metric)}, ${formatShare(self, all)}`] : [])];
    const box = svgElement(
        "g", {class: `node ${isComparison ? verdict : shareTone(self, all)} ${
          profile.frameClass(label)}`, tabindex: 0, role: "link",
              transform: `translate(${x - BOX.width / 2} ${y - BOX.height / 2})`},
        svgElement("title", {}, [profile.labels[label], profile.placeOf(label),
                                 ...amount].filter((text) => text).join("\n")),
        svgElement("rect", {width: BOX.width, height: BOX.height, rx: 4}),
        svgElement("text", {class: "name", x: BOX.width / 2, y: 15},
                   fitted(profile.shortName(label))),
        ...amount.map((text, i) => svgElement(
            "text", {x: BOX.width / 2, y: 30 + 14 * i}, text)));
    box.addEventListener("click", show);
    box.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") show();
    });
    return box;
  }
}

/** By what the function itself holds. @param {number} self @param {number} all */
function shareTone(self, all) {
  const [SOME, MUCH] = [0.02, 0.1];
  return self >= MUCH * all ? "much" : self >= SOME * all ? "some" : "";
}

function arrowHead() {
  return svgElement(
      "defs", {}, svgElement(
          "marker", {id: "arrow-head", viewBox: "0 0 8 8", refX: 7, refY: 4,
                     markerWidth: 8, markerHeight: 8,
                     markerUnits: "userSpaceOnUse", orient: "auto"},
          svgElement("path", {d: "M0 0 8 4 0 8z"})));
}

/** @param {Point} a @param {Point} b */
function between(a, b) {
  return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
}

/** A smooth line from the edge of one box to that of another. @param {Point[]} line */
function curve(line) {
  const isUp = line[0].y > line[line.length - 1].y;
  const half = (isUp ? -1 : 1) * BOX.height / 2;
  const points = line.map(({x, y}, i) => ({
    x, y: y + (i === 0 ? half : i === line.length - 1 ? -half : 0)}));
  const number = (/** @type {number} */ value) => value.toFixed(1);
  let path = `M${number(points[0].x)} ${number(points[0].y)}`;
  for (let i = 1; i < points.length; ++i) {
    const [from, to] = [points[i - 1], points[i]];
    const middle = number((from.y + to.y) / 2);
    path += `C${number(from.x)} ${middle} ${number(to.x)} ${middle} ${
      number(to.x)} ${number(to.y)}`;
  }
  return path;
}

/** The end of a name says more than its beginning. @param {string} name */
function fitted(name) {
  const MOST = 30;
  if (name.length <= MOST) return name;
  const tail = Math.floor(MOST * 0.65);
  return `${name.slice(0, MOST - 1 - tail)}…${name.slice(-tail)}`;
}
