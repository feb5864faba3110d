// SPDX-License-Identifier: Apache-2.0
//
// The keys of a flame graph. KEYS has all of them.
/** @import {Picture} from "./picture.js" */

/** @param {Picture} picture */
export function listenToKeys(picture) {
  const upwards = picture.isInverted ? -1 : 1;
  const zoomIn = () => picture.zoomIn(picture.boxes[picture.focused]);
  const zoomOut = () => picture.zoomOut();
  const search = () => picture.startSearch();
  /** @type {Record<string, () => void>} */
  const KEYS = {
    "/": search,
    "F3": search,
    "ArrowUp": () => moveAlong(picture, upwards),
    "ArrowDown": () => moveAlong(picture, -upwards),
    "ArrowLeft": () => moveAside(picture, -1),
    "ArrowRight": () => moveAside(picture, 1),
    "Enter": zoomIn,
    " ": zoomIn,
    "-": zoomOut,
    "Backspace": zoomOut,
    "0": () => picture.zoomTo([0]),
    "s": () => picture.switchSides(),
    "Escape": () => picture.escape(),
  };
  document.addEventListener("keydown", (event) => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    if (event.target === picture.bar.input) {
      if (event.key === "Escape") picture.clearSearch();
      if (event.key === "Enter") picture.bar.input.blur();
      return;  // a second Ctrl-F is the browser's
    }
    const isOurs = isFind || !(event.ctrlKey || event.metaKey || event.altKey);
    const act = isFind ? search : KEYS[event.key];
    const isOnButton = event.target instanceof HTMLButtonElement &&
        (event.key === "Enter" || event.key === " ");
    if (!isOurs || act === undefined || isOnButton) return;
    event.preventDefault();
    act();
  });
}

/**
 * Moves the focus to the box at the next level towards the leaves (1) or the
 * callers (-1).
 * @param {Picture} picture @param {number} step
 */
function moveAlong(picture, step) {
  if (picture.focused < 0) return picture.focus(0);
  const from = picture.boxes[picture.focused];
  const next = picture.boxes.findIndex((box) =>
    box.level === from.level + step &&
    (step > 0 ? box.x + box.width > from.x + 1e-6 &&
                box.x < from.x + from.width - 1e-6 :
                box.x <= from.x + 1e-6 && from.x < box.x + box.width));
  if (next >= 0) picture.focus(next);
}

/** @param {Picture} picture @param {1|-1} step */
function moveAside(picture, step) {
  if (picture.focused < 0) return picture.focus(0);
  const {boxes} = picture;
  const from = boxes[picture.focused];
  let next = -1;
  boxes.forEach((box, i) => {
    if (box.level !== from.level || step * (box.x - from.x) <= 0) return;
    if (next < 0 || step * (box.x - boxes[next].x) < 0) next = i;
  });
  if (next >= 0) picture.focus(next);
}
