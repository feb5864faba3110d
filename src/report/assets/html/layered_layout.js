// SPDX-License-Identifier: Apache-2.0
//
// Places the boxes of a graph in layers, callers above callees, so that few
// edges cross (Sugiyama, Tagawa and Toda 1981). Edges that lead across layers
// get a point in each of them. Parts of the graph that no edge connects are placed
// side by side.

/** @typedef {{x: number, y: number}} Point  the centre of a box, in pixels */

/**
 * @typedef {object} Layout
 * @property {Point[]} boxes  by node
 * @property {Point[][]} lines  by edge: from the caller to the callee
 * @property {number} width
 * @property {number} height
 */

/** @typedef {{width: number, height: number, gap: number, rise: number}} Sizes */

/**
 * @typedef {object} Slot  of a box or a point of an edge
 * @property {number} layer
 * @property {number} width
 * @property {number} x
 * @property {Slot[]} above @property {Slot[]} below
 */

/**
 * @param {number} count  of nodes, the most important ones first
 * @param {{from: number, to: number}[]} edges
 * @param {Sizes} sizes  of boxes, and the gaps between them
 * @returns {Layout}
 */
export function layeredLayout(count, edges, sizes) {
  const isBack = backEdges(count, edges);
  const layer = layersOf(count, edges, isBack);
  /** @type {Slot[]} */
  const slots = [];
  const slot = (/** @type {number} */ at, /** @type {number} */ width) => {
    /** @type {Slot} */
    const made = {layer: at, width, x: 0, above: [], below: []};
    slots.push(made);
    return made;
  };
  const boxes = layer.map((at) => slot(at, sizes.width));
  const lines = edges.map(({from, to}, i) => {
    const [top, bottom] = isBack[i] ? [to, from] : [from, to];
    const line = [boxes[top]];
    for (let at = layer[top] + 1; at < layer[bottom]; ++at)
      line.push(slot(at, sizes.gap));
    line.push(boxes[bottom]);
    for (let j = 1; j < line.length; ++j) {
      line[j - 1].below.push(line[j]);
      line[j].above.push(line[j - 1]);
    }
    return isBack[i] ? line.reverse() : line;
  });
  let width = 0;
  for (const part of connectedParts(slots)) {
    const left = width === 0 ? 0 : width + 2 * sizes.gap;
    width = arrangeFrom(left, part, sizes.gap);
  }
  const place = (/** @type {Slot} */ {layer, x}) =>
    ({x, y: sizes.height / 2 + layer * (sizes.height + sizes.rise)});
  const depth = Math.max(0, ...layer.map((at) => at + 1));
  return {
    boxes: boxes.map(place), lines: lines.map((line) => line.map(place)), width,
    height: Math.max(0, depth * (sizes.height + sizes.rise) - sizes.rise),
  };
}

/**
 * The part with the most important function comes first.
 * @param {Slot[]} slots
 */
function connectedParts(slots) {
  /** @type {Set<Slot>} */
  const seen = new Set();
  /** @type {Slot[][]} */
  const parts = [];
  for (const first of slots) {
    if (seen.has(first)) continue;
    seen.add(first);
    const part = [first];
    for (const {above, below} of part)
      for (const next of [...above, ...below]) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    // In their old order, on which the arrangement depends.
    const isInside = new Set(part);
    parts.push(slots.filter((slot) => isInside.has(slot)));
  }
  return parts;
}

/**
 * Arranges connected slots to the right of `left`. Returns where they end.
 * @param {number} left @param {Slot[]} slots @param {number} gap
 */
function arrangeFrom(left, slots, gap) {
  /** @type {Slot[][]} */
  const layers = [];
  for (const slot of slots) (layers[slot.layer] ??= []).push(slot);
  arrange(layers, gap);
  const shift = left - Math.min(...slots.map(({x, width}) => x - width / 2));
  for (const slot of slots) slot.x += shift;
  return Math.max(...slots.map(({x, width}) => x + width / 2));
}

/**
 * The edges that lead back to a caller; without them, there are no circles.
 * @param {number} count @param {{from: number, to: number}[]} edges
 */
function backEdges(count, edges) {
  const isBack = edges.map(() => false);
  /** @type {number[][]} */
  const out = Array.from({length: count}, () => []);
  const hasCaller = new Uint8Array(count);
  edges.forEach(({from, to}, i) => {
    out[from].push(i);
    hasCaller[to] = 1;
  });
  const state = new Uint8Array(count);  // 1: open, 2: done
  const visit = (/** @type {number} */ node) => {
    state[node] = 1;
    for (const i of out[node]) {
      if (state[edges[i].to] === 1) isBack[i] = true;
      else if (state[edges[i].to] === 0) visit(edges[i].to);
    }
    state[node] = 2;
  };
  const nodes = [...Array(count).keys()];
  for (const node of [...nodes.filter((node) => !hasCaller[node]), ...nodes])
    if (state[node] === 0) visit(node);
  return isBack;
}

/**
 * By node, the length of the longest path to it.
 * @param {number} count @param {{from: number, to: number}[]} edges
 * @param {boolean[]} isBack
 */
function layersOf(count, edges, isBack) {
  const layer = new Array(count).fill(0);
  for (let changed = true; changed;) {
    changed = false;
    edges.forEach(({from, to}, i) => {
      const [top, bottom] = isBack[i] ? [to, from] : [from, to];
      if (layer[bottom] > layer[top]) return;
      layer[bottom] = layer[top] + 1;
      changed = true;
    });
  }
  return layer;
}

/**
 * Orders the slots of each layer by where their neighbours are, and places them
 * near these.
 * @param {Slot[][]} layers @param {number} gap
 */
function arrange(layers, gap) {
  const SWEEPS = 12;
  for (const layer of layers) spread(layer, gap);
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      const wanted = new Map(layer.map((slot) =>
        [slot, middleOf(isDown ? slot.above : slot.below, slot.x)]));
      layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
      for (const slot of layer) slot.x = wanted.get(slot) ?? slot.x;
      spread(layer, gap);
    }
  }
}

/** @param {Slot[]} slots @param {number} none  the result if there is none */
function middleOf(slots, none) {
  return slots.length === 0 ? none :
    slots.reduce((sum, {x}) => sum + x, 0) / slots.length;
}

/**
 * Moves the slots of a layer apart, as little as their order allows: groups
 * that would overlap are placed around the middle of what they want.
 * @param {Slot[]} layer @param {number} gap
 */
function spread(layer, gap) {
  /** @type {{slots: Slot[], width: number, middle: number}[]} */
  const groups = [];
  for (const slot of layer) {
    let group = {slots: [slot], width: slot.width, middle: slot.x};
    for (let last = groups.at(-1);
         last && last.middle + last.width / 2 + gap >
           group.middle - group.width / 2;
         last = groups.at(-1)) {
      groups.pop();
      const slots = [...last.slots, ...group.slots];
      group = {
        slots, width: last.width + gap + group.width,
        middle: (last.middle * last.slots.length +
                 group.middle * group.slots.length) / slots.length,
      };
    }
    groups.push(group);
  }
  for (const {slots, width, middle} of groups) {
    let left = middle - width / 2;
    for (const slot of slots) {
      slot.x = left + slot.width / 2;
      left += slot.width + gap;
    }
  }
}
