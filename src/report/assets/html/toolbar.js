// SPDX-License-Identifier: Apache-2.0
//
// What is shown in all tabs: the metric, and one thread or dump.
import {button, chooser, element, find} from "./dom.js";
import {ExportMenu} from "./export_menu.js";
import {FrameFacts} from "./frame_facts.js";
import {showHelp} from "./help.js";
import {threadTitle} from "./thread_title.js";
/** @import {HeapReport} from "./heap_report.js" */

export class Toolbar {
  #report;
  #metric;
  #thread;
  #dump;
  #exports;
  #total = find("#total").textContent;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    const {metrics, threads, dumps} = report.profile.header;
    const {state} = report;
    this.#metric = chooser(
        "Metric", metrics.map(({name, title}) => ({value: name, text: title})),
        (metric) => state.set({metric}));
    this.#thread = chooser(
        "Thread", withAll("all threads", threads.map(threadTitle)),
        (thread) => state.set({thread, dump: ""}));
    this.#dump = chooser(
        "Dump", withAll("all dumps", dumps.map(({name}) => name)),
        (dump) => state.set({dump, thread: ""}));
    this.#exports = new ExportMenu(report);
    this.#metric.hidden = metrics.length < 2;
    this.#thread.hidden = threads.length < 2;
    this.#dump.hidden = dumps.length < 2;
    this.element = element("div", {class: "toolbar", role: "group",
                                   "aria-label": "What is counted"},
                           this.#metric, this.#thread, this.#dump,
                           this.#exports.element,
                           button("?", showHelp, {"aria-label": "Help"}));
  }

  update() {
    const {metric, part} = this.#report;
    this.#metric.value = metric.name;
    this.#thread.value = part.kind === "thread" ? String(part.index) : "";
    this.#dump.value = part.kind === "dump" ? String(part.index) : "";
    this.#exports.update();
    this.#showTotal();
  }

  // The file says the total of what is shown first.
  #showTotal() {
    const {graph, metric, metricIndex, part, profile, filtered} = this.#report;
    const line = find("#total");
    const {header} = profile;
    if (metricIndex === header.metric && part.kind === "all" &&
        filtered === null) {
      line.textContent = this.#total;
      return;
    }
    const facts = new FrameFacts(profile, graph, metric, "all");
    const {threads, dumps} = header;
    const whose = part.kind === "thread" ?
      `, thread ${threadTitle(threads[part.index])}` :
      part.kind === "dump" ? `, ${dumps[part.index].name}` : "";
    line.textContent = `${facts.amount(0).replace(/, (100|0)%$/, "")} ${
      metric.state}${whose}${
      filtered ? ", what the filters leave" : ""}`;
  }
}

/** @param {string} all @param {string[]} names */
function withAll(all, names) {
  return [{value: "", text: all},
          ...names.map((text, i) => ({value: String(i), text}))];
}
