// SPDX-License-Identifier: Apache-2.0
//
// The tab with the table of functions, lines, files, modules or groups, and beside it
// what is selected in the table.
import {csvOfRows} from "./csv.js";
import {DataTable, orderedRows} from "./data_table.js";
import {button, element} from "./dom.js";
import {searchBox} from "./flame_controls.js";
import {findingExport} from "./export_menu.js";
import {findingOfSelected} from "./finding.js";
import {formatCount} from "../shared/format.js";
import {presentRows} from "./rows.js";
import {saveText} from "./save_file.js";
import {Search} from "./search.js";
import {SelectedPanel} from "./selected_panel.js";
import {stateLink} from "./state_link.js";
import {changeColumns, valueColumns} from "./table_columns.js";
import {sectionOf} from "./tabs.js";
/** @import {TableName} from "./block.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Rows} from "./rows.js" */

/** @type {Record<TableName, string>} */
const TABLE_TITLES = {functions: "Function", lines: "Line", files: "File",
                      modules: "Module", groups: "Group"};

export class TableTab {
  id = "top";
  title = "Table";
  #report;
  #table;
  #by;
  #filter;
  #count = element("output", {class: "found"});
  #missing = element("p", {class: "missing"});
  #key = "";
  /** @type {{rows: Rows, order: number[]}|null} */
  #shown = null;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    const {state} = report;
    this.section = sectionOf(this.id, this.title);
    // The plain table is for browsers that run no scripts.
    this.section.replaceChildren();
    this.#table = new DataTable((sort) => state.set({sort}, true));
    this.#by = this.#choices();
    this.#filter = searchBox(
        "Filter (regular expression)",
        (filter) => state.set({filter}, true), () => this.#selectFirst());
    this.panel = new SelectedPanel(report);
    this.section.append(
        element("div", {class: "list"},
                element("div", {class: "controls", role: "group",
                                "aria-label": "Table"},
                        this.#by, this.#filter, this.#count),
                this.#missing, this.#table.element),
        this.panel.element);
  }

  get search() {
    return this.#filter;
  }

  #choices() {
    const {state} = this.#report;
    const group = element("div", {class: "choices", role: "group",
                                  "aria-label": "Rows"});
    const {names: groups} = this.#report.profile.rowNames.groups;
    for (const name of Object.keys(TABLE_TITLES)) {
      if (name === "groups" && groups.length === 0) continue;
      group.append(button(name, () => state.set({by: name, select: ""}),
                          {"data-by": name}));
    }
    return group;
  }

  /** @returns {TableName} */
  get #name() {
    const by = this.#report.state.get("by");
    return Object.hasOwn(TABLE_TITLES, by) ? /** @type {TableName} */ (by) :
                                             "functions";
  }

  update() {
    const {state, valuesKey} = this.#report;
    for (const made of this.#by.querySelectorAll("button"))
      made.setAttribute("aria-pressed",
                        String(made.dataset.by === this.#name));
    if (this.#filter.value !== state.get("filter"))
      this.#filter.value = state.get("filter");
    const key = [valuesKey, this.#name, state.get("filter"),
                 state.get("sort")].join("\n");
    if (key === this.#key) this.#table.updateSelected();
    else this.#showRows();
    this.#key = key;
    this.panel.update();
  }

  repaint() {
    this.panel.repaint();
  }

  exports() {
    const {selected} = this.#report;
    const table = {text: "Table: CSV", run: () => this.#saveTable()};
    return selected === null ? [table] : [
      table, findingExport(() => findingOfSelected(this.#report, selected))];
  }

  #saveTable() {
    if (!this.#shown) return "there is nothing to export";
    const {rows, order} = this.#shown;
    const title = TABLE_TITLES[this.#name].toLowerCase();
    return saveText(`${this.#name}.csv`, csvOfRows(title, rows, order, this.#name !== "groups"),
                    "text/csv");
  }

  #showRows() {
    const {graph, metric, state} = this.#report;
    const rows = this.#report.rows(this.#name);
    const isMissing = rows === null ||
        this.#name === "lines" && rows.names.length === 0;
    this.#table.element.hidden = isMissing;
    this.#count.textContent = "";
    this.#missing.textContent = !isMissing ? "" : rows ?
      "No line numbers are known: they need debug information." :
      `Values of single ${this.#name} are known for the whole profile only, ` +
        "without filters.";
    this.#shown = null;
    if (isMissing) return;
    const columns = rows.baseTotal ? changeColumns(rows, metric) :
      valueColumns(rows, metric, graph.values.total[0]);
    const sort = state.get("sort") || "self";
    const search = new Search(
        state.get("filter"), rows.names, (row) => this.#shortName(rows, row));
    const present = presentRows(rows);
    const found = search.matches ?
      present.filter((row) => search.matches?.[row]) : present;
    const all = formatCount(present.length, "row");
    this.#count.textContent =
        search.matches ? `${found.length} of ${all}` : all;
    if (present.length === 0)
      this.#missing.textContent = "There is nothing to show.";
    const order = orderedRows(columns, rows.names, sort, found);
    this.#shown = {rows, order};
    this.#table.show({
      caption: `${metric.title} by ${this.#name}`, columns, sort, rows: order,
      nameTitle: TABLE_TITLES[this.#name],
      name: (row) => this.#link(rows, row),
      isSelected: (row) => rows.selections[row] !== "" &&
        rows.selections[row] === state.get("select"),
    });
  }

  /** @param {Rows} rows @param {number} row */
  #shortName({names, selections}, row) {
    const [kind, label] =
        [selections[row].slice(0, 1), Number(selections[row].slice(1))];
    return this.#name === "functions" && kind === "f" ?
      this.#report.profile.shortName(label) : names[row];
  }

  /** @param {Rows} rows @param {number} row */
  #link({names, selections, places}, row) {
    const select = selections[row];
    if (select === "") return element("span", {class: "frame"}, names[row]);
    const {state, profile} = this.#report;
    const label = select.startsWith("f") ? Number(select.slice(1)) : -1;
    const attributes = {class: profile.frameClass(label), title: names[row]};
    const place = places?.[row];
    const link = place === undefined ?
      stateLink(state, {select}, attributes, names[row]) :
      stateLink(state, {select}, {title: names[row]},
                element("span", attributes, names[row].slice(0, -place.length)),
                element("span", {class: "place"}, place));
    link.addEventListener("click", (event) => {
      if (event.defaultPrevented) this.panel.reveal();
    });
    return link;
  }

  #selectFirst() {
    const first = this.#table.element.querySelector("tbody a");
    if (first instanceof HTMLElement) first.click();
  }
}
