// SPDX-License-Identifier: Apache-2.0
//
// The first tab: a small flame graph, and below it what the page says without
// scripts.
import {element, withBreaks} from "./dom.js";
import {pictureExports} from "./export_menu.js";
import {FlameChart} from "./flame_chart.js";
import {ROW_PIXELS} from "./flame_painter.js";
import {changeLegend} from "./legend.js";
import {literalPattern} from "./search.js";
import {zoomTo} from "./state.js";
import {stateLink} from "./state_link.js";
import {sectionOf} from "./tabs.js";
import {threadTitle} from "./thread_title.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Profile} from "./profile.js" */

export class OverviewTab {
  id = "overview";
  title = "Overview";
  #report;
  #view = {selected: -1, span: ""};
  #figure;
  #isLinked = false;
  #note = element("p", {class: "hint", role: "status"});

  /** @param {HeapReport} report */
  constructor(report) {
    const MOST_PIXELS = 14 * ROW_PIXELS;
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.chart = new FlameChart({
      label: "Flame graph, small. The tab Table has the same numbers as text.",
      mostPixels: MOST_PIXELS,
      zoom: (node) => this.#zoom(node),
      move: (span) => { this.#view.span = span; },
      select: (node) => {
        this.#view.selected = node;
        this.#show();
      },
    });
    this.#figure = element(
        "figure", {class: "preview"}, this.chart.element,
        element("figcaption", {class: "hint"},
                "Width: memory held, callees included. ",
                "“…” marks chains of calls that hold the same. ",
                "Click one to see it in the flame graph."));
    if (report.isComparison) this.#figure.append(changeLegend());
    const heading = this.section.querySelector(".story") ??
      this.section.querySelector("h2");
    if (heading) heading.after(this.#figure, this.#note);
    else this.section.prepend(this.#figure, this.#note);
  }

  // The graph has all calls; in the flame graph, some may be merged or hidden.
  /** @param {number} node */
  #zoom(node) {
    const {flameView, settings, state} = this.#report;
    const {first} = flameView.overview(settings);
    if (node !== 0)
      return state.set({tab: "flame", merge: "", hide: "", focus: "",
                        ...zoomTo(first[node])});
    this.#view.span = "";
    this.#show();
  }

  update() {
    if (!this.#isLinked) {
      linkNames(this.#report, this.section);
      breakNames(this.section);
    }
    this.#isLinked = true;
    const {metricIndex, part, filtered, profile: {header}} = this.#report;
    const isInitial = metricIndex === header.metric && part.kind === "all" &&
        filtered === null;
    this.#note.hidden = isInitial;
    this.#show();
    this.#note.textContent =
      `${this.#figure.hidden ? "Nothing is left to draw" :
        "The picture shows what you chose"}; sentences and tables are of ${
        header.metrics[header.metric].title} of the whole profile.`;
  }

  #show() {
    const {flameView, settings} = this.#report;
    const {model} = flameView.overview(settings);
    this.#figure.hidden = model.sizes[0] === 0;
    this.chart.show(model, {zoomed: 0, isFlipped: false, ...this.#view});
  }

  repaint() {
    this.chart.repaint();
  }

  exports() {
    return pictureExports(this.#report, this.chart, () => this.#report.graph);
  }
}

/**
 * Makes links of the names in the tables of the overview. A name that the page
 * has cut short finds nothing.
 * @param {HeapReport} report @param {HTMLElement} section
 */
function linkNames({profile, state}, section) {
  const names = new OverviewNames(profile);
  for (const cell of section.querySelectorAll("[data-kind]")) {
    const kind = cell.getAttribute("data-kind") ?? "";
    const text = cell.textContent ?? "";
    const values = names.find(kind, text);
    cell.replaceChildren(values ? stateLink(state, values, {}, text) :
      element("span", {}, text));
  }
}

/** In the sentences. @param {HTMLElement} section */
function breakNames(section) {
  for (const {childNodes} of section.querySelectorAll(".story li"))
    for (const node of [...childNodes])
      if (node instanceof Text) node.replaceWith(...withBreaks(node.data));
}

// What the names in the overview stand for.
class OverviewNames {
  #profile;
  /** @type {Map<string, number[]>} the labels with a short name */
  #labels = new Map();

  /** @param {Profile} profile */
  constructor(profile) {
    this.#profile = profile;
    profile.labels.forEach((_, label) => {
      const name = profile.shortName(label);
      const known = this.#labels.get(name);
      if (known) known.push(label);
      else this.#labels.set(name, [label]);
    });
  }

  /**
   * The state that shows it, or null.
   * @param {string} kind  "function", "group", "module" or "thread" @param {string} name
   * @returns {Record<string, string|number>|null}
   */
  find(kind, name) {
    const {modules, threads} = this.#profile.header;
    if (kind === "function") return this.#function(name);
    if (kind === "group") return this.#group(name);
    const all = kind === "module" ? modules :
      threads.map(threadTitle);
    const index = all.indexOf(name);
    if (index < 0) return null;
    return kind === "module" ?
      {tab: "top", by: "modules", select: `m${index}`} :
      {tab: "flame", thread: index, dump: "", ...zoomTo(0)};
  }

  /** @param {string} name */
  #group(name) {
    const {groups} = this.#profile.rowNames;
    const row = groups.names.indexOf(name);
    return row < 0 ? null :
      {tab: "top", by: "groups", filter: "", select: groups.selections[row]};
  }

  // The overview adds up functions that differ in their arguments only.
  /** @param {string} name */
  #function(name) {
    const short = name.replace(/ \(inline\)$/, "");
    const labels = this.#labels.get(short) ?? [];
    if (labels.length === 0) return null;
    const table = {tab: "top", by: "functions", filter: "", select: ""};
    return labels.length === 1 ? {...table, select: `f${labels[0]}`} :
      {...table, filter: `^${literalPattern(short)}$`};
  }
}
