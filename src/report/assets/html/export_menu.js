// SPDX-License-Identifier: Apache-2.0
//
// What the tab that is shown can be exported as.
import {copyText} from "./clipboard.js";
import {chooser, element, find} from "./dom.js";
import {foldedStacks} from "./folded.js";
import {saveFile, saveText} from "./save_file.js";
/** @import {Graph} from "./graph.js" */
/** @import {HeapReport} from "./heap_report.js" */

/**
 * @typedef {object} Export
 * @property {string} text
 * @property {() => string|Promise<string>} run  returns what to say
 */

export class ExportMenu {
  #report;
  #chooser;
  #said = element("output", {class: "hint"});
  /** @type {Export[]} */
  #exports = [];

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.#chooser = chooser("Export", [], (index) => this.#run(Number(index)));
    this.element = element("span", {class: "export"}, this.#chooser,
                           this.#said);
  }

  update() {
    this.#exports = this.#report.tab.exports?.() ?? [];
    this.#said.textContent = "";
    this.#chooser.hidden = this.#exports.length === 0;
    this.#chooser.replaceChildren(
        element("option", {value: ""}, "export…"),
        ...this.#exports.map(({text}, i) =>
          element("option", {value: i}, text)));
  }

  /** @param {number} index */
  async #run(index) {
    this.#chooser.value = "";
    this.#said.textContent = await this.#exports[index].run();
  }
}

/**
 * @typedef {object} Picture
 * @property {(title: string) => string} svgPicture
 * @property {() => Promise<Blob|null>} pngPicture  null: it is too large
 */

/**
 * Of a picture of a graph.
 * @param {HeapReport} report @param {Picture} picture
 * @param {() => Graph} graph  that it shows
 * @returns {Export[]}
 */
export function pictureExports(report, picture, graph) {
  const title = () => find("h1").textContent ?? "";
  return [
    {text: "picture: SVG", run: () => saveText(
        "svg", picture.svgPicture(title()), "image/svg+xml")},
    {text: "picture: PNG", run: async () => {
      const file = await picture.pngPicture();
      return file ? saveFile("png", file) : "the picture is too large";
    }},
    {text: "stacks: folded", run: () => saveText(
        "folded.txt",
        foldedStacks(graph(), report.profile.labels), "text/plain")},
  ];
}

/** @param {() => string} finding  as Markdown @returns {Export} */
export function findingExport(finding) {
  return {text: "copy finding as Markdown", run: async () =>
    await copyText(finding()) ? "copied" :
      "the browser does not allow copying"};
}
