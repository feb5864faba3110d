// SPDX-License-Identifier: Apache-2.0
import {element, find} from "./dom.js";

/**
 * Lets the browser save a file, named after the page. Returns what to say.
 * @param {string} ending  "table.csv" @param {Blob} content
 */
export function saveFile(ending, content) {
  const title = find("h1").textContent ?? "";
  const stem = title.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "");
  const url = URL.createObjectURL(content);
  element("a", {href: url, download: `${stem}.${ending}`}).click();
  // The browser reads it after the click.
  const LONG_ENOUGH = 60_000;
  setTimeout(() => URL.revokeObjectURL(url), LONG_ENOUGH);
  return "saved";
}

/** @param {string} ending @param {string} text @param {string} type */
export function saveText(ending, text, type) {
  const blob = new Blob([text], {type: `${type};charset=utf-8`});
  return saveFile(ending, blob);
}
