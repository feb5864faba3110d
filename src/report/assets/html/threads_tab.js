// SPDX-License-Identifier: Apache-2.0
//
// The tab with what each thread holds.
import {csvText} from "./csv.js";
import {DataTable, orderedRows} from "./data_table.js";
import {element} from "./dom.js";
import {ErrorModel} from "./error_model.js";
import {formatCell, formatError, formatShare} from "../shared/format.js";
import {saveText} from "./save_file.js";
import {zoomTo} from "./state.js";
import {stateLink} from "./state_link.js";
import {errorSize} from "./table_columns.js";
import {sectionOf} from "./tabs.js";
import {threadTitle} from "./thread_title.js";
/** @import {ErrorsOfSums, Metric} from "./block.js" */
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {Part} from "./profile.js" */
/** @import {Column} from "./table_columns.js" */

export class ThreadsTab {
  id = "threads";
  title = "Threads";
  #report;
  #table;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.#table = new DataTable((sort) => report.state.set({sort}, true));
    this.section.append(
        element(
            "p", {class: "hint"}, "Choose a thread to see its flame graph."),
        this.#table.element);
  }

  update() {
    const {metric, profile, part, state} = this.#report;
    const {threads} = profile.header;
    const names = threads.map(threadTitle);
    const columns = threadColumns(threads.map((thread, index) => ({
      uid: thread.uid, total: this.#total(index),
      interval: this.#interval(index), top: this.#topFunction(index),
    })), metric);
    const ids = ["name", ...columns.map(({id}) => id)];
    const wanted = state.get("sort");
    const sort = ids.includes(wanted.replace(/^-/, "")) ? wanted : "total";
    this.#table.show({
      caption: `${metric.title} by thread`, sort, columns,
      rows: orderedRows(columns, names, sort, [...names.keys()]),
      nameTitle: "Thread", name: (row) => this.#link(row, names[row]),
      isSelected: (row) => part.kind === "thread" && part.index === row,
    });
  }

  exports() {
    return [{text: "Table: CSV", run: () => saveText(
        "threads.csv", this.#csv(), "text/csv")}];
  }

  #csv() {
    const {threads} = this.#report.profile.header;
    return csvText([
      ["number", "thread", "total", "total_lower", "total_upper",
       "largest_function"],
      ...threads.map(({uid, name}, index) => {
        const interval = this.#interval(index);
        return [uid, name, this.#total(index), interval?.lower ?? "",
                interval?.upper ?? "", this.#topFunction(index)];
      }),
    ]);
  }

  /** @param {number} index */
  #total(index) {
    const {self} = this.#values(index);
    return self.reduce((sum, value) => sum + value, 0);
  }

  // What the filters leave of a thread, and the functions that are charged.
  /** @param {number} index */
  #values(index) {
    const {profile, metricIndex, filtered} = this.#report;
    const {node, self} =
        profile.sparse(metricIndex, {kind: "thread", index});
    if (!filtered)
      return {self, labels: Array.from(
          node, (i) => this.#charged(profile.tree, i))};
    const {tree, target} = filtered;
    const kept = this.#kept(node);
    return {self: Float64Array.from(kept, (i) => self[i]),
            labels: kept.map((i) => this.#charged(tree, target[node[i]]))};
  }

  /**
   * The innermost call of own code, else the one that allocates.
   * @param {CallTree} tree @param {number} leaf
   */
  #charged(tree, leaf) {
    const {profile} = this.#report;
    let node = leaf;
    while (node !== 0 && !profile.isOwn(tree.label[node]))
      node = tree.parent[node];
    return tree.label[node === 0 ? leaf : node];
  }

  /** Which of a thread's nodes the filters leave. @param {Uint32Array} node */
  #kept(node) {
    const target = this.#report.filtered?.target;
    return [...node.keys()].filter((i) => !target || target[node[i]] >= 0);
  }

  /** @param {number} index @returns {Interval|null} */
  #interval(index) {
    const {profile, metric, metricIndex, filtered} = this.#report;
    if (filtered)
      return metric.errors && this.#filteredInterval(index, metric.errors);
    const bounds = profile.header.threads[index].intervals[metricIndex];
    return bounds && {lower: bounds[0], upper: bounds[1]};
  }

  /**
   * @param {number} index @param {ErrorsOfSums} errors
   * @returns {Interval|null}
   */
  #filteredInterval(index, errors) {
    const {profile, metricIndex} = this.#report;
    /** @type {Part} */
    const part = {kind: "thread", index};
    const {node, self} = profile.sparse(metricIndex, part);
    const variances = profile.sparseVariances(metricIndex, part);
    const sum = {value: 0, variance: 0};
    for (const i of this.#kept(node)) {
      sum.value += self[i];
      sum.variance += variances[i];
    }
    return sum.value === 0 ? null :
      new ErrorModel(errors).interval(sum, null, "entry");
  }

  /** @param {number} index */
  #topFunction(index) {
    const {profile, metricIndex, filtered} = this.#report;
    if (!filtered && metricIndex === profile.header.metric)
      return profile.header.threads[index].top;
    const {self, labels} = this.#values(index);
    /** @type {Map<number, number>} */
    const sums = new Map();
    labels.forEach((label, i) =>
      sums.set(label, (sums.get(label) ?? 0) + self[i]));
    const [top] = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return top ? profile.shortName(top[0]) : "";
  }

  /** @param {number} row @param {string} name */
  #link(row, name) {
    const {state} = this.#report;
    return stateLink(
        state, {thread: row, dump: "", tab: "flame", ...zoomTo(0)}, {}, name);
  }
}

/**
 * @param {{uid: number, total: number, interval: Interval|null, top: string}[]}
 *     rows
 * @param {Metric} metric
 * @returns {Column[]}
 */
function threadColumns(rows, metric) {
  const all = rows.reduce((sum, {total}) => sum + total, 0);
  const total = (/** @type {number} */ row) => rows[row].total;
  const interval = (/** @type {number} */ row) => rows[row].interval;
  /** @type {Column[]} */
  const columns = [
    {id: "total", title: "Total", class: "number", value: total,
     text: (row) => formatCell(total(row), metric)},
    {id: "total-error", title: "±", class: "number error",
     value: (row) => errorSize(total(row), interval(row)),
     text: (row) => formatError(total(row), interval(row))},
    {id: "share", title: "%", class: "number share", value: total,
     text: (row) => formatShare(total(row), all),
     share: (row) => total(row) / all},
    {id: "uid", title: "Number", class: "number", isAscending: true,
     value: (row) => -rows[row].uid, text: (row) => String(rows[row].uid)},
    {id: "top", title: "Most by", class: "frame",
     isAscending: true, value: (row) => rows[row].top,
     text: (row) => rows[row].top},
  ];
  return rows.some(({interval}) => interval) ? columns :
    columns.filter(({id}) => id !== "total-error");
}
