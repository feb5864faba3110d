// SPDX-License-Identifier: Apache-2.0
//
// The names of boxes, as far as there is room.
import {formatCount} from "../shared/format.js";
import {lastPart} from "../shared/names.js";
import {html} from "./elements.js";
/** @import {Box, FlameFrames} from "./frames.js" */

const LEAST_CHARACTERS = 3;
const SAMPLE = "m".repeat(100);

export class Labels {
  #frames;
  #pen;
  #characterWidth;

  /** @param {FlameFrames} frames */
  constructor(frames) {
    this.#frames = frames;
    this.#pen = /** @type {CanvasRenderingContext2D} */ (
      html("canvas").getContext("2d"));
    this.#pen.font = "bold 11px monospace";
    this.#characterWidth = this.#pen.measureText(SAMPLE).width / SAMPLE.length;
  }

  /** @param {Box} box */
  nameOf(box) {
    switch (box.kind) {
      case "others": return formatCount(box.frames, "other frame");
      case "deeper": return formatCount(box.frames, "deeper frame");
      case "callers": return formatCount(box.frames, "caller");
      default: return this.#frames.nameOf(box.frame);
    }
  }

  /**
   * Empty if the box is too narrow.
   * @param {Box} box @param {number} width  where there may be text
   */
  textOf(box, width) {
    if (width < LEAST_CHARACTERS * this.#characterWidth) return "";
    const name = this.nameOf(box);
    if (box.kind !== "frame" || this.#widthOf(name) <= width)
      return this.#cutTo(width, name);
    const shortName = this.#frames.shortNameOf(box.frame);
    return this.#widthOf(shortName) <= width ? shortName :
      this.#cutTo(width, lastPart(shortName));
  }

  /** @param {string} text */
  #widthOf(text) {
    return /^[ -~]*$/.test(text) ? text.length * this.#characterWidth :
      this.#pen.measureText(text).width;
  }

  // Cuts the end of `text` if it is wider than `width`.
  /** @param {number} width @param {string} text */
  #cutTo(width, text) {
    if (this.#widthOf(text) <= width) return text;
    const characters = [...text];
    let room = Math.floor(width / this.#characterWidth) - 1;
    const shortened = () => `${characters.slice(0, room).join("")}…`;
    while (room > 1 && this.#widthOf(shortened()) > width) --room;
    return shortened();
  }
}
