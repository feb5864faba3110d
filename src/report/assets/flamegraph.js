// SPDX-License-Identifier: Apache-2.0
//
// Replaces the boxes of a flame graph that is opened by itself in a browser by
// boxes that zoom. The keys are in KEYS. Without this script, and inside
// another page, the picture stays as it is.
"use strict";
if (document.currentScript.parentNode === document.documentElement) {
  const SVG = "http://www.w3.org/2000/svg";
  const XHTML = "http://www.w3.org/1999/xhtml";
  // Lengths in pixels, as in src/report/flamegraph.cc.
  const MARGIN = 10;
  const FRAME_HEIGHT = 16;
  const GAP = 1;
  const TEXT_MARGIN = 3;
  const BASELINE = 11.5;
  const LEAST_CHARACTERS = 3;
  const TIP_WIDTH = 560;

  const svg = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const frames = new FlameFrames(data);
  const text = new FlameText(data.unit, frames.isComparison);
  const group = document.getElementById("frames");

  // What is shown: the frames that fill the width, and the side whose values
  // are the widths.
  const view = {roots: [0], rest: [], side: data.side};
  let found = null;    // the result of a search
  let matches = null;  // by label
  let boxes = [];
  let height = 0;      // of the picture
  let focused = -1;    // index of `boxes`
  const boxOf = new WeakMap();  // by element

  const element = (namespace, name, attributes = {}, ...children) => {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes))
      made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const draw = (name, attributes, ...children) =>
      element(SVG, name, attributes, ...children);
  const html = (name, attributes, ...children) =>
      element(XHTML, name, attributes, ...children);

  // ---- the bar above the boxes

  const textOf = (id) => document.getElementById(id).dataset.whole;
  const input = html("input", {
    type: "search", placeholder: "Regular expression (Ctrl-F)",
    "aria-label": "Search", spellcheck: "false", autocomplete: "off",
  });
  const searchButton = html("button", {type: "button"}, "Search");
  const resetButton = html("button", {type: "button"}, "Reset zoom");
  const sideButton = html("button", {type: "button"});
  const result = html("output", {"aria-live": "polite"});

  const swatches = () => {
    const legend = document.getElementById("legend");
    if (legend === null) return [];
    const size = {width: 12, height: 12};
    return [...legend.querySelectorAll("text")].map((name) => {
      const icon = draw("svg", size);
      for (let rect = name.previousElementSibling; rect?.tagName === "rect";
           rect = rect.previousElementSibling)
        icon.prepend(draw("rect", {class: rect.getAttribute("class"), ...size}));
      return html("span", {class: "swatch"}, icon, name.textContent);
    });
  };

  const bar = html("div", {id: "bar"},
      html("h1", {}, textOf("title")),
      html("p", {}, textOf("summary")),
      html("div", {id: "controls"}, input, searchButton, resetButton,
           ...(frames.isComparison ? [sideButton, ...swatches()] : []),
           result));
  const header = draw("foreignObject", {x: 0, y: 0}, bar);

  // ---- text in boxes

  const pen = html("canvas").getContext("2d");
  pen.font = "bold 11px monospace";
  const SAMPLE = "m".repeat(100);
  const characterWidth = pen.measureText(SAMPLE).width / SAMPLE.length;
  const isPlain = (label) => /^[ -~]*$/.test(label);
  const widthOf = (label) => isPlain(label) ? label.length * characterWidth :
    pen.measureText(label).width;

  // Cuts the end of `label` if it is wider than `width`.
  const cutTo = (width, label) => {
    if (widthOf(label) <= width) return label;
    const characters = [...label];
    let room = Math.floor(width / characterWidth) - 1;
    const shortened = () => `${characters.slice(0, room).join("")}…`;
    while (room > 1 && widthOf(shortened()) > width) --room;
    return shortened();
  };

  const nameOf = (box) => {
    switch (box.kind) {
      case "others": return count(box.frames, "other frame");
      case "deeper": return count(box.frames, "deeper frame");
      case "callers": return count(box.frames, "caller");
      default: return frames.nameOf(box.frame);
    }
  };

  const labelOf = (box) => {
    const width = box.width - 2 * TEXT_MARGIN;
    if (width < LEAST_CHARACTERS * characterWidth) return "";
    const name = nameOf(box);
    if (box.kind !== "frame" || widthOf(name) <= width)
      return cutTo(width, name);
    const shortName = frames.shortNameOf(box.frame);
    return widthOf(shortName) <= width ? shortName :
      cutTo(width, shortName.replace(/^.*::(?=.)/s, ""));
  };

  // ---- boxes

  const isMatch = (box) => {
    if (found === null) return false;
    if (box.kind === "frame")
      return frames.label[box.frame] >= 0 &&
          matches[frames.label[box.frame]] === 1;
    return (box.hidden ?? []).some((i) => found.isIn(i, frames.end[i]));
  };

  const topOf = (box, top, levels) =>
      top + (data.inverted ? box.level : levels - 1 - box.level) * FRAME_HEIGHT;

  const addBox = (box, y, to) => {
    const place = {x: (MARGIN + box.x).toFixed(2), y,
                   width: box.width.toFixed(2), height: FRAME_HEIGHT - GAP};
    const color = isMatch(box) ? "match" : frames.colorOf(box);
    const rect = draw("rect",
        {class: box.isCaller ? `${color} caller` : color, ...place});
    boxOf.set(rect, box);
    to.append(rect);
    const overlay = box.kind !== "frame" ? "folded" :
      frames.isNew(box.values) ? "new" : "";
    if (overlay !== "") to.append(draw("rect", {class: overlay, ...place}));
    const label = labelOf(box);
    if (label === "") return;
    const isOwn = box.kind === "frame" && frames.isOwn(box.frame);
    to.append(draw("text", {
      x: (MARGIN + box.x + TEXT_MARGIN).toFixed(2), y: y + BASELINE,
      ...(isOwn ? {class: "own"} : {}),
    }, label));
  };

  // The width of the picture: that of the window, unless the user chose it.
  const pictureWidth = () => {
    if (data.fixed) return svg.viewBox.baseVal.width;
    svg.setAttribute("width", "100%");
    return Math.max(200, svg.getBoundingClientRect().width);
  };

  const showBar = (width) => {
    header.setAttribute("width", width);
    header.setAttribute("height", 1000);
    const barHeight = bar.offsetHeight;
    header.setAttribute("height", barHeight);
    return barHeight;
  };

  const show = () => {
    hideTip();
    const all = frames.total[view.side][0];
    resetButton.disabled = view.roots[0] === 0;
    sideButton.textContent = `Widths: ${view.side === NEW ? "after" : "before"}`;
    sideButton.disabled = frames.total[1 - view.side][0] === 0;
    result.textContent = found === null ? "" :
      `Matched: ${text.details(found.values, all, view.side)}; ${
        count(found.frames, "frame")}`;
    const width = pictureWidth();
    const top = showBar(width);
    boxes = frames.boxesOf({...view, width: width - 2 * MARGIN,
                            least: data.least, levels: data.levels});
    const levels = boxes.reduce((most, box) => Math.max(most, box.level), 0) + 1;
    height = top + levels * FRAME_HEIGHT + MARGIN;
    const made = document.createDocumentFragment();
    for (const box of boxes) {
      box.y = topOf(box, top, levels);
      addBox(box, box.y, made);
    }
    group.replaceChildren(made);
    group.classList.toggle("searching", found !== null);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  };

  // The frames grow away from the first one, which should be in sight.
  const scrollToFirst = () => {
    window.scrollTo(0, data.inverted ? 0 : height);
    followScroll();
  };
  const followScroll = () => header.setAttribute("y", window.scrollY);

  // ---- what is known about a box

  const tip = html("div", {id: "tip"});
  const tipPlace = draw("foreignObject",
      {id: "tip-place", visibility: "hidden"}, tip);

  const hideTip = () => tipPlace.setAttribute("visibility", "hidden");

  // Shows it near a point of the picture.
  const showTip = (box, x, y) => {
    const all = frames.total[view.side][0];
    const module = box.kind === "frame" ? frames.moduleOf(box.frame) : "";
    tip.replaceChildren(html("b", {}, nameOf(box)),
        ...(module === "" ? [] : [html("i", {}, module)]),
        text.details(box.values, all, view.side));
    const room = svg.viewBox.baseVal.width - 2 * MARGIN;
    tipPlace.setAttribute("width", Math.min(TIP_WIDTH, room));
    tipPlace.setAttribute("height", 2000);
    const {offsetWidth, offsetHeight} = tip;
    tipPlace.setAttribute("height", offsetHeight);
    const bottom = window.scrollY + window.innerHeight;
    const below = y + FRAME_HEIGHT + 4;
    tipPlace.setAttribute("x", Math.max(
        0, Math.min(x + 12, room + 2 * MARGIN - offsetWidth)));
    tipPlace.setAttribute("y", below + offsetHeight < bottom ? below :
      Math.max(window.scrollY, y - offsetHeight - 8));
    tipPlace.setAttribute("visibility", "visible");
  };

  const outline = draw("rect", {id: "focus", visibility: "hidden"});

  const focus = (index) => {
    focused = index;
    const box = boxes[index];
    outline.setAttribute("visibility", box ? "visible" : "hidden");
    if (!box) return hideTip();
    outline.setAttribute("x", MARGIN + box.x);
    outline.setAttribute("y", box.y);
    outline.setAttribute("width", box.width);
    outline.setAttribute("height", FRAME_HEIGHT - GAP);
    const top = header.height.baseVal.value;
    if (box.y < window.scrollY + top)
      window.scrollTo(0, box.y - top - FRAME_HEIGHT);
    else if (box.y + 2 * FRAME_HEIGHT > window.scrollY + window.innerHeight)
      window.scrollTo(0, box.y + 6 * FRAME_HEIGHT - window.innerHeight);
    showTip(box, MARGIN + box.x, box.y);
  };

  // ---- zoom, search, sides

  const zoomTo = (roots, rest = []) => {
    const isVisible = frames.sumOf(roots).total[view.side] > 0;
    view.roots = isVisible ? roots : [0];
    view.rest = isVisible ? rest : [];
    show();
    focus(-1);
    scrollToFirst();
  };

  // Others fill the width together. They may not be visible on this side, or
  // not be in the file.
  const zoomIn = (box) => {
    if (!box) return;
    const hidden = box.kind !== "others" ? [] : box.hidden.filter((i) =>
      frames.others[i] === 0 && frames.total[view.side][i] > 0);
    if (hidden.length === 0) zoomTo([box.frame]);
    else zoomToLargest(hidden);
  };

  // If most of these frames are too thin even if they fill the width, zooms to
  // the largest ones.
  const zoomToLargest = (hidden) => {
    const LEAST_WIDTH = 4;
    const total = frames.total[view.side];
    const width = svg.viewBox.baseVal.width - 2 * MARGIN;
    const whole = frames.sumOf(hidden).total[view.side];
    const seen = hidden.filter((i) => total[i] * width / whole >= data.least);
    if (frames.sumOf(seen).total[view.side] >= whole / 2)
      return zoomTo(hidden);
    const room = Math.ceil(width / Math.max(LEAST_WIDTH, 2 * data.least));
    const bySize = hidden.toSorted((i, j) => total[j] - total[i]);
    zoomTo(bySize.slice(0, room).sort((i, j) => i - j), bySize.slice(room));
  };

  const zoomOut = () => zoomTo([frames.parent[view.roots[0]]]);

  // As in many tools, capital letters make a search case-sensitive.
  const compile = (pattern) => {
    try {
      return new RegExp(pattern, /[A-Z]/.test(pattern) ? "u" : "iu");
    } catch {
      return null;
    }
  };

  const search = (pattern) => {
    const expression = compile(pattern);
    input.classList.toggle("wrong", expression === null);
    matches = pattern === "" || expression === null ? null :
      frames.matchLabels(expression);
    found = matches === null ? null : frames.search(matches);
    show();
    if (expression === null) result.textContent = "Not a regular expression";
  };

  const clearSearch = () => {
    input.value = "";
    search("");
    input.blur();
  };

  const switchSides = () => {
    if (sideButton.disabled) return;
    view.side = 1 - view.side;
    zoomTo(view.roots, view.rest);
  };

  // ---- keys

  // Moves the focus to the box at the next level towards the leaves (1) or the
  // callers (-1).
  const moveAlong = (step) => {
    if (focused < 0) return focus(0);
    const from = boxes[focused];
    const isNext = (box) => box.level === from.level + step &&
        (step > 0 ? box.x + box.width > from.x + 1e-6 &&
                    box.x < from.x + from.width - 1e-6
          : box.x <= from.x + 1e-6 && from.x < box.x + box.width);
    const next = boxes.findIndex(isNext);
    if (next >= 0) focus(next);
  };

  const moveAside = (step) => {
    if (focused < 0) return focus(0);
    const from = boxes[focused];
    let next = -1;
    boxes.forEach((box, i) => {
      if (box.level !== from.level || step * (box.x - from.x) <= 0) return;
      if (next < 0 || step * (box.x - boxes[next].x) < 0) next = i;
    });
    if (next >= 0) focus(next);
  };

  const upwards = data.inverted ? -1 : 1;
  const startSearch = () => {
    input.focus();
    input.select();
  };
  const KEYS = {
    "/": startSearch,
    "F3": startSearch,
    "ArrowUp": () => moveAlong(upwards),
    "ArrowDown": () => moveAlong(-upwards),
    "ArrowLeft": () => moveAside(-1),
    "ArrowRight": () => moveAside(1),
    "Enter": () => zoomIn(boxes[focused]),
    " ": () => zoomIn(boxes[focused]),
    "-": zoomOut,
    "Backspace": zoomOut,
    "0": () => zoomTo([0]),
    "s": switchSides,
    "Escape": () => found === null ? zoomTo([0]) : clearSearch(),
  };

  const onKey = (event) => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    if (event.target === input) {
      if (event.key === "Escape") clearSearch();
      if (event.key === "Enter") input.blur();
      return;  // a second Ctrl-F is the browser's
    }
    const isOurs = isFind || !(event.ctrlKey || event.metaKey || event.altKey);
    const act = isFind ? startSearch : KEYS[event.key];
    const isOnButton = event.target.tagName === "button" &&
        (event.key === "Enter" || event.key === " ");
    if (!isOurs || act === undefined || isOnButton) return;
    event.preventDefault();
    act();
  };

  // ---- start

  const onPointer = (event) => {
    const box = boxOf.get(event.target);
    if (box) showTip(box, event.pageX, event.pageY);
    else hideTip();
  };

  const start = () => {
    document.getElementById("header").replaceWith(header);
    svg.append(outline, tipPlace);
    group.after(header);
    group.addEventListener("pointermove", onPointer);
    group.addEventListener("pointerleave", hideTip);
    group.addEventListener("click", (event) =>
      zoomIn(boxOf.get(event.target)));
    document.addEventListener("keydown", onKey);
    input.addEventListener("input", () => search(input.value));
    searchButton.addEventListener("click", startSearch);
    resetButton.addEventListener("click", () => zoomTo([0]));
    sideButton.addEventListener("click", switchSides);
    window.addEventListener("scroll", followScroll);
    window.addEventListener("resize", show);
    show();
    scrollToFirst();
  };
  start();
}
