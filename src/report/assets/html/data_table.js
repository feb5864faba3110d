// SPDX-License-Identifier: Apache-2.0
//
// A table that is sorted by its headings and grows while the user scrolls.
import {button, element} from "./dom.js";
import {formatCount} from "../shared/format.js";
/** @import {Column} from "./table_columns.js" */

/**
 * @typedef {object} TableContent
 * @property {string} caption
 * @property {Column[]} columns
 * @property {number[]} rows  in the order in which they are shown
 * @property {string} sort  the column, "-" before it: in the opposite order
 * @property {string} nameTitle  heading of the last column
 * @property {(row: number) => HTMLElement} name  content of the last column
 * @property {(row: number) => boolean} isSelected
 */

export class DataTable {
  static CHUNK = 200;  // rows
  /** @type {TableContent|null} */
  #content = null;
  #shown = 0;
  #sort;
  #table = element("table");
  #more = element("p", {class: "more"});

  /** @param {(sort: string) => void} sort  called with the new order */
  constructor(sort) {
    this.#sort = sort;
    this.element = element("div", {class: "data-table"}, this.#table,
                           this.#more);
    new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) this.#append(DataTable.CHUNK);
    }, {rootMargin: "400px"}).observe(this.#more);
  }

  /** @param {TableContent} content */
  show(content) {
    this.#content = content;
    this.#shown = 0;
    const {columns, rows} = content;
    const focused = [...this.#table.tHead?.querySelectorAll("button") ?? []]
        .findIndex((heading) => heading === document.activeElement);
    this.#table.setAttribute("aria-rowcount", String(rows.length + 1));
    this.#table.replaceChildren(
        element("caption", {class: "sr-only"}, content.caption),
        element("thead", {}, element(
            "tr", {}, ...columns.map((column) => this.#heading(column)),
            this.#nameHeading())),
        element("tbody"));
    this.#append(DataTable.CHUNK);
    this.#table.tHead?.querySelectorAll("button")[focused]?.focus();
    this.#reveal();
  }

  /** Marks what is selected now. */
  updateSelected() {
    if (!this.#content) return;
    const {rows, isSelected} = this.#content;
    [...this.#table.tBodies[0].rows].forEach((made, i) =>
      markSelected(made, isSelected(rows[i])));
    this.#reveal();
  }

  // Scrolls the table, and nothing else, to the first selected row, unless
  // many rows would have to be made for that.
  #reveal() {
    const MOST = 1000;
    if (!this.#content) return;
    const {rows, isSelected} = this.#content;
    const index = rows.slice(0, Math.max(MOST, this.#shown))
        .findIndex(isSelected);
    if (index < 0) return;
    while (this.#shown <= index) this.#append(DataTable.CHUNK);
    const row = this.#table.tBodies[0].rows[index].getBoundingClientRect();
    const box = this.element.getBoundingClientRect();
    const heading = this.#table.tHead?.clientHeight ?? 0;
    if (row.top < box.top + heading || row.bottom > box.bottom)
      this.element.scrollTop += row.top - (box.top + box.bottom) / 2;
  }

  /** @param {Column} column */
  #heading({id, title, class: name, isAscending}) {
    const {sort} = /** @type {TableContent} */ (this.#content);
    const orders = isAscending ? ["ascending", "descending"] :
      ["descending", "ascending"];
    const sorted = orders[[id, `-${id}`].indexOf(sort)];
    return element(
        "th", {scope: "col", class: `${name} col-${id}`, "aria-sort": sorted},
        button(title, () => this.#sort(sort === id ? `-${id}` : id)));
  }

  #nameHeading() {
    const {sort, nameTitle} = /** @type {TableContent} */ (this.#content);
    const orders = {"name": "ascending", "-name": "descending"};
    return element(
        "th", {scope: "col", class: "name",
               "aria-sort": orders[/** @type {"name"} */ (sort)]},
        button(nameTitle,
               () => this.#sort(sort === "name" ? "-name" : "name")));
  }

  /** @param {number} count  of rows */
  #append(count) {
    if (!this.#content) return;
    const {rows} = this.#content;
    const end = Math.min(rows.length, this.#shown + count);
    const made = document.createDocumentFragment();
    for (; this.#shown < end; ++this.#shown)
      made.append(this.#row(rows[this.#shown], this.#shown));
    this.#table.tBodies[0]?.append(made);
    const rest = rows.length - this.#shown;
    this.#more.hidden = rest === 0;
    this.#more.replaceChildren(
        `${formatCount(rest, "more row")} `,
        button("Show all", () => this.#append(rows.length)));
  }

  /** @param {number} row @param {number} index */
  #row(row, index) {
    const {columns, name, isSelected} =
      /** @type {TableContent} */ (this.#content);
    const made = element(
        "tr", {"aria-rowindex": index + 2},
        ...columns.map((column) => cell(column, row)),
        element("td", {class: "name"}, name(row)));
    markSelected(made, isSelected(row));
    return made;
  }
}

/** @param {Column} column @param {number} row */
function cell(column, row) {
  const tone = column.tone?.(row) ?? "";
  const made = element(
      "td", {class: `${column.class} col-${column.id} ${tone}`},
      column.text(row));
  if (column.share) {
    const bar = element("span", {class: "bar", "aria-hidden": "true"});
    bar.style.width = `${Math.min(100, 100 * column.share(row) || 0)}%`;
    made.append(bar);
  }
  return made;
}

/** @param {HTMLElement} row @param {boolean} isSelected */
function markSelected(row, isSelected) {
  if (isSelected) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

/**
 * Sorts rows; equal ones by total, then by name.
 * @param {Column[]} columns @param {string[]} names  by row
 * @param {string} sort @param {number[]} rows
 */
export function orderedRows(columns, names, sort, rows) {
  const id = sort.replace(/^-/, "");
  const column = columns.find((column) => column.id === id);
  const byName = (/** @type {number} */ a, /** @type {number} */ b) =>
    names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0;
  const total = id === "name" ? undefined :
    columns.find((column) => column.id === "total");
  rows.sort((a, b) => compareRows(column, a, b) || compareRows(total, a, b) ||
    byName(a, b));
  return sort.startsWith("-") ? rows.reverse() : rows;
}

/** @param {Column|undefined} column @param {number} a @param {number} b */
function compareRows(column, a, b) {
  if (!column) return 0;
  const [left, right] = [column.value(a), column.value(b)];
  if (typeof left === "number") return Number(right) - left;
  return left < right ? -1 : left > right ? 1 : 0;
}
