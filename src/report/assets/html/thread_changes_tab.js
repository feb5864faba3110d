// SPDX-License-Identifier: Apache-2.0
//
// In a comparison, the tab with what each thread holds before and after.
import {csvOfRows} from "./csv.js";
import {DataTable, orderedRows} from "./data_table.js";
import {element} from "./dom.js";
import {IntervalList} from "./interval_list.js";
import {saveText} from "./save_file.js";
import {changeColumn, growthColumn, plainColumn, withoutEmptyErrors} from
  "./table_columns.js";
import {sectionOf} from "./tabs.js";
import {threadName} from "./thread_title.js";
/** @import {ThreadChange} from "./block.js" */
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Rows} from "./rows.js" */

export class ThreadChangesTab {
  id = "threads";
  title = "Threads";
  #report;
  #table;
  #note = element("p", {class: "hint", role: "status"});

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.#table = new DataTable((sort) => report.state.set({sort}, true));
    this.section.append(this.#note, this.#table.element);
  }

  get #threads() {
    return this.#report.profile.header.thread_changes ?? [];
  }

  get #rows() {
    const {metricIndex, profile} = this.#report;
    const {metrics} = profile.header;
    const {judge} = metrics[metricIndex];
    const rows = rowsOf(this.#threads, metricIndex);
    if (metrics[judge].has_errors)
      rows.judge =
          judge === metricIndex ? rows : rowsOf(this.#threads, judge);
    return rows;
  }

  update() {
    const {isFiltered, metric, state} = this.#report;
    this.#note.textContent = "The threads whose memory has changed. " +
        "Threads are matched by name, and those of one name are added up; " +
        "threads without a name are matched by their number." +
        (isFiltered ? " The filters above do not change this table." : "");
    const rows = this.#rows;
    const {total, baseTotal} = rows;
    const threads = this.#threads;
    const columns = withoutEmptyErrors(rows, [
      plainColumn("before", "Before", baseTotal ?? total, metric),
      plainColumn("after", "After", total, metric),
      ...changeColumn("total", "Change", rows, metric),
      growthColumn(rows),
      {id: "top", title: "Most by", class: "frame", isAscending: true,
       value: (row) => threads[row].top, text: (row) => threads[row].top},
    ]);
    const ids = ["name", ...columns.map(({id}) => id)];
    const wanted = state.get("sort");
    const sort = ids.includes(wanted.replace(/^-/, "")) ? wanted : "total";
    this.#table.show({
      caption: `${metric.title} by thread`, sort, columns,
      rows: orderedRows(columns, rows.names, sort, [...threads.keys()]),
      nameTitle: "Thread",
      name: (row) => element("span", {class: "frame"}, rows.names[row]),
      isSelected: () => false,
    });
  }

  exports() {
    return [{text: "Table: CSV", run: () => saveText(
        "threads.csv",
        csvOfRows("thread", this.#rows, [...this.#threads.keys()], false),
        "text/csv")}];
  }
}

/**
 * @param {ThreadChange[]} threads @param {number} metric
 * @returns {Rows}
 */
function rowsOf(threads, metric) {
  const values = threads.map((thread) => thread.values[metric]);
  const known = [...values.keys()].filter((row) => values[row][2] !== null);
  const bounds = (/** @type {0|1} */ end) =>
    Float64Array.from(known, (row) => values[row][2]?.[end] ?? 0);
  const total = Float64Array.from(values, ([, after]) => after);
  const baseTotal = Float64Array.from(values, ([before]) => before);
  const totalBounds =
      new IntervalList(Uint32Array.from(known), bounds(0), bounds(1));
  const names = threads.map(threadName);
  const hasChanged = (/** @type {number} */ row) => values[row][3];
  return {names, selections: threads.map(() => ""),
          self: total, total, baseSelf: baseTotal, baseTotal, sizes: null,
          selfBounds: totalBounds, totalBounds,
          hasChanged: {self: hasChanged, total: hasChanged}, judge: null};
}
