// SPDX-License-Identifier: Apache-2.0
//
// The colours of frames. A module has the same hue as in the pictures that
// --flamegraph writes.
import {baseName} from "../shared/names.js";
import {GROWN, SHRUNK} from "./profile.js";
/** @import {Profile} from "./profile.js" */

/** @typedef {{fill: string, text: string}} FrameColor */
/** @typedef {[number, number, number]} Rgb  0 to 255 each */

/**
 * FNV-1a, so that a text has the same colour everywhere.
 * @param {string} text
 */
function hashOf(text) {
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(text))
    hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

/** @param {string} module */
function hueOf(module) {
  const spread = Math.imul(hashOf(baseName(module)), 2654435761) >>> 0;
  return Math.floor(spread * 360 / 2 ** 32);
}

/**
 * Degrees, per cent, per cent.
 * @param {number} hue
 * @param {number} saturation
 * @param {number} lightness
 * @returns {Rgb}
 */
function rgbOfHsl(hue, saturation, lightness) {
  const light = lightness / 100;
  const chroma = saturation / 100 * Math.min(light, 1 - light);
  const part = (/** @type {number} */ offset) => {
    const place = (offset + hue / 30) % 12;
    const slope = Math.min(place - 3, 9 - place, 1);
    return 255 * (light - chroma * Math.max(-1, slope));
  };
  return [part(0), part(8), part(4)];
}

/** @param {Rgb} from @param {Rgb} to @param {number} share @returns {Rgb} */
function mix(from, to, share) {
  const part = (/** @type {number} */ i) => from[i] + share * (to[i] - from[i]);
  return [part(0), part(1), part(2)];
}

/** The relative luminance of WCAG. @param {Rgb} color */
function luminance(color) {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Black text on light colours, white text on dark ones. Light and dark enough
 * for a contrast of 4.5.
 * @param {Rgb} color @param {boolean} isDark
 * @returns {FrameColor}
 */
function frameColor(color, isDark) {
  const [DARKEST, LIGHTEST] = [0.19, 0.165];
  const isReadable = () =>
    isDark ? luminance(color) <= LIGHTEST : luminance(color) >= DARKEST;
  while (!isReadable())
    color = mix(color, isDark ? [0, 0, 0] : [255, 255, 255], 0.05);
  const [red, green, blue] = color.map(Math.round);
  return {fill: `rgb(${red},${green},${blue})`, text: isDark ? "#fff" : "#000"};
}

// The colours of one scheme, dark or light.
export class Palette {
  static LEVELS = 8;  // of changes
  /** @type {Rgb} */
  static GREY = [212, 212, 212];
  /** @type {Rgb} */
  static DARK_GREY = [72, 72, 72];
  /** @type {Rgb} */
  static ORANGE = [242, 142, 43];
  /** @type {Rgb} */
  static BLUE = [88, 141, 201];
  /** @type {Map<string, FrameColor>} */
  #known = new Map();
  /** @type {FrameColor[][]} */
  #ofLabels = [[], []];  // not own only, own only
  #profile;
  #isDark;

  /** @param {Profile} profile @param {boolean} isDark */
  constructor(profile, isDark) {
    this.#profile = profile;
    this.#isDark = isDark;
    this.neutral = frameColor(isDark ? Palette.DARK_GREY : Palette.GREY, isDark);
    this.root = frameColor(isDark ? [52, 58, 66] : [226, 230, 235], isDark);
    this.match = frameColor(isDark ? [176, 48, 176] : [230, 90, 230], isDark);
    this.page = isDark ? "#15181c" : "#ffffff";
    this.line = isDark ? "#ffffff" : "#000000";
    this.text = isDark ? "#e6e9ed" : "#1b1f24";
  }

  /**
   * The colour of a function: the hue is that of its module; one's own code
   * stands out.
   * @param {number} label @param {boolean} ownOnly  other code is pale
   */
  ofLabel(label, ownOnly) {
    const known = this.#ofLabels[Number(ownOnly)];
    return known[label] ??= this.#labelColor(label, ownOnly);
  }

  /** @param {number} label @param {boolean} ownOnly */
  #labelColor(label, ownOnly) {
    const profile = this.#profile;
    const kind = profile.isOwn(label) ? "own" :
      ownOnly && profile.knowsOwn ? "pale" : "other";
    const shade = profile.labels[label].length % 3;
    const module = profile.labelModule[label];
    const key = `${module} ${kind} ${shade}`;
    return this.#remember(key, () =>
      this.#moduleColor(profile.moduleOf(label), kind, shade));
  }

  /**
   * @param {string} module
   * @param {"own"|"pale"|"other"} kind
   * @param {number} shade
   */
  #moduleColor(module, kind, shade) {
    const STEP = 4;
    const {saturation, light} = {
      own: {saturation: [62, 45], light: [68, 33]},
      other: {saturation: [42, 32], light: [76, 28]},
      pale: {saturation: [18, 10], light: [84, 22]},
    }[kind];
    const i = this.#isDark ? 1 : 0;
    return rgbOfHsl(hueOf(module), module === "" ? 0 : saturation[i],
                    light[i] + STEP * shade);
  }

  /**
   * Orange: grown; blue: shrunk; grey: sampling may explain the change, with a
   * tint if a node inside has changed. The same in src/report/flame_colors.h.
   * @param {number} change  in values @param {number} largest  of all changes
   * @param {number} verdict  of Profile.changes()
   * @param {number} inside  the largest change of a node inside; 0: none
   */
  ofChange(change, largest, verdict, inside) {
    if ((verdict & (GROWN | SHRUNK)) === 0)
      return inside === 0 ? this.neutral :
        this.#remember(`inside ${inside > 0}`, () => this.#tint(inside > 0));
    const share = Math.min(1, Math.abs(change) / largest);
    const level = Math.max(1, Math.ceil(Palette.LEVELS * Math.sqrt(share)));
    return this.#remember(`change ${change > 0} ${level}`, () =>
      this.#changeColor(change > 0, level));
  }

  /** @param {boolean} hasGrown @returns {Rgb} */
  #tint(hasGrown) {
    const TINT = 0.25;
    return mix(this.#isDark ? Palette.DARK_GREY : Palette.GREY,
               hasGrown ? Palette.ORANGE : Palette.BLUE, TINT);
  }

  /** @param {boolean} hasGrown @param {number} level @returns {Rgb} */
  #changeColor(hasGrown, level) {
    const PALEST = 0.18;
    const deepest = this.#isDark ? 0.7 : 1;
    const depth =
        PALEST + (deepest - PALEST) * (level - 1) / (Palette.LEVELS - 1);
    return mix(this.#isDark ? [20, 20, 20] : [255, 255, 255],
               hasGrown ? Palette.ORANGE : Palette.BLUE, depth);
  }

  /** @param {string} key @param {() => Rgb} compute */
  #remember(key, compute) {
    let color = this.#known.get(key);
    if (!color) {
      color = frameColor(compute(), this.#isDark);
      this.#known.set(key, color);
    }
    return color;
  }
}
