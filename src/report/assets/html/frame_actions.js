// SPDX-License-Identifier: Apache-2.0
//
// What can be done with a frame of the flame graph: by buttons below it, by a
// menu, by keys.
import {button, element} from "./dom.js";
import {Menu} from "./menu.js";
/** @import {FlameTab} from "./flame_tab.js" */

/**
 * @typedef {{text: string, key: string, run: (node: number) => void, fits:
 *     (node: number) => boolean}} FrameAction
 */

/** @param {FlameTab} tab @returns {FrameAction[]} */
export function frameActions(tab) {
  const isFrame = (/** @type {number} */ node) => node > 0;
  return [
    {text: "Zoom", key: "Enter", run: (node) => tab.zoom(node),
     fits: (node) => node >= 0 && node !== tab.zoomed},
    {text: "Only this subtree", key: "f", run: (node) => tab.focus(node),
     fits: isFrame},
    {text: "Hide subtree", key: "h", run: (node) => tab.hide(node),
     fits: isFrame},
    {text: "Open in table", key: "t", run: (node) => tab.openInTable(node),
     fits: isFrame},
    {text: "Copy stack", key: "c", run: (node) => tab.copyStack(node),
     fits: isFrame},
    {text: "Copy as Markdown", key: "m", run: (node) => tab.copyFinding(node),
     fits: isFrame},
  ];
}

// The selected frame, below the graph.
export class FrameBar {
  #actions;
  #text = element("div", {class: "frame-text", role: "status"});
  #buttons = element("div", {class: "frame-actions"});

  /** @param {FrameAction[]} actions */
  constructor(actions) {
    this.#actions = actions;
    this.element = element("div", {class: "frame-bar"}, this.#text,
                           this.#buttons);
  }

  /**
   * @param {number} node  or -1
   * @param {(node: number, element: HTMLElement) => void} describe
   * @param {string} [hint]  said if there is no node
   */
  show(node, describe, hint = "") {
    this.#text.replaceChildren();
    if (node >= 0) describe(node, this.#text);
    else this.#text.append(element("span", {class: "hint"}, hint));
    this.#buttons.replaceChildren(
        ...this.#actions.filter(({fits}) => fits(node)).map(
            ({text, key, run}) => button(text, () => run(node), {
              "aria-keyshortcuts": key, title: `key: ${key}`})));
  }

  /** Says that something is done. @param {string} text */
  say(text) {
    this.#text.append(element("em", {}, text));
  }
}

export class FrameMenu {
  #actions;
  #menu;

  /**
   * @param {FrameAction[]} actions
   * @param {() => HTMLElement} canvas  gets the focus back
   */
  constructor(actions, canvas) {
    this.#actions = actions;
    this.#menu = new Menu(canvas);
  }

  /** @param {number} node @param {MouseEvent} event */
  open(node, event) {
    const items = this.#actions.filter(({fits}) => fits(node)).map(
        ({text, key, run}) => ({text, key, run: () => run(node)}));
    this.#menu.open("Frame", items, event.clientX, event.clientY);
  }
}
