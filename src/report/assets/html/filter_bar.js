// SPDX-License-Identifier: Apache-2.0
//
// The filters: fields below the tabs, which a button shows.
import {button, element} from "./dom.js";
import {FILTER_NAMES, filterPattern} from "./stack_filters.js";
import {zoomTo} from "./state.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {StackFilters} from "./stack_filters.js" */

/** @type {Record<keyof StackFilters, string>} */
const HINTS = {
  focus: "only stacks with a match",
  ignore: "no stacks with a match",
  hide: "without these frames",
  show_from: "begin at a match",
};

export class FilterBar {
  #report;
  #isOpen = false;
  /** @type {Map<keyof StackFilters, HTMLInputElement>} */
  #fields = new Map();
  #wrong = element("output");

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    for (const name of FILTER_NAMES)
      this.#fields.set(name, element("input", {
        type: "search", placeholder: HINTS[name], "aria-label": name,
        autocomplete: "off", spellcheck: "false",
        change: () => this.#apply(),
      }));
    this.opener = button("Filter", () => this.#toggle(),
                         {"aria-controls": "filters"});
    this.element = element(
        "div", {class: "filters", id: "filters", role: "group",
                "aria-label": "Filters, regular expressions"},
        ...FILTER_NAMES.map((name) => element(
            "label", {}, name.replace("_", " "),
            /** @type {HTMLInputElement} */ (this.#fields.get(name)))),
        button("Clear", () => this.#clear()), this.#wrong);
  }

  #toggle() {
    this.#isOpen = this.element.hidden;
    this.update();
    if (this.#isOpen) this.#fields.get("focus")?.focus();
  }

  // Nodes have other numbers in another tree.
  #apply() {
    this.#isOpen = true;
    const filters = Object.fromEntries([...this.#fields].map(
        ([name, {value}]) => [stateName(name), value]));
    this.#report.state.set({...filters, ...zoomTo(0), focus: "", hide: ""});
  }

  #clear() {
    for (const field of this.#fields.values()) field.value = "";
    this.#apply();
  }

  update() {
    const {filters, isFiltered} = this.#report;
    const wrong = [];
    for (const [name, field] of this.#fields) {
      if (field.value !== filters[name]) field.value = filters[name];
      const isWrong = filterPattern(filters[name]) === null;
      field.setAttribute("aria-invalid", String(isWrong));
      if (isWrong) wrong.push(name.replace("_", " "));
    }
    this.#wrong.textContent = wrong.length === 0 ? "" :
      `not used, as this is no regular expression of JavaScript: ${
        wrong.join(", ")}`;
    this.element.hidden = !this.#isOpen && !isFiltered && wrong.length === 0;
    this.opener.setAttribute("aria-expanded", String(!this.element.hidden));
  }
}

/** The parameter in the URL. @param {keyof StackFilters} name */
export function stateName(name) {
  return `filter_${name}`;
}
