// SPDX-License-Identifier: Apache-2.0
//
// The tabs: which there are, and the bar that switches between them.
import {CallGraphTab} from "./call_graph_tab.js";
import {button, element, find} from "./dom.js";
import {FlameTab} from "./flame_tab.js";
import {OverviewTab} from "./overview_tab.js";
import {TableTab} from "./table_tab.js";
import {ThreadChangesTab} from "./thread_changes_tab.js";
import {ThreadsTab} from "./threads_tab.js";
import {TimelineTab} from "./timeline_tab.js";
/** @import {HeapReport, Tab} from "./heap_report.js" */

/** @param {HeapReport} report @returns {Tab[]} */
export function makeTabs(report) {
  const {threads, thread_changes: changes = [], dumps} = report.profile.header;
  /** @type {Tab[]} */
  const tabs = [new OverviewTab(report), new FlameTab(report),
                new TableTab(report), new CallGraphTab(report)];
  if (threads.length > 1) tabs.push(new ThreadsTab(report));
  if (changes.length > 1) tabs.push(new ThreadChangesTab(report));
  if (dumps.length > 1) tabs.push(new TimelineTab(report));
  return tabs;
}

/**
 * The section of a tab, made unless the page has it.
 * @param {string} id
 * @param {string} title
 */
export function sectionOf(id, title) {
  const there = document.getElementById(id);
  if (there) return there;
  const made = element("section", {id}, element("h2", {}, title));
  find("main").append(made);
  return made;
}

export class TabBar {
  #report;
  /** @type {Map<Tab, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.element = element("div", {role: "tablist", "aria-label": "Views",
                                   keydown: (event) => this.#press(event)});
    for (const tab of report.tabs) {
      const made = button(tab.title, () => this.#open(tab), {
        role: "tab", id: `tab-${tab.id}`, "aria-controls": tab.id});
      this.#buttons.set(tab, made);
      this.element.append(made);
      tab.section.setAttribute("role", "tabpanel");
      tab.section.setAttribute("aria-labelledby", made.id);
    }
  }

  /** @param {Tab} tab */
  #open(tab) {
    this.#report.state.set({tab: tab.id});
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const {tabs, tab} = this.#report;
    const steps = {ArrowLeft: -1, ArrowRight: 1};
    const step = steps[/** @type {"ArrowLeft"} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    this.#open(next);
    this.#buttons.get(next)?.focus();
  }

  update() {
    const current = this.#report.tab;
    const {dataset} = document.body;
    if (dataset.tab && dataset.tab !== current.id) window.scrollTo(0, 0);
    dataset.tab = current.id;
    for (const [tab, made] of this.#buttons) {
      const isCurrent = tab === current;
      made.setAttribute("aria-selected", String(isCurrent));
      made.tabIndex = isCurrent ? 0 : -1;
      tab.section.hidden = !isCurrent;
    }
  }
}
