// SPDX-License-Identifier: Apache-2.0
//
// What can be done with a frame of the flame graph: by buttons below it, by a
// menu, by keys.
import {button, element} from "./dom.js";
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
  #canvas;
  /** @type {HTMLElement|null} */
  #menu = null;

  /**
   * @param {FrameAction[]} actions
   * @param {() => HTMLElement} canvas  gets the focus back
   */
  constructor(actions, canvas) {
    this.#actions = actions;
    this.#canvas = canvas;
    document.addEventListener("pointerdown", (event) => {
      if (!this.#menu?.contains(/** @type {Node} */ (event.target)))
        this.close();
    });
    for (const moved of ["hashchange", "wheel", "resize"])
      window.addEventListener(moved, () => this.#remove());
  }

  /** @param {number} node @param {MouseEvent} event */
  open(node, event) {
    this.close();
    const items = this.#actions.filter(({fits}) => fits(node)).map(
        ({text, key, run}) => button(text, () => {
          this.close();
          run(node);
        }, {role: "menuitem", "data-key": key}));
    this.#menu = element("div", {class: "menu", role: "menu",
                                 keydown: (key) => this.#press(key)}, ...items);
    document.body.append(this.#menu);
    const {width, height} = this.#menu.getBoundingClientRect();
    const {clientWidth, clientHeight} = document.documentElement;
    this.#menu.style.left =
        `${Math.max(0, Math.min(event.clientX, clientWidth - width))}px`;
    this.#menu.style.top =
        `${Math.max(0, Math.min(event.clientY, clientHeight - height))}px`;
    items[0]?.focus();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const items = [...this.#menu?.children ?? []];
    const at = items.indexOf(/** @type {Element} */ (document.activeElement));
    const steps = {ArrowUp: -1, ArrowDown: 1};
    const step = steps[/** @type {"ArrowUp"} */ (event.key)];
    if (event.key === "Escape" || event.key === "Tab") this.close();
    const named = items.find((item) =>
      item.getAttribute("data-key") === event.key && event.key !== "Enter");
    if (named instanceof HTMLElement) {
      event.preventDefault();
      named.click();
    }
    if (!step) return;
    event.preventDefault();
    const next = items[(at + step + items.length) % items.length];
    /** @type {HTMLElement} */ (next).focus();
  }

  close() {
    if (this.#menu) this.#canvas().focus({preventScroll: true});
    this.#remove();
  }

  #remove() {
    this.#menu?.remove();
    this.#menu = null;
  }
}
