// SPDX-License-Identifier: Apache-2.0
//
// The source of the selected function with what each line holds, in the metric
// that the page shows first.
import {element} from "./dom.js";
import {formatCell} from "../shared/format.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Selected} from "./selected.js" */

export class SourceView {
  #report;

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.element = element("section", {class: "source"});
  }

  /** @param {Selected} selected */
  show(selected) {
    const {sources} = this.#report.profile.header;
    const found = [...sources.keys()].filter((i) =>
      selected.label >= 0 && sources[i].label === selected.label + 1);
    this.element.hidden = found.length === 0;
    this.element.replaceChildren(...found.map((i) => this.#listing(i)));
  }

  /** @param {number} index */
  #listing(index) {
    const {profile, isComparison} = this.#report;
    const {sources, metrics, metric: first} = profile.header;
    const [source, metric] = [sources[index], metrics[first]];
    const prefix = `source.${index}.${metric.name}`;
    const self = profile.block.column(`${prefix}.self`);
    const total = profile.block.column(`${prefix}.total`);
    const what = `${isComparison ? "change of " : ""}${
      metric.title} of the whole profile`;
    const rows = source.lines.map(
        (text, i) => element(
            "tr", {class: total[i] ? "hot" : undefined},
            element(
                "td", {class: "number"},
                self[i] ? formatCell(self[i], metric) : ""),
            element(
                "td", {class: "number"},
                total[i] ? formatCell(total[i], metric) : ""),
            element(
                "td", {class: "number line"}, String(source.first_line + i)),
            element("td", {class: "code"}, text)));
    const file = profile.header.files[source.file - 1] ?? "";
    return element(
        "div", {},
        element("h4", {}, "Source"),
        element("p", {class: "hint"}, `${file}: ${what}`),
        element("table", {},
                element("caption", {class: "sr-only"},
                        `${what}, by line of ${file}`),
                element("thead", {}, element("tr", {}, ...[
                  ["Self", "number"], ["Total", "number"], ["Line", "number"],
                  ["Code", "code"]].map(([title, name]) =>
                  element("th", {scope: "col", class: name}, title)))),
                element("tbody", {}, ...rows)));
  }
}
