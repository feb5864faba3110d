// SPDX-License-Identifier: Apache-2.0
//
// The callers or the callees of the selected function as a table whose rows can
// be opened, to any depth.
import {button, element} from "./dom.js";
import {
  formatCell, formatChange, formatCount, formatShare,
} from "../shared/format.js";
import {GROWN, SHRUNK} from "./profile.js";
import {stateLink} from "./state_link.js";
/** @import {Direction, StackGroup, StackGroups} from "./groups.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Selected} from "./selected.js" */

export class StackTree {
  static MOST_ROWS = 25;  // of one caller, before "more"
  #report;
  #direction;
  #table = element("table");
  #all = 0;
  /** @type {StackGroups|null} */
  #groups = null;

  /** @param {HeapReport} report @param {Direction} direction */
  constructor(report, direction) {
    this.#report = report;
    this.#direction = direction;
    const title = direction === "callers" ? "Callers" : "Callees";
    this.element = element("section", {class: "stack-tree"},
                           element("h4", {}, title), this.#table);
  }

  /**
   * @param {StackGroups} groups
   * @param {StackGroup} start
   * @param {Selected} selected
   */
  show(groups, start, selected) {
    this.#groups = groups;
    this.#all = start.value;
    const titles = this.#report.isComparison ?
      ["Before", "After", "Change"] : ["Total", "%"];
    const body = element("tbody");
    this.#table.replaceChildren(
        element("caption", {class: "sr-only"},
                `${this.#direction} of ${selected.name}`),
        element("thead", {}, element(
            "tr", {},
            ...titles.map((title) =>
              element("th", {scope: "col", class: "number"}, title)),
            element("th", {scope: "col", class: "name"}, "Function"))),
        body);
    body.append(...this.#rows(start, 1));
    const isEmpty = body.rows.length === 0;
    this.element.hidden = isEmpty;
    if (!isEmpty) this.#openLargest(body.rows[0]);
  }

  // Opens the rows that hold nearly all, so that the first fork is visible.
  /** @param {HTMLTableRowElement} first */
  #openLargest(first) {
    const MOST = 12;
    const NEARLY_ALL = 0.8;
    let row = first;
    for (let i = 0; i < MOST; ++i) {
      const share = Number(row.dataset.share);
      const opener = row.querySelector("button.opener");
      if (!(share >= NEARLY_ALL) || !(opener instanceof HTMLElement)) return;
      opener.click();
      const next = row.nextElementSibling;
      if (!(next instanceof HTMLTableRowElement)) return;
      row = next;
    }
  }

  /** @param {StackGroup} group @param {number} level */
  #rows(group, level) {
    const groups = /** @type {StackGroups} */ (this.#groups);
    const parts = groups.next(group, this.#direction);
    const rows = parts.slice(0, StackTree.MOST_ROWS).map((part) =>
      this.#row(part, level));
    const rest = parts.slice(StackTree.MOST_ROWS);
    return rest.length > 0 ? [...rows, this.#moreRow(rest, level)] : rows;
  }

  /** @param {StackGroup} group @param {number} level */
  #row(group, level) {
    const {profile, state} = this.#report;
    const name = profile.labels[group.label];
    const link = stateLink(
        state, this.#report.functionState(group.label),
        {class: profile.frameClass(group.label), title: name}, name);
    const row = element(
        "tr", {"data-share": group.value / this.#all, "data-level": level},
        ...this.#numbers(group));
    const cell = element("td", {class: "name"},
                         this.#opener(group, level, row, name), link);
    // In a narrow window, little room is left beside the numbers.
    cell.style.paddingLeft = `min(${level * 14 - 6}px, 15vw)`;
    row.append(cell);
    return row;
  }

  /** @param {StackGroup} group */
  #numbers(group) {
    const {metric, isComparison} = this.#report;
    const {value, base} = group;
    const number =
        (/** @type {string} */ text, /** @type {string} */ tone = "") =>
            element("td", {class: `number ${tone}`.trim()}, text);
    if (!isComparison)
      return [number(formatCell(value, metric)),
              number(formatShare(value, this.#all))];
    const verdict = this.#groups?.verdict(group) ?? 0;
    const tone = verdict & GROWN ? "grown" : verdict & SHRUNK ? "shrunk" : "";
    return [number(formatCell(base, metric)),
            number(formatCell(value, metric)),
            number(formatChange(value - base, metric), tone)];
  }

  /**
   * The button that opens and closes a row.
   * @param {StackGroup} group @param {number} level
   * @param {HTMLTableRowElement} row @param {string} name
   */
  #opener(group, level, row, name) {
    const groups = /** @type {StackGroups} */ (this.#groups);
    if (groups.next(group, this.#direction).length === 0)
      return element("span", {class: "opener"});
    const opener = button("", () => {
      const isOpen = opener.getAttribute("aria-expanded") === "true";
      if (isOpen) closeRows(row, level);
      else row.after(...this.#rows(group, level + 1));
      opener.setAttribute("aria-expanded", String(!isOpen));
    }, {class: "opener", "aria-expanded": "false",
        "aria-label": `${this.#direction} of ${name}, level ${level}`});
    return opener;
  }

  /** @param {StackGroup[]} rest @param {number} level */
  #moreRow(rest, level) {
    const columns = this.#report.isComparison ? 4 : 3;
    const row = element("tr", {"data-level": level});
    const more = button(formatCount(rest.length, "more row"), () =>
      row.replaceWith(...rest.map((group) => this.#row(group, level))));
    row.append(element("td", {colspan: columns, class: "name"}, more));
    return row;
  }
}

/**
 * Removes the rows below `row`.
 * @param {HTMLElement} row
 * @param {number} level
 */
function closeRows(row, level) {
  for (let next = row.nextElementSibling;
       next instanceof HTMLElement && Number(next.dataset.level) > level;
       next = row.nextElementSibling)
    next.remove();
}
