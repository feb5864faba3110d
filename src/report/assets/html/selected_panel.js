// SPDX-License-Identifier: Apache-2.0
//
// What is selected in the table: its numbers, callers, callees and source.
import {button, element} from "./dom.js";
import {formatAmount, formatShare, formatWithInterval} from "../shared/format.js";
import {comparedAmount} from "./frame_facts.js";
import {StackGroups} from "./groups.js";
import {Sandwich} from "./sandwich.js";
import {literalPattern} from "./search.js";
import {SourceView} from "./source_view.js";
import {StackTree} from "./stack_tree.js";
import {zoomTo} from "./state.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {Selected} from "./selected.js" */

export class SelectedPanel {
  #report;
  #key = "";
  #facts = element("div", {class: "facts"});
  #sandwich;
  #callers;
  #callees;
  #source;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.#sandwich = new Sandwich(report);
    this.#callers = new StackTree(report, "callers");
    this.#callees = new StackTree(report, "callees");
    this.#source = new SourceView(report);
    this.element = element(
        "aside", {class: "selected", "aria-label": "Selected", tabindex: "-1"},
        this.#facts, this.#sandwich.element, this.#callers.element,
        this.#callees.element, this.#source.element);
  }

  update() {
    const {selected, state, part, metricIndex, settings} = this.#report;
    this.element.hidden = selected === null;
    const key = [state.get("select"), part.kind, part.index, metricIndex,
                 settings.isByModule].join();
    if (!selected) return;
    if (key === this.#key) return this.repaint();
    this.#key = key;
    this.#showFacts(selected);
    const {graph, profile} = this.#report;
    const groups = new StackGroups(graph, profile.labels.length);
    const start = groups.start(selected.matches());
    this.#sandwich.show(groups, start, selected);
    this.#callers.show(groups, start, selected);
    this.#callees.show(groups, start, selected);
    this.#source.show(selected);
    this.element.scrollTop = 0;
  }

  repaint() {
    this.#sandwich.repaint();
  }

  // On a narrow screen the panel is below the table.
  reveal() {
    const {top} = this.element.getBoundingClientRect();
    const LOWEST = 0.6;  // of the window
    if (top > LOWEST * window.innerHeight) this.element.scrollIntoView();
    this.element.focus({preventScroll: true});
  }

  /** @param {Selected} selected */
  #showFacts(selected) {
    const {profile} = this.#report;
    const {label} = selected;
    const place = label < 0 ? "" : profile.placeOf(label);
    const module = label < 0 ? "" : profile.moduleOf(label);
    this.#facts.replaceChildren(
        element("div", {class: "heading"},
                element("h3", {class: "frame"}, selected.name),
                button("×", () => this.#close(),
                       {"aria-label": "Close", class: "close"})),
        element("dl", {}, ...this.#amounts(selected),
                ...fact("Defined in", place), ...fact("Module", module)),
        element("p", {class: "actions"}, this.#flameLink(selected)));
  }

  // The focus returns to the row that was selected.
  #close() {
    const row = document.querySelector("#top tr[aria-current] a");
    this.#report.state.set({select: ""});
    if (row instanceof HTMLElement) row.focus();
  }

  /** @param {Selected} selected */
  #amounts(selected) {
    const {metric, metricIndex, part, profile} = this.#report;
    const rows = this.#report.rows(selected.table);
    const row = rows?.selections.indexOf(selected.text) ?? -1;
    if (!rows || row < 0)
      return fact("Total", `${formatAmount(0, metric)}, in what is shown`);
    const all = profile.values(metricIndex, part).total[0];
    const amount = (
        /** @type {number} */ now, /** @type {number|undefined} */ before,
        /** @type {Interval|null|undefined} */ interval) =>
      before === undefined ?
        `${formatWithInterval(now, interval ?? null, metric)}, ${
          formatShare(now, all)}` :
        comparedAmount(now, before, interval ?? null, metric);
    return [
      ...fact("Total", amount(rows.total[row], rows.baseTotal?.[row],
                              rows.totalBounds?.at(row))),
      ...fact("Self", amount(rows.self[row], rows.baseSelf?.[row],
                             rows.selfBounds?.at(row))),
    ];
  }

  /** @param {Selected} selected */
  #flameLink(selected) {
    const {state} = this.#report;
    const pattern = literalPattern(selected.name);
    return selected.label < 0 ? element("span") :
      button("Find in flame graph", () => state.set(
          {tab: "flame", search: `^${pattern}$`, ...zoomTo(0)}));
  }
}

/** @param {string} term @param {string} text */
function fact(term, text) {
  return text === "" ? [] : [element("dt", {}, term), element("dd", {}, text)];
}
