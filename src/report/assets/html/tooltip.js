// SPDX-License-Identifier: Apache-2.0
//
// One box beside the pointer that says more about what is below it. The same
// facts can be had without a pointer.
import {element} from "./dom.js";

export const tooltip = {
  /** @type {HTMLElement|null} */
  element: null,

  /**
   * @param {number} x  of the pointer in the window @param {number} y
   * @param {(element: HTMLElement) => void} fill
   */
  show(x, y, fill) {
    const AWAY = 14;
    this.element ??= element("div", {id: "tooltip", "aria-hidden": "true"});
    const tip = this.element;
    if (!tip.isConnected) document.body.append(tip);
    tip.replaceChildren();
    fill(tip);
    tip.hidden = false;
    const {width, height} = tip.getBoundingClientRect();
    const {clientWidth, clientHeight} = document.documentElement;
    const isBelow = y + AWAY + height <= clientHeight;
    const left = Math.max(0, Math.min(x + AWAY, clientWidth - width - 4));
    const top = isBelow ? y + AWAY : Math.max(0, y - AWAY - height);
    tip.style.left = `${left}px`;
    tip.style.top = `${top}px`;
  },

  hide() {
    if (this.element) this.element.hidden = true;
  },
};
