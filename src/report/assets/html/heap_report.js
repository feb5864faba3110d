// SPDX-License-Identifier: Apache-2.0
//
// The page: its data, its state and its tabs. What a link to a view keeps is in
// the state; each change of the state updates the tab that is shown.
import {element, find} from "./dom.js";
import {FilterBar, stateName} from "./filter_bar.js";
import {FlameView} from "./flame_view.js";
import {listenToPageKeys} from "./page_keys.js";
import {addedRows, storedRows} from "./rows.js";
import {scheme} from "./scheme.js";
import {Selected} from "./selected.js";
import {FILTER_NAMES} from "./stack_filters.js";
import {PageState} from "./state.js";
import {TabBar, makeTabs} from "./tabs.js";
import {Toolbar} from "./toolbar.js";
import {tooltip} from "./tooltip.js";
/** @import {TableName} from "./block.js" */
/** @import {Export} from "./export_menu.js" */
/** @import {FlameSettings} from "./flame_view.js" */
/** @import {Widths} from "./graph.js" */
/** @import {Part, Profile} from "./profile.js" */
/** @import {Rows} from "./rows.js" */
/** @import {StackFilters} from "./stack_filters.js" */

/**
 * @typedef {object} Tab
 * @property {string} id  of its section, and the value of "tab" in the state
 * @property {string} title
 * @property {HTMLElement} section
 * @property {() => void} update  shows the state
 * @property {() => void} [repaint]  after the colours changed
 * @property {() => Export[]} [exports]  of what it shows
 * @property {HTMLInputElement} [search]  its field for what is looked for
 */

export class HeapReport {
  /** @type {Tab[]} */
  tabs = [];
  /** @type {Map<TableName, Rows|null>} */
  #rows = new Map();
  #rowsKey = "";

  /** @param {Profile} profile */
  constructor(profile) {
    this.profile = profile;
    this.state = new PageState(() => this.update());
    this.flameView = new FlameView(profile);
  }

  start() {
    this.tabs = makeTabs(this);
    this.toolbar = new Toolbar(this);
    this.tabBar = new TabBar(this);
    this.filterBar = new FilterBar(this);
    this.toolbar.element.prepend(this.filterBar.opener);
    listenToPageKeys(this);
    find("header").after(
        element("nav", {"aria-label": "Views"}, this.tabBar.element,
                this.toolbar.element, this.filterBar.element));
    scheme.start(this.profile, () => this.tab.repaint?.());
    this.update();
  }

  get tab() {
    const id = this.state.get("tab");
    return this.tabs.find((tab) => tab.id === id) ?? this.tabs[0];
  }

  update() {
    tooltip.hide();
    this.toolbar?.update();
    this.filterBar?.update();
    this.tabBar?.update();
    this.tab.update();
  }

  get metricIndex() {
    const {metrics, metric} = this.profile.header;
    const name = this.state.get("metric");
    const found = metrics.findIndex((metric) => metric.name === name);
    return found < 0 ? metric : found;
  }

  get metric() {
    return this.profile.header.metrics[this.metricIndex];
  }

  /** @returns {Part} */
  get part() {
    const {threads, dumps} = this.profile.header;
    const [thread, dump] =
        [this.state.number("thread"), this.state.number("dump")];
    if (thread >= 0 && thread < threads.length)
      return {kind: "thread", index: thread};
    if (dump >= 0 && dump < dumps.length) return {kind: "dump", index: dump};
    return {kind: "all", index: 0};
  }

  get isComparison() {
    return this.profile.isComparison(this.part);
  }

  /** @returns {StackFilters} */
  get filters() {
    const {state} = this;
    const text = (/** @type {keyof StackFilters} */ name) =>
      state.get(stateName(name));
    return {focus: text("focus"), ignore: text("ignore"), hide: text("hide"),
            show_from: text("show_from")};
  }

  get isFiltered() {
    return FILTER_NAMES.some((name) => this.filters[name] !== "");
  }

  /** Which stacks the filters leave; null if there are none. */
  get filtered() {
    return this.flameView.filtered(this.filters);
  }

  /** See FlameView.shown(). */
  get shownTree() {
    return this.flameView.shown(this.filters);
  }

  /** Differs for all that changes the values of stacks. */
  get valuesKey() {
    const {metricIndex, part} = this;
    return JSON.stringify([metricIndex, part, this.filters]);
  }

  /** @returns {FlameSettings} */
  get settings() {
    const {state} = this;
    return {
      metric: this.metricIndex, part: this.part, filters: this.filters,
      isMerged: state.get("merge") === "1",
      focus: state.get("focus"),
      hide: state.get("hide"),
      widths: this.widths,
      isByModule: state.get("color") === "module",
      search: state.get("search"),
    };
  }

  /** @returns {Widths} */
  get widths() {
    const width = this.state.get("width");
    return width === "old" || width === "new" || width === "change" ? width :
      "larger";
  }

  /** What the filters leave, without merged calls and hidden subtrees. */
  get graph() {
    return this.flameView.plain(this.settings);
  }

  /** @param {TableName} table */
  graphOf(table) {
    return table === "files" || table === "modules" ?
      this.flameView.ofCode(this.settings, table) : this.graph;
  }

  /**
   * The rows of a table, for what is shown; null if the data has no such rows.
   * @param {TableName} table
   */
  rows(table) {
    const {metricIndex, part, profile, valuesKey: key} = this;
    if (key !== this.#rowsKey) this.#rows.clear();
    this.#rowsKey = key;
    let rows = this.#rows.get(table);
    if (rows === undefined) {
      rows = part.kind === "all" && this.filtered === null ?
        storedRows(profile, table, metricIndex) :
        addedRows(profile, table, metricIndex, this.graphOf(table));
      this.#rows.set(table, rows);
    }
    return rows;
  }

  get selected() {
    return Selected.parse(this.profile, this.state.get("select"));
  }

  /** See FlameView.callsOf(). @param {Selected} selected */
  callsOf(selected) {
    return this.flameView.callsOf(this.settings, selected);
  }

  /** The state that shows a function in the table. @param {number} label */
  functionState(label) {
    return {tab: "top", by: "functions", select: `f${label}`};
  }
}
