// SPDX-License-Identifier: Apache-2.0
//
// What the tab that is shown can be exported as.
import {copyText} from "./clipboard.js";
import {button, element, find} from "./dom.js";
import {foldedStacks} from "./folded.js";
import {Menu} from "./menu.js";
import {saveFile, saveText} from "./save_file.js";
/** @import {Graph} from "./graph.js" */
/** @import {HeapReport} from "./heap_report.js" */

/**
 * @typedef {object} Export
 * @property {string} text
 * @property {() => string|Promise<string>} run  returns what to say
 */

// Not a <select>: there, an arrow key alone would save a file.
export class ExportMenu {
  #report;
  #button = button("Export", () => this.#toggle(), {
    "aria-haspopup": "menu", "aria-expanded": "false"});
  #menu = new Menu(() => this.#button, true);
  #said = element("output", {class: "hint"});
  /** @type {Export[]} */
  #exports = [];

  /** @param {HeapReport} report */
  constructor(report) {
    this.#report = report;
    this.element = element("span", {class: "export"}, this.#button,
                           this.#said);
  }

  update() {
    this.#exports = this.#report.tab.exports?.() ?? [];
    this.#said.textContent = "";
    this.#button.disabled = this.#exports.length === 0;
  }

  #toggle() {
    if (this.#menu.isOpen) return this.#menu.close();
    const {left, bottom} = this.#button.getBoundingClientRect();
    const GAP = 2;
    this.#menu.open("Export", this.#exports.map(({text, run}) => ({
      text,
      run: async () => { this.#said.textContent = await run(); },
    })), left, bottom + GAP);
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
    {text: "Picture: SVG", run: () => saveText(
        "svg", picture.svgPicture(title()), "image/svg+xml")},
    {text: "Picture: PNG", run: async () => {
      const file = await picture.pngPicture();
      return file ? saveFile("png", file) : "the picture is too large";
    }},
    {text: "Stacks: folded", run: () => saveText(
        "folded.txt",
        foldedStacks(graph(), report.profile.labels), "text/plain")},
  ];
}

/** @param {() => string} finding  as Markdown @returns {Export} */
export function findingExport(finding) {
  return {text: "Copy finding as Markdown", run: async () =>
    await copyText(finding()) ? "copied" :
      "the browser does not allow copying"};
}
