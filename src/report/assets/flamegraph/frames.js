// SPDX-License-Identifier: Apache-2.0
//
// The frames of a flame graph, as src/report/flame_data.h describes them, and
// where their boxes are.
import {CallTree} from "../shared/call_tree.js";
import {formatCount} from "../shared/format.js";
import {placeBoxes} from "../shared/place_boxes.js";
import {BASE, NEW, changeOf} from "./frame_text.js";
/** @import {PlacedBox} from "../shared/place_boxes.js" */
/** @import {FrameUnit, Values} from "./frame_text.js" */

const LEAST_OTHERS = 1;  // pixels, as kLeastOthers in C++
const REST_WIDTH = 100;

/**
 * What the file has; see src/report/flame_data.h.
 * @typedef {object} FlameData
 * @property {string[]} names @property {(string|0)[]} short
 * @property {string[]} modules @property {number[]} module
 * @property {number[]} color @property {number[]} own
 * @property {number[]} label @property {number[]} depth
 * @property {number[]} now @property {number[]} [before]
 * @property {number[]} [changed] @property {number} [strictness]
 * @property {number[]} [below] @property {number[]} [above]
 * @property {number[]} [samples]
 * @property {[number, number][]} others
 * @property {FrameUnit} unit @property {number} side
 * @property {boolean} inverted @property {boolean} fixed
 * @property {number} least @property {number} levels
 */

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
 * @property {number[]} hidden  of others and deeper frames: the frames at the
 *     next level that the box stands for
 * @property {Values} values
 */

/**
 * What fills the width: `roots`, one frame or several of its children. If not
 * all of these can be seen at a time, the others are `rest`: a box that is not
 * to scale.
 * @typedef {object} View
 * @property {number[]} roots
 * @property {number[]} rest
 * @property {number} side  whose values are the widths
 */

export class FlameFrames {
  /** @param {FlameData} data */
  constructor(data) {
    this.data = data;
    this.isComparison = data.before !== undefined;
    this.tree = new CallTree(Int32Array.from(data.label),
                             Uint32Array.from(data.depth));
    this.length = this.tree.length;
    this.label = this.tree.label;
    this.depth = this.tree.depth;
    this.parent = this.tree.parent;
    this.end = this.tree.end;
    const none = () => new Float64Array(this.length);
    this.self = [Float64Array.from(data.now),
                 data.before ? Float64Array.from(data.before) : none()];
    this.total = this.self.map((self) => this.tree.totals(self));
    this.below = data.below ?? none();
    this.above = data.above ?? none();
    this.samples = data.samples ?? none();
    const changed = new Set(data.changed);
    this.hasChanged = (/** @type {number} */ i) => changed.has(i);
    this.others = new Uint32Array(this.length);
    for (const [frame, frames] of data.others) this.others[frame] = frames;
    this.counted = this.#countFrames();
    this.inside = new Float64Array(this.length);
    this.largestChange = this.isComparison ? this.#findChanges() : 0;
  }

  // How many frames come before each frame.
  #countFrames() {
    const counted = new Float64Array(this.length + 1);
    for (let i = 0; i < this.length; ++i)
      counted[i + 1] = counted[i] + Math.max(1, this.others[i]);
    return counted;
  }

  // Returns the largest change of a frame that has changed, and sets by frame
  // the largest one inside it, by the rules of src/report/flame_colors.h.
  #findChanges() {
    let most = Math.abs(changeOf(this.valuesOf(0)));
    for (let i = this.length - 1; i > 0; --i) {
      const own = changeOf(this.valuesOf(i));
      most = Math.max(most, Math.abs(own));
      const largest =
        Math.abs(own) >= Math.abs(this.inside[i]) ? own : this.inside[i];
      const outer = this.parent[i];
      if (largest !== 0 && Math.abs(largest) >= Math.abs(this.inside[outer]))
        this.inside[outer] = largest;
    }
    return most;
  }

  /** @param {number} i @returns {Values} */
  valuesOf(i) {
    return {
      total: this.total.map((total) => total[i]),
      self: this.self.map((self) => self[i]),
      below: this.below[i],
      above: this.above[i],
      samples: this.samples[i],
      hasChanged: this.hasChanged(i),
    };
  }

  /**
   * The sum of frames none of which contains another.
   * @param {number[]} frames @returns {Values}
   */
  sumOf(frames) {
    const sum = {total: [0, 0], self: [0, 0], below: 0, above: 0, samples: 0,
                 hasChanged: false};
    for (const i of frames) {
      for (const side of [NEW, BASE]) sum.total[side] += this.total[side][i];
      sum.below += this.below[i] ** 2;
      sum.above += this.above[i] ** 2;
      sum.samples += this.samples[i];
    }
    sum.below = Math.ceil(Math.sqrt(sum.below));
    sum.above = Math.ceil(Math.sqrt(sum.above));
    sum.hasChanged = this.#haveChanged(frames, sum);
    return sum;
  }

  /**
   * By the rules of src/view/flame_boxes.cc.
   * @param {number[]} frames @param {Values} sum
   */
  #haveChanged(frames, {total, below, above}) {
    const {strictness, below: errors} = this.data;
    if (!strictness) return true;
    const change = total[NEW] - total[BASE];
    if (!errors || frames.length === 1)
      return frames.every((i) => this.hasChanged(i) &&
        Math.sign(this.total[NEW][i] - this.total[BASE][i]) ===
          Math.sign(change));
    return change > strictness * below || -change > strictness * above;
  }

  /** @param {number} i */
  nameOf(i) {
    if (i === 0) return "all";
    if (this.others[i] !== 0) return formatCount(this.others[i], "other frame");
    return this.data.names[this.label[i]];
  }

  /** The name in a box that has no room for the whole one. @param {number} i */
  shortNameOf(i) {
    return this.label[i] < 0 ? this.nameOf(i) :
      this.data.short[this.label[i]] || this.nameOf(i);
  }

  /** @param {number} i */
  moduleOf(i) {
    return this.label[i] < 0 ? "" :
      this.data.modules[this.data.module[this.label[i]]];
  }

  /** @param {number} i */
  isOwn(i) {
    return this.label[i] >= 0 && this.data.own[this.label[i]] === 1;
  }

  /** @param {Values} values */
  isNew(values) {
    return this.isComparison && values.total[BASE] === 0 &&
        values.total[NEW] !== 0;
  }

  /** The class of a box, which has a colour. @param {Box} box */
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

  /**
   * Places the boxes that are shown.
   * @param {View & {width: number, least: number, levels: number}} view
   * @returns {Box[]}
   */
  boxesOf({roots, rest, side, width, least, levels}) {
    const callers = this.#callerBoxes(roots, width);
    const restWidth = rest.length === 0 ? 0 : REST_WIDTH;
    const scale = (width - restWidth) / this.sumOf(roots).total[side];
    const sizes = this.total[side];
    const levelOf = (/** @type {number} */ i) =>
      callers.length + this.depth[i] - this.depth[roots[0]];
    const isShown = (/** @type {number} */ i) =>
      levelOf(i) < levels && sizes[i] > 0 && this.others[i] === 0 &&
      (roots.length === 1 && i === roots[0] || sizes[i] * scale >= least);
    const placed = placeBoxes(this.tree, sizes, roots, 0, {isShown});
    if (rest.length > 0) {
      const parent = {start: 0, end: width / scale};
      const size = restWidth / scale;
      placed.push({node: this.parent[rest[0]], hidden: rest, parent,
                   start: parent.end - size, size});
    }
    return [...callers, ...placed.map((box) => box.hidden.length === 0 ?
      this.#frameBox(box, levelOf(box.node), scale) :
      this.#hiddenBox(box, levelOf(box.hidden[0]), scale, levels))];
  }

  /**
   * Boxes as wide as the picture, for what is below the roots. If there are too
   * many, one box stands for those in the middle.
   * @param {number[]} roots @param {number} width
   * @returns {Box[]}
   */
  #callerBoxes(roots, width) {
    const MOST = 100;
    if (roots[0] === 0) return [];
    const all = [0, ...this.tree.path(this.parent[roots[0]])];
    const hidden = all.length > MOST ? all.length - MOST : 0;
    const shown = hidden === 0 ? all : [all[0], ...all.slice(hidden)];
    return shown.map((frame, level) => ({
      kind: hidden !== 0 && level === 1 ? "callers" : "frame",
      frame, level, x: 0, width, isCaller: true, hidden: [],
      frames: hidden !== 0 && level === 1 ? hidden : 1,
      values: this.valuesOf(frame),
    }));
  }

  /**
   * @param {PlacedBox} placed @param {number} level @param {number} scale
   * @returns {Box}
   */
  #frameBox({node, start, size}, level, scale) {
    return {kind: "frame", frame: node, level, x: start * scale,
            width: size * scale, isCaller: false, frames: 1, hidden: [],
            values: this.valuesOf(node)};
  }

  /**
   * A box that is wide enough to be seen, unless its parent is not.
   * @param {PlacedBox} placed @param {number} level @param {number} scale
   * @param {number} levels
   * @returns {Box}
   */
  #hiddenBox({node, hidden, start, size, parent}, level, scale, levels) {
    const room = (parent.end - parent.start) * scale;
    const width = Math.min(room, Math.max(LEAST_OTHERS, size * scale));
    let frames = 0;
    for (const i of hidden)
      frames += this.counted[this.end[i]] - this.counted[i];
    return {
      kind: level < levels ? "others" : "deeper", frame: node, level, frames,
      isCaller: false, hidden, values: this.sumOf(hidden),
      width, x: Math.min(start * scale, parent.end * scale - width),
    };
  }

  /**
   * For each label, 1 if its name matches, else 0.
   * @param {RegExp} pattern
   */
  matchLabels(pattern) {
    return Uint8Array.from(this.data.names,
                           (name) => pattern.test(name) ? 1 : 0);
  }

  /** Finds the frames with these labels. @param {Uint8Array} matches */
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
    return {
      values: this.sumOf(outermost), frames: counted[this.length],
      /**
       * Whether there is a match from frame `from` to before `to`.
       * @param {number} from @param {number} to
       */
      isIn: (from, to) => counted[to] > counted[from],
    };
  }
}
