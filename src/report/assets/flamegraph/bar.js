// SPDX-License-Identifier: Apache-2.0
//
// The bar above the boxes: title, search and buttons.
import {byId, draw, html} from "./elements.js";

/** @param {string} id */
const textOf = (id) => byId(id, SVGElement).dataset.whole ?? "";

export class Bar {
  input = html("input", {
    type: "search", placeholder: "Regular expression (Ctrl-F)",
    "aria-label": "Search", spellcheck: "false", autocomplete: "off",
  });
  searchButton = html("button", {type: "button"}, "Search");
  resetButton = html("button", {type: "button"}, "Reset zoom");
  sideButton = html("button", {type: "button"});
  result = html("output", {"aria-live": "polite"});
  #bar;

  /** @param {boolean} isComparison */
  constructor(isComparison) {
    this.#bar = html("div", {id: "bar"},
        html("h1", {}, textOf("title")),
        html("p", {}, textOf("summary")),
        html("div", {id: "controls"}, this.input, this.searchButton,
             this.resetButton,
             ...(isComparison ? [this.sideButton, ...swatches()] : []),
             this.result));
    this.element = draw("foreignObject", {x: 0, y: 0}, this.#bar);
  }

  /** Lays it out. @param {number} width @returns {number} its height */
  fit(width) {
    this.element.setAttribute("width", String(width));
    this.element.setAttribute("height", "1000");
    const height = this.#bar.offsetHeight;
    this.element.setAttribute("height", String(height));
    return height;
  }

  followScroll() {
    this.element.setAttribute("y", String(window.scrollY));
  }
}

// What the colours of the legend in the file mean.
function swatches() {
  const legend = document.getElementById("legend");
  if (legend === null) return [];
  const size = {width: 12, height: 12};
  return [...legend.querySelectorAll("text")].map((name) => {
    const icon = draw("svg", size);
    for (let rect = name.previousElementSibling; rect?.tagName === "rect";
         rect = rect.previousElementSibling)
      icon.prepend(
          draw("rect", {class: rect.getAttribute("class") ?? "", ...size}));
    return html("span", {class: "swatch"}, icon, name.textContent ?? "");
  });
}
