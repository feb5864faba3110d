// SPDX-License-Identifier: Apache-2.0
//
// The tab with the values of several dumps: of all, of the selected function,
// and what grew.
import {csvText} from "./csv.js";
import {button, element} from "./dom.js";
import {formatAmount, formatCell, formatChange} from "../shared/format.js";
import {saveText} from "./save_file.js";
import {zoomTo} from "./state.js";
import {stateLink} from "./state_link.js";
import {sectionOf} from "./tabs.js";
import {BAND_COLORS, drawTimeChart} from "./time_chart.js";
import {Timeline} from "./timeline.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Band, TimeChart} from "./time_chart.js" */

export class TimelineTab {
  id = "timeline";
  title = "Timeline";
  #report;
  #key = "";
  #charts = element("div");
  #growth = element("div");
  #values = element("div");
  /** @type {Timeline|null} */
  #timeline = null;
  /** @type {TimeChart[]} */
  #shown = [];

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.section.append(this.#charts, this.#growth, this.#values);
    new ResizeObserver(() => this.#draw()).observe(this.#charts);
  }

  update() {
    const {metricIndex, profile, state, valuesKey, selected} = this.#report;
    const key = `${valuesKey} ${state.get("select")}`;
    if (key === this.#key) return;
    this.#key = key;
    const chosen = selected && this.#report.callsOf(selected);
    const timeline = new Timeline(
        profile, metricIndex, chosen ? chosen.shown : this.#report.shownTree);
    this.#timeline = timeline;
    this.#showCharts(timeline, chosen?.nodes ?? []);
    this.#showGrowth(timeline);
    this.#showValues(timeline, chosen?.nodes ?? []);
  }

  exports() {
    /** @param {string} name @param {string} text */
    const save = (name, text) => saveText(name, text, "text/csv");
    return [
      {text: "Values: CSV", run: () => save("timeline.csv", this.#valuesCsv())},
      {text: "What grew: CSV", run: () => save("growth.csv", this.#growthCsv())},
    ];
  }

  /** A row for each dump, with a column for each band of the charts. */
  #valuesCsv() {
    const bands = this.#shown.flatMap((chart) => chart.bands);
    return csvText([
      ["dump", "time", ...bands.map(({name}) => name)],
      ...this.#report.profile.header.dumps.map(({name, time}, i) =>
        [name, formatTime(time), ...bands.map(({values}) => values[i])]),
    ]);
  }

  #growthCsv() {
    const {labels} = this.#report.profile;
    return csvText([
      ["function", "first", "last", "change"],
      ...(this.#timeline?.growth() ?? []).map(({label, first, last}) =>
        [labels[label], first, last, last - first]),
    ]);
  }

  /** @param {Timeline} timeline @param {number[]} calls  those selected */
  #showCharts(timeline, calls) {
    const {selected, metric} = this.#report;
    const all = {name: "all", values: timeline.ofSubtree(0)};
    this.#shown = [this.#chart(`all ${metric.title}`, [all])];
    if (selected)
      this.#shown.push(this.#chart(
          `${metric.title} of ${selected.name}, by stack`,
          timeline.bands(calls)));
    this.#draw();
  }

  /** @param {string} label @param {Band[]} bands @returns {TimeChart} */
  #chart(label, bands) {
    const {profile, metric} = this.#report;
    const {dumps} = profile.header;
    return {label, bands, dumps: dumps.map(({name}) => name),
            places: dumpPlaces(dumps.map(({time}) => time)),
            format: (value) => formatAmount(value, metric),
            formatTick: (value) =>
              formatCell(value, metric).replace(/\.0+ /, " "),
            base: metric.is_bytes ? 1024 : 1000};
  }

  #draw() {
    const width = this.#charts.clientWidth;
    if (width === 0) return;
    const {state} = this.#report;
    this.#charts.replaceChildren(...this.#shown.map((chart, i) => element(
        "figure", {}, element("figcaption", {class: "frame"}, chart.label, " ",
          i === 0 ? "" : button("×", () => state.set({select: ""}),
                                {"aria-label": "Close", class: "close"})),
        drawTimeChart(chart, width), i === 0 ? "" : bandLegend(chart.bands))));
  }

  /** @param {Timeline} timeline */
  #showGrowth(timeline) {
    const {profile, metric, state} = this.#report;
    const rows = timeline.growth().map(({label, first, last}) => element(
        "tr", {},
        ...[formatCell(first, metric), formatCell(last, metric),
            formatChange(last - first, metric)].map((text) =>
          element("td", {class: "number"}, text)),
        element("td", {class: "name"}, stateLink(
            state, {select: `f${label}`}, {class: profile.frameClass(label)},
            profile.labels[label]))));
    this.#growth.replaceChildren(
        element("h3", {}, "What grew most from the first dump to the last"),
        plainTable("Functions that grew most",
                   ["First", "Last", "Change", "Function"], rows));
    this.#growth.hidden = rows.length === 0;
  }

  /** @param {Timeline} timeline @param {number[]} calls  those selected */
  #showValues(timeline, calls) {
    const {profile, metric, selected, state} = this.#report;
    const all = timeline.ofSubtree(0);
    const chosen = selected ? timeline.ofCalls(calls) : null;
    const rows = profile.header.dumps.map(
        ({name, time}, i) => element(
            "tr", {},
            element("td", {class: "number"}, formatCell(all[i], metric)),
            ...chosen ?
                [element(
                    "td", {class: "number"}, formatCell(chosen[i], metric))] :
                [],
            element("td", {class: "number"}, formatTime(time)),
            element("td", {class: "name"}, stateLink(
                state, {tab: "flame", dump: i, thread: "", ...zoomTo(0)}, {},
                name))));
    const titles = selected ? ["All", "Selected", "Time", "Dump"] :
      ["All", "Time", "Dump"];
    this.#values.replaceChildren(
        element("h3", {}, "Values"),
        plainTable(`${metric.title} by dump`, titles, rows));
  }
}

/**
 * The last column is text, the others are numbers.
 * @param {string} caption
 * @param {string[]} titles
 * @param {HTMLElement[]} rows
 */
function plainTable(caption, titles, rows) {
  const last = titles.length - 1;
  return element(
      "table", {}, element("caption", {class: "sr-only"}, caption),
      element("thead", {}, element("tr", {}, ...titles.map((title, i) =>
        element("th", {scope: "col", class: i === last ? "name" : "number"},
                title)))),
      element("tbody", {}, ...rows));
}

/** @param {Band[]} bands */
function bandLegend(bands) {
  return element(
      "ul", {class: "legend bands"},
      ...[...bands.entries()].reverse().map(([i, {name}]) => element(
          "li", {class: "frame"},
          element("span", {class: `sample band-${i % BAND_COLORS}`,
                           "aria-hidden": "true"}), ` ${name}`)));
}

/**
 * Where dumps are: by time if it increases, else evenly.
 * @param {number[]} times
 */
function dumpPlaces(times) {
  const last = times.length - 1;
  const isRising = times.every((time, i) => i === 0 || time > times[i - 1]);
  if (last === 0) return [0];
  return times.map((time, i) => isRising ?
    (time - times[0]) / (times[last] - times[0]) : i / last);
}

/** As UtcTime() in C++. @param {number} time  in seconds since 1970 */
function formatTime(time) {
  const LAST = 253402300799;  // of the year 9999
  if (!(time > 0)) return "";
  return `${new Date(1000 * Math.min(time, LAST)).toISOString().slice(0, 19)
      .replace("T", " ")} UTC`;
}
