// SPDX-License-Identifier: Apache-2.0
//
// What is selected in the table: its numbers, callers, callees and source.
import {button, element} from "./dom.js";
import {StackGroups} from "./groups.js";
import {Sandwich} from "./sandwich.js";
import {literalPattern} from "./search.js";
import {selectedFacts} from "./selected_facts.js";
import {SourceView} from "./source_view.js";
import {StackTree} from "./stack_tree.js";
import {zoomTo} from "./state.js";
/** @import {HeapReport} from "./heap_report.js" */
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
    const {selected, state, settings, valuesKey} = this.#report;
    this.element.hidden = selected === null;
    const key = [state.get("select"), valuesKey, settings.isByModule].join();
    if (!selected) return;
    if (key === this.#key) return this.repaint();
    this.#key = key;
    this.#showFacts(selected);
    const {graph, nodes} = this.#report.callsOf(selected);
    const groups =
      new StackGroups(graph, this.#report.profile.labels.length);
    const start = groups.start(nodes);
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
    this.#facts.replaceChildren(
        element("div", {class: "heading"},
                element("h3", {class: "frame"}, selected.name),
                button("×", () => this.#close(),
                       {"aria-label": "Close", class: "close"})),
        element("dl", {}, ...selectedFacts(this.#report, selected).flatMap(
            ([term, text]) =>
              [element("dt", {}, term), element("dd", {}, text)])),
        element("p", {class: "actions"}, this.#flameLink(selected)));
  }

  // The focus returns to the row that was selected.
  #close() {
    const row = document.querySelector("#top tr[aria-current] a");
    this.#report.state.set({select: ""});
    if (row instanceof HTMLElement) row.focus();
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
