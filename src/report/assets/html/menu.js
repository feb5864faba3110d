// SPDX-License-Identifier: Apache-2.0
//
// A menu over the page, for the mouse, for fingers and for keys.
import {button, element} from "./dom.js";

/** @typedef {{text: string, key?: string, run: () => void}} MenuItem */

export class Menu {
  #opener;
  #isToggle;
  /** @type {HTMLElement|null} */
  #menu = null;

  /**
   * @param {() => HTMLElement} opener  gets the focus back
   * @param {boolean} [isToggle]  a click on the opener closes the menu
   */
  constructor(opener, isToggle = false) {
    this.#opener = opener;
    this.#isToggle = isToggle;
    document.addEventListener("pointerdown", ({target}) => {
      const at = /** @type {Node} */ (target);
      if (this.#menu?.contains(at) || isToggle && opener().contains(at)) return;
      this.close();
    });
    for (const moved of ["hashchange", "wheel", "resize"])
      window.addEventListener(moved, () => this.#remove());
  }

  get isOpen() {
    return this.#menu !== null;
  }

  /**
   * @param {string} label @param {MenuItem[]} items
   * @param {number} x @param {number} y  its corner, in pixels of the window
   */
  open(label, items, x, y) {
    this.close();
    const buttons = items.map(({text, key, run}) => button(text, () => {
      this.close();
      run();
    }, {role: "menuitem", "data-key": key}));
    this.#menu = element("div", {
      class: "menu", role: "menu", "aria-label": label,
      keydown: (event) => this.#press(event)}, ...buttons);
    document.body.append(this.#menu);
    const {width, height} = this.#menu.getBoundingClientRect();
    const {clientWidth, clientHeight} = document.documentElement;
    const inside = (/** @type {number} */ at, /** @type {number} */ end) =>
      `${Math.max(0, Math.min(at, end))}px`;
    this.#menu.style.left = inside(x, clientWidth - width);
    this.#menu.style.top = inside(y, clientHeight - height);
    if (this.#isToggle) this.#opener().setAttribute("aria-expanded", "true");
    buttons[0]?.focus();
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
    if (this.#menu) this.#opener().focus({preventScroll: true});
    this.#remove();
  }

  #remove() {
    this.#menu?.remove();
    this.#menu = null;
    if (this.#isToggle) this.#opener().setAttribute("aria-expanded", "false");
  }
}
