// SPDX-License-Identifier: Apache-2.0
//
// How the URL states a free zoom: "0.25-0.05" is the part of the width that
// starts at a quarter and is a twentieth of the whole wide.
/** @import {Span} from "./flame_layout.js" */

/** @param {Span} span @param {number} whole  the size of the whole width */
export function textOfSpan({start, size}, whole) {
  const SIGNIFICANT = 4;
  const decimals = SIGNIFICANT - Math.floor(Math.log10(size / whole));
  const text = (/** @type {number} */ value) =>
    (value / whole).toFixed(decimals).replace(/\.?0+$/, "");
  return `${text(start)}-${text(size)}`;
}

/**
 * Null if the text does not state a part of the width.
 * @param {string} text @param {number} whole
 * @returns {Span|null}
 */
export function spanOfText(text, whole) {
  const found = text.match(/^(\d(?:\.\d+)?)-(\d(?:\.\d+)?)$/);
  if (!found) return null;
  const [from, share] = [Number(found[1]), Number(found[2])];
  if (!(share > 0 && share <= 1 && from + share <= 1.0001)) return null;
  return {start: Math.min(from, 1 - share) * whole, size: share * whole};
}
