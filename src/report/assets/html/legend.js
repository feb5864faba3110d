// SPDX-License-Identifier: Apache-2.0
import {element} from "./dom.js";

/** Says what the colours of a comparison mean. */
export function changeLegend() {
  const sample = (/** @type {string} */ name) =>
    element("span", {class: `sample ${name}`, "aria-hidden": "true"});
  const entry = (/** @type {string} */ text, /** @type {Node[]} */...samples) =>
      element("li", {}, ...samples, ` ${text}`);
  return element(
      "ul", {class: "legend", "aria-label": "Colours"},
      entry(
          "shrunk", sample("shrunk-3"), sample("shrunk-2"), sample("shrunk-1")),
      entry("unchanged or may be chance", sample("noise")),
      entry("leads to a change", sample("shrunk-inside"),
            sample("grown-inside")),
      entry("grown", sample("grown-1"), sample("grown-2"), sample("grown-3")),
      entry("new", sample("new")));
}
