// SPDX-License-Identifier: Apache-2.0
//
// What is known about a box, near it.
import {draw, html} from "./elements.js";

const WIDTH = 560;

export class Tip {
  #tip = html("div", {id: "tip"});
  element = draw("foreignObject", {id: "tip-place", visibility: "hidden"},
                 this.#tip);

  hide() {
    this.element.setAttribute("visibility", "hidden");
  }

  /**
   * Shows it near a point of the picture.
   * @param {{name: string, module: string, details: string}} facts
   * @param {{x: number, y: number}} point
   * @param {{width: number, margin: number, frameHeight: number}} picture
   */
  show({name, module, details}, {x, y}, {width, margin, frameHeight}) {
    this.#tip.replaceChildren(html("b", {}, name),
        ...(module === "" ? [] : [html("i", {}, module)]), details);
    this.#set("width", Math.min(WIDTH, width - 2 * margin));
    this.#set("height", 2000);
    const {offsetWidth, offsetHeight} = this.#tip;
    this.#set("height", offsetHeight);
    const bottom = window.scrollY + window.innerHeight;
    const below = y + frameHeight + 4;
    this.#set("x", Math.max(0, Math.min(x + 12, width - offsetWidth)));
    this.#set("y", below + offsetHeight < bottom ? below :
      Math.max(window.scrollY, y - offsetHeight - 8));
    this.element.setAttribute("visibility", "visible");
  }

  /** @param {string} name @param {number} value */
  #set(name, value) {
    this.element.setAttribute(name, String(value));
  }
}
