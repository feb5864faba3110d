// SPDX-License-Identifier: Apache-2.0
//
// Dark or light colours on canvases: as the system prefers, but always light on
// paper.
import {Palette} from "./colors.js";
/** @import {Profile} from "./profile.js" */

export const scheme = {
  dark: window.matchMedia("(prefers-color-scheme: dark)"),
  isPrinting: false,
  /** @type {Palette[]} */
  palettes: [],

  /** @param {Profile} profile @param {() => void} repaint */
  start(profile, repaint) {
    this.palettes = [new Palette(profile, false), new Palette(profile, true)];
    const print = (/** @type {boolean} */ isPrinting) => {
      this.isPrinting = isPrinting;
      repaint();
    };
    this.dark.addEventListener("change", repaint);
    window.addEventListener("beforeprint", () => print(true));
    window.addEventListener("afterprint", () => print(false));
  },
};

export function currentPalette() {
  return scheme.palettes[scheme.dark.matches && !scheme.isPrinting ? 1 : 0];
}
