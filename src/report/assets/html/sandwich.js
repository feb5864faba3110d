// SPDX-License-Identifier: Apache-2.0
//
// Two flame graphs: above, who calls the selected function; below, what it
// calls.
import {element} from "./dom.js";
import {FlameChart} from "./flame_chart.js";
import {ROW_PIXELS} from "./flame_painter.js";
import {flameModel} from "./flame_view.js";
import {FrameBar} from "./frame_actions.js";
/** @import {FlameModel} from "./flame_painter.js" */
/** @import {Direction, StackGroup, StackGroups} from "./groups.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Selected} from "./selected.js" */

export class Sandwich {
  #report;
  /**
   * @type {Record<Direction, {chart: FlameChart, zoomed: number, span: string,
   *     selected: number, model: FlameModel|null}>}
   */
  #halves;
  #bar;
  /** @type {Direction} */
  #active = "callers";

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.#halves = {callers: this.#half("callers"),
                    callees: this.#half("callees")};
    this.#bar = new FrameBar([
      {text: "Open in table", key: "t", fits: (node) => node > 0,
       run: (node) => this.#open(node)},
    ]);
    const {callers, callees} = this.#halves;
    this.element = element("div", {class: "sandwich"}, callers.chart.element,
                           callees.chart.element, this.#bar.element);
  }

  /** @param {Direction} direction */
  #half(direction) {
    const MOST_PIXELS = 15 * ROW_PIXELS;
    const chart = new FlameChart({
      label: `Flame graph of ${direction}. The table "${
        direction}" below has the same numbers.`,
      mostPixels: MOST_PIXELS, hidesRoot: direction === "callers",
      zoom: (node) => this.#zoom(direction, node),
      move: (span) => { this.#halves[direction].span = span; },
      select: (node) => {
        this.#active = direction;
        this.#halves[direction].selected = node;
        this.#show(direction);
      },
      pressKey: (key) => key === "t" && this.#open(this.#selected),
    });
    return {chart, zoomed: 0, span: "", selected: -1,
            model: /** @type {FlameModel|null} */ (null)};
  }

  // The selected function is drawn once; a click on it shows all callers, too.
  /** @param {Direction} direction @param {number} node */
  #zoom(direction, node) {
    const directions = /** @type {Direction[]} */ (
      node === 0 ? ["callers", "callees"] : [direction]);
    for (const each of directions) {
      Object.assign(this.#halves[each], {zoomed: node, span: ""});
      this.#show(each);
    }
  }

  get #selected() {
    return this.#halves[this.#active].selected;
  }

  /** @param {number} node */
  #open(node) {
    const {model} = this.#halves[this.#active];
    if (!model || node <= 0) return false;
    this.#report.state.set(
        this.#report.functionState(model.tree.label[node]));
    return true;
  }

  /**
   * @param {StackGroups} groups
   * @param {StackGroup} start
   * @param {Selected} selected
   */
  show(groups, start, selected) {
    const {profile, metric, settings} = this.#report;
    for (const direction of /** @type {Direction[]} */ (
             ["callers", "callees"])) {
      const graph = groups.graph(start, direction);
      const model = flameModel(profile, graph, metric, {
        widths: "larger", matches: null, isByModule: settings.isByModule,
        rootName: selected.name, rootShortName: selected.shortName,
      });
      Object.assign(this.#halves[direction],
                    {model, zoomed: 0, span: "", selected: -1});
      this.#show(direction);
    }
  }

  /** @param {Direction} direction */
  #show(direction) {
    const {chart, model, zoomed, span, selected} = this.#halves[direction];
    if (!model) return;
    const isCallers = direction === "callers";
    chart.element.hidden =
        model.sizes[0] === 0 || isCallers && model.tree.length === 1;
    chart.show(model, {zoomed, span, selected, isFlipped: isCallers});
    if (direction === this.#active) this.#bar.show(selected, model.describe);
  }

  repaint() {
    for (const {chart} of Object.values(this.#halves)) chart.repaint();
  }
}
