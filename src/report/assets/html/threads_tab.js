// SPDX-License-Identifier: Apache-2.0
//
// The tab with what each thread holds.
"use strict";

class ThreadsTab {
  id = "threads";
  title = "Threads";
  #report;
  #table;
  #sort = "total";

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.#table = new DataTable((sort) => {
      this.#sort = sort;
      this.update();
    });
    this.section.append(
        element(
            "p", {class: "hint"}, "Choose a thread to see its flame graph."),
        this.#table.element);
  }

  update() {
    const {metric, profile, part} = this.#report;
    const {threads} = profile.header;
    const totals = threads.map((_, index) => this.#total(index));
    const all = totals.reduce((sum, total) => sum + total, 0);
    const names = threads.map(threadName);
    const top = threads.map((_, index) => this.#topFunction(index));
    const errors = threads.map((_, index) => this.#interval(index));
    /** @type {Column[]} */
    const columns = [
      {
        id: "total",
        title: "Total",
        class: "number",
        value: (row) => totals[row],
        text: (row) => formatCell(totals[row], metric)
      },
      {
        id: "total-error",
        title: "±",
        class: "number error",
        value: (row) => errorSize(totals[row], errors[row]),
        text: (row) => formatError(totals[row], errors[row])
      },
      {
        id: "share",
        title: "%",
        class: "number share",
        value: (row) => totals[row],
        text: (row) => formatShare(totals[row], all),
        share: (row) => totals[row] / all
      },
      {
        id: "uid",
        title: "Number",
        class: "number",
        value: (row) => -threads[row].uid,
        text: (row) => String(threads[row].uid)
      },
      {
        id: "top",
        title: "Allocates most itself",
        class: "frame",
        value: (row) => top[row],
        text: (row) => top[row]
      },
    ];
    this.#table.show({
      caption: `${metric.title} by thread`, sort: this.#sort,
      columns: errors.some(Boolean) ? columns :
        columns.filter(({id}) => id !== "total-error"),
      rows: orderedRows(columns, names, this.#sort, [...names.keys()]),
      nameTitle: "Thread", name: (row) => this.#link(row, names[row]),
      isSelected: (row) => part.kind === "thread" && part.index === row,
    });
  }

  /** @param {number} index */
  #total(index) {
    const {profile, metricIndex} = this.#report;
    return profile.sparse(metricIndex, {kind: "thread", index}).self.reduce(
        (sum, value) => sum + value, 0);
  }

  /** @param {number} index @returns {Interval|null} */
  #interval(index) {
    const {profile, metricIndex} = this.#report;
    const bounds = profile.header.threads[index].intervals[metricIndex];
    return bounds && {lower: bounds[0], upper: bounds[1]};
  }

  /** @param {number} index */
  #topFunction(index) {
    const {profile, metricIndex} = this.#report;
    const {node, self} =
        profile.sparse(metricIndex, {kind: "thread", index});
    /** @type {Map<number, number>} */
    const sums = new Map();
    node.forEach((node, i) => {
      const label = profile.tree.label[node];
      sums.set(label, (sums.get(label) ?? 0) + self[i]);
    });
    const [top] = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return top ? profile.labels[top[0]] : "";
  }

  /** @param {number} row @param {string} name */
  #link(row, name) {
    const {state} = this.#report;
    return element("a", {
      href: state.link({thread: row, dump: "", tab: "flame", ...zoomTo(0)}),
    }, name);
  }
}
