// SPDX-License-Identifier: Apache-2.0
import {button, element} from "./dom.js";

const HELP_KEYS = [
  ["← → ↑ ↓", "select the frame beside, above or below"],
  ["Enter", "zoom to the selected frame"],
  ["Backspace", "zoom out to its caller"],
  ["0 or Esc", "show all"],
  ["+ − < >", "zoom in and out, move"],
  ["/ or Ctrl F", "search by regular expression; Enter: next match. " +
                  "In a table, / goes to its filter"],
  ["n", "next match; in a comparison without a search: next change"],
  ["f", "count only the selected subtree"],
  ["h", "hide the selected subtree"],
  ["t", "open the function in the table"],
  ["c", "copy the stack as text"],
  ["m", "copy the frame and its stack as Markdown, for a ticket"],
];

const HELP_POINTER = [
  ["Click", "zoom to a frame; to one above it to zoom out"],
  ["Right-click", "what can be done with a frame"],
  ["Drag, Shift + wheel", "move"],
  ["Ctrl + wheel, two fingers", "zoom"],
];

/** Explains the flame graph. */
export function showHelp() {
  const list = (/** @type {string[][]} */ rows) => element(
      "dl", {}, ...rows.flatMap(([what, does]) =>
        [element("dt", {}, what), element("dd", {}, does)]));
  const dialog = element(
      "dialog", {"aria-label": "Help", close: () => dialog.remove()},
      element("h2", {}, "Flame graph"),
      element("p", {}, "A frame is a function call. Its width is what it and ",
              "its callees hold. Its callees are below it, the largest first. ",
              "In a comparison, “width” chooses whether that is what they hold ",
              "before, after, the larger of both, or the change. ",
              "The address of this page keeps the view."),
      element("h3", {}, "Keys"), list(HELP_KEYS),
      element("h3", {}, "Mouse and fingers"), list(HELP_POINTER),
      button("Close", () => dialog.close()));
  document.body.append(dialog);
  dialog.showModal();
}
