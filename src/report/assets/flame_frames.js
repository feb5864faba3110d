// SPDX-License-Identifier: Apache-2.0
//
// The frames of a flame graph, as src/report/flame_data.h describes them, and
// where their boxes are, by the rules of src/view/flame_boxes.h.
"use strict";

const LEAST_OTHERS = 1;  // pixels, as REST_WIDTH
const REST_WIDTH = 100;

/**
 * @typedef {object} Box
 * @property {"frame"|"others"|"deeper"|"callers"} kind
 * @property {number} frame  the frame or, for others and deeper frames, their
 *     parent; for callers, the one nearest to what is shown
 * @property {number} level  0 is that of the frame that stands for all
 * @property {number} x  in pixels
 * @property {number} width
 * @property {boolean} isCaller  of the frame that fills the width
 * @property {number} frames  how many the box stands for
 * @property {number[]} [hidden]  of others and deeper frames: the frames at
 *     the next level that the box stands for
 * @property {Values} values
 */

class FlameFrames {
  constructor(data) {
    this.data = data;
    this.isComparison = "before" in data;
    this.depth = Uint32Array.from(data.depth);
    this.length = this.depth.length;
    this.label = Int32Array.from(data.label);
    const none = () => new Float64Array(this.length);
    this.self = [Float64Array.from(data.now),
                 this.isComparison ? Float64Array.from(data.before) : none()];
    this.below = data.below ?? none();
    this.above = data.above ?? none();
    this.samples = data.samples ?? none();
    this.#link();
    this.#addUp();
    this.#findChanges();
  }

  // Sets the parent of each frame, and the index after its last descendant.
  #link() {
    this.parent = new Uint32Array(this.length);
    this.end = new Uint32Array(this.length).fill(this.length);
    const last = [];  // by depth
    for (let i = 0; i < this.length; ++i) {
      const depth = this.depth[i];
      for (let d = depth; d < last.length; ++d) this.end[last[d]] = i;
      last.length = depth;
      if (depth > 0) this.parent[i] = last[depth - 1];
      last.push(i);
    }
  }

  // Sets the totals, and `counted`: how many frames come before each frame.
  #addUp() {
    this.total = this.self.map((self) => self.slice());
    for (const total of this.total)
      for (let i = this.length - 1; i > 0; --i)
        total[this.parent[i]] += total[i];
    this.others = new Uint32Array(this.length);
    for (const [frame, frames] of this.data.others) this.others[frame] = frames;
    this.counted = new Float64Array(this.length + 1);
    for (let i = 0; i < this.length; ++i)
      this.counted[i + 1] = this.counted[i] + Math.max(1, this.others[i]);
  }

  // Sets the largest change of a frame that has changed, and by frame the
  // largest one inside it, by the rules of src/report/flame_colors.h.
  #findChanges() {
    this.largestChange = 0;
    this.inside = new Float64Array(this.length);
    if (!this.isComparison) return;
    for (let i = this.length - 1; i > 0; --i) {
      const own = changeOf(this.valuesOf(i));
      this.largestChange = Math.max(this.largestChange, Math.abs(own));
      const largest =
        Math.abs(own) >= Math.abs(this.inside[i]) ? own : this.inside[i];
      const outer = this.parent[i];
      if (largest !== 0 && Math.abs(largest) >= Math.abs(this.inside[outer]))
        this.inside[outer] = largest;
    }
    this.largestChange =
      Math.max(this.largestChange, Math.abs(changeOf(this.valuesOf(0))));
  }

  /** @returns {Values} */
  valuesOf(i) {
    return {
      total: this.total.map((total) => total[i]),
      self: this.self.map((self) => self[i]),
      below: this.below[i],
      above: this.above[i],
      samples: this.samples[i],
    };
  }

  // The sum of frames none of which contains another.
  /** @returns {Values} */
  sumOf(frames) {
    const sum =
        {total: [0, 0], self: [0, 0], below: 0, above: 0, samples: 0};
    for (const i of frames) {
      for (const side of [NEW, BASE]) sum.total[side] += this.total[side][i];
      sum.below += this.below[i] ** 2;
      sum.above += this.above[i] ** 2;
      sum.samples += this.samples[i];
    }
    sum.below = Math.ceil(Math.sqrt(sum.below));
    sum.above = Math.ceil(Math.sqrt(sum.above));
    return sum;
  }

  nameOf(i) {
    if (i === 0) return "all";
    if (this.others[i] !== 0) return count(this.others[i], "other frame");
    return this.data.names[this.label[i]];
  }

  // The name in a box that is too narrow for the whole name.
  shortNameOf(i) {
    return this.label[i] < 0 ? this.nameOf(i) :
      this.data.short[this.label[i]] || this.nameOf(i);
  }

  moduleOf(i) {
    return this.label[i] < 0 ? "" :
      this.data.modules[this.data.module[this.label[i]]];
  }

  isOwn(i) {
    return this.label[i] >= 0 && this.data.own[this.label[i]] === 1;
  }

  isNew(values) {
    return this.isComparison && values.total[BASE] === 0 &&
        values.total[NEW] !== 0;
  }

  // The class of a box, by which the style sheet colours it.
  /** @param {Box} box */
  colorOf(box) {
    if (this.isComparison)
      return this.#changeColorOf(
          box.values, box.kind === "frame" ? this.inside[box.frame] : 0);
    return box.kind !== "frame" || this.label[box.frame] < 0 ? "n" :
      `c${this.data.color[this.label[box.frame]]}`;
  }

  /** @param {Values} values @param {number} inside  the change inside them */
  #changeColorOf(values, inside) {
    const LEVELS = 8;
    const change = changeOf(values);
    if (change === 0) return inside === 0 ? "n" : inside > 0 ? "gi" : "si";
    const share = Math.min(1, Math.abs(change) / this.largestChange);
    const level = Math.max(1, Math.ceil(LEVELS * Math.sqrt(share)));
    return `${change > 0 ? "g" : "s"}${level}`;
  }

  // The frames from the one that stands for all to `frame`.
  #pathTo(frame) {
    const path = [frame];
    for (let i = frame; i !== 0; i = this.parent[i]) path.push(this.parent[i]);
    return path.reverse();
  }

  /**
   * Places the boxes that are shown if some frames fill the width: `roots`,
   * one frame or several of its children. If not all of these can be seen at a
   * time, the others are `rest`: a box that is not to scale.
   * @param {{roots: number[], rest: number[], side: number, width: number,
   *          least: number, levels: number}} view
   * @returns {Box[]}
   */
  boxesOf({roots, rest, side, width, least, levels}) {
    const boxes = this.#callerBoxes(roots, width);
    const whole = this.sumOf(roots).total[side];
    const restWidth = rest.length === 0 ? 0 : REST_WIDTH;
    const scale = (width - restWidth) / whole;
    const firstLevel = boxes.length;
    // Boxes on which more may be placed, by level. The first one is below the
    // roots and is not shown here.
    const open = [{box: {kind: "frame", frame: this.parent[roots[0]], x: 0,
                         width, level: firstLevel - 1}, nextX: 0, hidden: []}];
    const closeTo = (count) => {
      for (; open.length > count; open.pop())
        if (open.at(-1).hidden.length > 0)
          boxes.push(this.#hiddenBox(open.at(-1), {side, scale, levels}));
    };
    const place = (i) => {
      const step = this.depth[i] - this.depth[roots[0]];
      closeTo(step + 1);
      const parent = open.at(-1);
      const level = firstLevel + step;
      const value = this.total[side][i];
      const isShown = level < levels && value > 0 && this.others[i] === 0 &&
          (roots.length === 1 && step === 0 || value * scale >= least);
      if (!isShown) {
        parent.hidden.push(i);
        return this.end[i];
      }
      const box = {kind: "frame", frame: i, level, x: parent.nextX,
                   width: value * scale, isCaller: false, frames: 1,
                   values: this.valuesOf(i)};
      parent.nextX += box.width;
      open.push({box, nextX: box.x, hidden: []});
      boxes.push(box);
      return i + 1;
    };
    for (const root of roots)
      for (let i = root; i < this.end[root];) i = place(i);
    closeTo(0);
    if (rest.length > 0)
      boxes.push({...this.#hiddenBox({box: {x: 0, width, level: firstLevel - 1,
                                            frame: this.parent[roots[0]]},
                                      nextX: width - restWidth, hidden: rest},
                                     {side, scale, levels}),
                  x: width - restWidth, width: restWidth});
    return boxes;
  }

  // Boxes as wide as the picture, for what is below the roots. If there are too
  // many, one box stands for those in the middle.
  /** @returns {Box[]} */
  #callerBoxes(roots, width) {
    const MOST = 100;
    if (roots[0] === 0) return [];
    const all = this.#pathTo(this.parent[roots[0]]);
    const hidden = all.length > MOST ? all.length - MOST : 0;
    const shown = hidden === 0 ? all : [all[0], ...all.slice(hidden)];
    return shown.map((frame, level) => ({
      kind: hidden !== 0 && level === 1 ? "callers" : "frame",
      frame, level, x: 0, width, isCaller: true,
      frames: hidden !== 0 && level === 1 ? hidden : 1,
      values: this.valuesOf(frame),
    }));
  }

  /** @returns {Box} */
  #hiddenBox({box, nextX, hidden}, {side, scale, levels}) {
    const level = box.level + 1;
    const values = this.sumOf(hidden);
    const width = Math.min(
        box.width, Math.max(LEAST_OTHERS, values.total[side] * scale));
    let frames = 0;
    for (const i of hidden)
      frames += this.counted[this.end[i]] - this.counted[i];
    return {
      kind: level < levels ? "others" : "deeper",
      frame: box.frame, level, width, isCaller: false, frames, values, hidden,
      x: Math.min(nextX, box.x + box.width - width),
    };
  }

  // Returns, for each label, 1 if its name matches, else 0.
  matchLabels(pattern) {
    return Uint8Array.from(this.data.names, (name) => pattern.test(name));
  }

  // Finds the frames with these labels.
  search(matches) {
    const outermost = [];  // those inside no other match
    const counted = new Uint32Array(this.length + 1);
    let end = 0;
    for (let i = 0; i < this.length; ++i) {
      const isMatch = this.label[i] >= 0 && matches[this.label[i]] === 1;
      counted[i + 1] = counted[i] + (isMatch ? 1 : 0);
      if (!isMatch || i < end) continue;
      outermost.push(i);
      end = this.end[i];
    }
    return {values: this.sumOf(outermost), frames: counted[this.length],
            // True if there is a match from frame `from` to before `to`.
            isIn: (from, to) => counted[to] > counted[from]};
  }
}
