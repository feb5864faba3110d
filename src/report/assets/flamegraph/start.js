// SPDX-License-Identifier: Apache-2.0
//
// Replaces the boxes of a flame graph that is opened by itself in a browser by
// boxes that zoom. Without this script, and inside another page, the picture
// stays as it is.
import {byId} from "./elements.js";
import {FlameFrames} from "./frames.js";
import {listenToKeys} from "./keys.js";
import {Picture} from "./picture.js";

const svg = document.documentElement;
if (/** @type {unknown} */ (svg) instanceof SVGSVGElement &&
    document.currentScript?.parentNode === svg) {
  const data = JSON.parse(byId("data", SVGScriptElement).textContent ?? "");
  const picture = new Picture(svg, new FlameFrames(data));
  listenToKeys(picture);
}
