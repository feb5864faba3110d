// SPDX-License-Identifier: Apache-2.0
//
// Moves and zooms a picture that is opened by itself in a browser: by dragging
// and the wheel, or by the arrow keys, "+", "-" and "0", which shows all of it.
// Only the size and the viewBox of the <svg> element change. Without this
// script, and inside another page, the whole picture is there in its own size.
"use strict";
{
  const svg = document.currentScript.parentNode;
  const {x, y, width, height} = svg.viewBox.baseVal;
  const whole = {x, y, width, height};  // in points, as everything in the file
  const PIXELS_PER_POINT = 4 / 3;
  const LARGEST_SCALE = 8 * PIXELS_PER_POINT;
  const KEY_ZOOM = 1.25;
  const WHEEL_PIXELS_TO_DOUBLE = 300;
  const KEY_MOVE = 0.1;  // of the width or height of the window

  // The point in the middle of the window, and pixels per point.
  const view = {x: 0, y: 0, scale: 1};
  let dragged = null;  // the last position of the pointer that is down

  const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

  // The scale at which all is visible, without making a small picture larger.
  const smallestScale = (box) =>
      Math.min(box.width / whole.width, box.height / whole.height,
               PIXELS_PER_POINT);

  // Shows the view, corrected so that the picture cannot get lost.
  const show = () => {
    const box = svg.getBoundingClientRect();
    view.scale = clamp(view.scale, smallestScale(box), LARGEST_SCALE);
    view.x = clamp(view.x, whole.x, whole.x + whole.width);
    view.y = clamp(view.y, whole.y, whole.y + whole.height);
    const shownWidth = box.width / view.scale;
    const shownHeight = box.height / view.scale;
    svg.setAttribute(
        "viewBox",
        [view.x - shownWidth / 2, view.y - shownHeight / 2, shownWidth,
         shownHeight].join(" "));
  };

  const showAll = () => {
    view.x = whole.x + whole.width / 2;
    view.y = whole.y + whole.height / 2;
    view.scale = 0;
    show();
  };

  // Moves the window over the picture, by pixels.
  const move = (right, down) => {
    view.x += right / view.scale;
    view.y += down / view.scale;
    show();
  };

  // Zooms so that the point of the picture at `left` and `top`, pixels in the
  // window, stays where it is.
  const zoom = (factor, left, top) => {
    const box = svg.getBoundingClientRect();
    const scale = clamp(view.scale * factor, smallestScale(box), LARGEST_SCALE);
    const shift = 1 / view.scale - 1 / scale;
    view.x += (left - box.width / 2) * shift;
    view.y += (top - box.height / 2) * shift;
    view.scale = scale;
    show();
  };

  const pressKey = (key) => {
    const box = svg.getBoundingClientRect();
    const zoomInTheMiddle = (factor) =>
        zoom(factor, box.width / 2, box.height / 2);
    switch (key) {
      case "+":
      case "=":
        return zoomInTheMiddle(KEY_ZOOM);
      case "-":
        return zoomInTheMiddle(1 / KEY_ZOOM);
      case "0":
        return showAll();
      case "ArrowLeft":
        return move(-box.width * KEY_MOVE, 0);
      case "ArrowRight":
        return move(box.width * KEY_MOVE, 0);
      case "ArrowUp":
        return move(0, -box.height * KEY_MOVE);
      case "ArrowDown":
        return move(0, box.height * KEY_MOVE);
    }
  };

  const onWheel = (event) => {
    event.preventDefault();
    const PIXELS = {
      [WheelEvent.DOM_DELTA_PIXEL]: 1,
      [WheelEvent.DOM_DELTA_LINE]: 16,
      [WheelEvent.DOM_DELTA_PAGE]: svg.getBoundingClientRect().height,
    };
    const pixels = event.deltaY * PIXELS[event.deltaMode];
    zoom(2 ** (-pixels / WHEEL_PIXELS_TO_DOUBLE), event.clientX, event.clientY);
  };

  // A touch screen moves and zooms the page itself.
  const onPress = (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    dragged = {x: event.clientX, y: event.clientY};
    svg.setPointerCapture(event.pointerId);
    svg.style.cursor = "grabbing";
  };

  const onDrag = (event) => {
    if (dragged === null) return;
    move(dragged.x - event.clientX, dragged.y - event.clientY);
    dragged = {x: event.clientX, y: event.clientY};
  };

  const onRelease = () => {
    dragged = null;
    svg.style.cursor = "grab";
  };

  const start = () => {
    svg.setAttribute("width", "100%");
    svg.setAttribute("height", "100%");
    svg.style.cursor = "grab";
    svg.style.userSelect = "none";
    showAll();
    svg.addEventListener("wheel", onWheel, {passive: false});
    svg.addEventListener("pointerdown", onPress);
    svg.addEventListener("pointermove", onDrag);
    svg.addEventListener("pointerup", onRelease);
    svg.addEventListener("pointercancel", onRelease);
    window.addEventListener("resize", show);
    document.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey)
        pressKey(event.key);
    });
  };
  if (svg === document.documentElement) start();
}
