// SPDX-License-Identifier: Apache-2.0
//
// The controls above the flame graph: search, and how the graph is drawn.
import {button, chooser, element} from "./dom.js";
import {formatAmount, formatCount} from "../shared/format.js";
import {comparedAmount} from "./frame_facts.js";
import {changeLegend} from "./legend.js";
import {withMaskNodes} from "./masks.js";
import {zoomTo} from "./state.js";
/** @import {FlameTab} from "./flame_tab.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {NodeValues} from "./profile.js" */

export class FlameControls {
  #report;
  #tab;
  #found = element("output", {class: "found"});
  #masked = element("span", {class: "masked"});
  #legend = changeLegend();

  /** @param {HeapReport} report @param {FlameTab} tab */
  constructor(report, tab) {
    this.#report = report;
    this.#tab = tab;
    const {state} = report;
    this.search = searchBox(
        "Search (regular expression)",
        (search) => state.set({search}, true), () => tab.showNextMatch());
    this.flip = toggle("Flip", (flip) => state.set({flip}));
    this.merge = toggle("Merge recursion", (merge) => this.#merge(merge));
    this.color = chooser("Colours", [
      {value: "", text: "colour: own code"},
      {value: "module", text: "colour: modules"},
    ], (color) => state.set({color}));
    this.widths = chooser("Widths", [
      {value: "larger", text: "width: larger of both"},
      {value: "old", text: "width: before"},
      {value: "new", text: "width: after"},
      {value: "change", text: "width: change"},
    ], (width) => state.set({width}));
    this.reset = button("Reset zoom", () => tab.zoom(0));
    this.next = button("Next change", () => tab.showNextChange(),
                       {title: "key: n", "aria-keyshortcuts": "n"});
    this.element = element(
        "div", {class: "controls", role: "group",
                "aria-label": "Flame graph"},
        this.search, this.#found, this.reset, this.next, this.flip, this.merge,
        this.color, this.widths, this.#masked, this.#legend);
  }

  // Nodes have other numbers in the merged tree.
  /** @param {string} merge */
  #merge(merge) {
    const {state, flameView, settings} = this.#report;
    const {target, first} = flameView.merged(settings);
    const numbers = merge === "1" ? target : first;
    state.set({
      merge, ...zoomTo(numbers[state.number("zoom")] ?? 0),
      focus: withMaskNodes(state.get("focus"), true, []),
      hide: withMaskNodes(state.get("hide"), true, []),
    });
  }

  update() {
    const {state, isComparison, profile} = this.#report;
    if (this.search.value !== state.get("search"))
      this.search.value = state.get("search");
    for (const [control, name] of /** @type {const} */ (
      [[this.flip, "flip"], [this.merge, "merge"]]))
      control.setAttribute("aria-pressed", String(state.get(name) === "1"));
    this.color.value = state.get("color");
    this.color.hidden = isComparison || !profile.knowsOwn;
    this.next.hidden = !isComparison;
    this.widths.value = this.#report.widths;
    this.widths.hidden = !isComparison;
    this.#legend.hidden = !isComparison;
    this.updateReset();
    this.#showFound();
    this.#showMasked();
  }

  updateReset() {
    this.reset.disabled =
        this.#tab.zoomed === 0 && this.#report.state.get("span") === "";
  }

  #showFound() {
    const {flameView, settings} = this.#report;
    const search = flameView.search(settings);
    if (!search.matches) return this.#found.replaceChildren();
    const {tree, sizes, amountOf} = flameView.model(settings);
    const frames = search.count(tree, sizes);
    this.#found.textContent = frames === 0 ? "no match" :
      `${amountOf(search.outermost(tree, sizes))} in ${
        formatCount(frames, "frame")}`;
    if (search.isLiteral) this.#found.append(" (searched as plain text)");
  }

  #showMasked() {
    const {state, settings, flameView, graph} = this.#report;
    this.#masked.replaceChildren();
    if (settings.focus === "" && settings.hide === "") return;
    const shown = flameView.masked(settings);
    this.#masked.append(
        `without ${this.#difference(graph.values, shown.values)} in hidden ` +
          "stacks ",
        button("Show all", () => state.set({focus: "", hide: ""})));
  }

  /** @param {NodeValues} all @param {NodeValues} shown */
  #difference(all, shown) {
    const {metric} = this.#report;
    const now = all.total[0] - shown.total[0];
    if (!all.baseTotal || !shown.baseTotal) return formatAmount(now, metric);
    return comparedAmount(now, all.baseTotal[0] - shown.baseTotal[0], null,
                          metric);
  }
}

/**
 * @param {string} label @param {(text: string) => void} search
 * @param {() => void} enter
 */
export function searchBox(label, search, enter) {
  const box = element("input", {
    type: "search", placeholder: label, "aria-label": label,
    autocomplete: "off", spellcheck: "false",
    input: () => search(box.value),
    keydown: (event) => {
      if (event.key === "Enter") enter();
      if (event.key === "Escape" && box.value !== "") {
        event.preventDefault();
        box.value = "";
        search("");
      }
    },
  });
  return box;
}

/**
 * @param {string} text
 * @param {(value: string) => void} change  gets "1" or ""
 */
function toggle(text, change) {
  const made = button(text, () =>
    change(made.getAttribute("aria-pressed") === "true" ? "" : "1"),
  {"aria-pressed": "false"});
  return made;
}
