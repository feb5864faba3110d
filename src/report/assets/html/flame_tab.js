// SPDX-License-Identifier: Apache-2.0
//
// The tab with the flame graph.
import {copyText} from "./clipboard.js";
import {pictureExports} from "./export_menu.js";
import {findingOfFrame} from "./finding.js";
import {FlameChart} from "./flame_chart.js";
import {FlameControls} from "./flame_controls.js";
import {FrameBar, FrameMenu, frameActions} from "./frame_actions.js";
import {FrameFacts} from "./frame_facts.js";
import {maskNodes, withMaskNodes} from "./masks.js";
import {zoomTo} from "./state.js";
import {sectionOf} from "./tabs.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {FrameAction} from "./frame_actions.js" */
/** @import {HeapReport} from "./heap_report.js" */

export class FlameTab {
  id = "flame";
  title = "Flame graph";
  #report;
  #selected = -1;
  /** @type {CallTree|null} */
  #tree = null;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    const actions = frameActions(this);
    this.controls = new FlameControls(report, this);
    this.bar = new FrameBar(actions);
    const menu = new FrameMenu(actions, () => this.chart.canvas);
    this.chart = new FlameChart({
      label: "Flame graph. The tab Table has the same numbers as text.",
      zoom: (node) => this.zoom(node),
      move: (span) => this.#move(span),
      select: (node) => this.#select(node),
      openMenu: (node, event) => menu.open(node, event),
      pressKey: (key) => this.#pressKey(key, actions),
    });
    this.section.append(this.controls.element, this.chart.element,
                        this.bar.element);
    document.addEventListener("keydown", (event) => {
      this.#find(event);
      // Keys work before the graph has the focus, too.
      const isFree = document.activeElement === document.body;
      if (isFree && this.#report.tab === this) this.chart.keys.handle(event);
    });
  }

  get search() {
    return this.controls.search;
  }

  get zoomed() {
    return this.chart.zoomed;
  }

  /** @param {number} node */
  zoom(node) {
    this.#report.state.set(zoomTo(node));
    this.#show();
  }

  /** @param {string} span */
  #move(span) {
    this.#report.state.note({span});
    this.controls.updateReset();
  }

  /** Counts only stacks through this node. @param {number} node */
  focus(node) {
    const {state, settings} = this.#report;
    state.set({
      focus: withMaskNodes(settings.focus, settings.isMerged, [node]),
      ...zoomTo(node),
    });
  }

  /** @param {number} node */
  hide(node) {
    const {state, settings: {hide, isMerged}} = this.#report;
    const {tree} = this.#model;
    const rest = maskNodes(hide, isMerged).filter((other) =>
      !tree.isInside(other, node));
    const {zoomed} = this;
    this.#selected = -1;
    state.set({
      hide: withMaskNodes(hide, isMerged, [...rest, node]),
      ...zoomTo(tree.isInside(zoomed, node) ? tree.parent[node] : zoomed),
    });
  }

  /** @param {number} node */
  openInTable(node) {
    const {tree} = this.#model;
    this.#report.state.set(this.#report.functionState(tree.label[node]));
  }

  /** @param {number} node */
  async copyStack(node) {
    const {profile, flameView, settings, metric} = this.#report;
    const facts = new FrameFacts(
        profile, flameView.masked(settings), metric, "all");
    this.#sayCopied(await copyText(facts.stackText(node)));
  }

  /** @param {number} node */
  async copyFinding(node) {
    this.#sayCopied(await copyText(findingOfFrame(this.#report, node)));
  }

  /** @param {boolean} isCopied */
  #sayCopied(isCopied) {
    this.bar.say(isCopied ? "copied" : "the browser does not allow copying");
  }

  /** Zooms to the next of the largest matches. */
  showNextMatch() {
    const {flameView, settings} = this.#report;
    const {tree, sizes} = this.#model;
    this.#showNext(flameView.search(settings).outermost(tree, sizes));
  }

  /** Zooms to the next of the places at which the largest changes divide. */
  showNextChange() {
    const {flameView, settings} = this.#report;
    this.#showNext(flameView.masked(settings).forksOfChange());
  }

  /** @param {number[]} nodes */
  #showNext(nodes) {
    if (nodes.length === 0) return;
    this.#selected = nodes[(nodes.indexOf(this.#selected) + 1) % nodes.length];
    this.zoom(this.#selected);
  }

  update() {
    this.#show();
    this.controls.update();
  }

  repaint() {
    this.chart.repaint();
  }

  exports() {
    const {flameView, settings} = this.#report;
    return pictureExports(this.#report, this.chart,
                          () => flameView.masked(settings));
  }

  get #model() {
    const {flameView, settings} = this.#report;
    return flameView.model(settings);
  }

  #show() {
    const model = this.#model;
    const {state} = this.#report;
    const isThere = (/** @type {number} */ node) =>
      node >= 0 && node < model.tree.length;
    const zoomed = state.number("zoom");
    if (this.#tree !== model.tree) this.#selected = -1;
    this.#tree = model.tree;
    this.chart.show(model, {
      zoomed: isThere(zoomed) ? zoomed : 0, selected: this.#selected,
      isFlipped: state.get("flip") === "1", span: state.get("span"),
    });
    this.bar.show(this.#shownNode, model.describe, this.#hint(model.sizes[0]));
  }

  /** The node of the bar below the graph, or -1. */
  get #shownNode() {
    return this.#selected < 0 && this.zoomed > 0 ? this.zoomed : this.#selected;
  }

  /** @param {number} size  of the whole graph */
  #hint(size) {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    if (size > 0)
      return isTouch ?
        "Tap a frame to zoom in, tap one above it to zoom out. Hold for more." :
        "Click a frame to zoom in, click one above it to zoom out. " +
          "Right-click for more, ? for the keys.";
    return this.#report.isComparison ?
      "No frame has a width. Choose another one under “width”." :
      "There is nothing to show.";
  }

  /** @param {number} node */
  #select(node) {
    this.#selected = node;
    this.#show();
  }

  /** @param {string} key @param {FrameAction[]} actions */
  #pressKey(key, actions) {
    const action = actions.find((action) => action.key === key);
    const node = this.#shownNode;
    if (action?.fits(node)) action.run(node);
    else if (key === "n") this.#pressNext();
    else return false;
    return true;
  }

  #pressNext() {
    const {state, isComparison} = this.#report;
    if (isComparison && state.get("search") === "") this.showNextChange();
    else this.showNextMatch();
  }

  // The browser cannot find text on a canvas. When the box has the focus
  // already, its own search opens.
  /** @param {KeyboardEvent} event */
  #find(event) {
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    const {search} = this.controls;
    if (!isFind || this.#report.tab !== this ||
        document.activeElement === search)
      return;
    event.preventDefault();
    search.focus();
    search.select();
  }
}
