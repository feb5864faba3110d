// SPDX-License-Identifier: Apache-2.0
//
// Draws the boxes of a flame graph on a canvas.
import {lastPart} from "../shared/names.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {FrameColor, Palette} from "./colors.js" */
/** @import {FlameBox} from "./flame_layout.js" */
/** @import {SvgContext} from "./svg_context.js" */

export const ROW_PIXELS = 20;
export const FRAME_FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, " +
    "'Helvetica Neue', Arial, sans-serif";

/**
 * What a flame graph shows, by node.
 * @typedef {object} FlameModel
 * @property {CallTree} tree
 * @property {Float64Array} sizes  the widths
 * @property {(node: number) => string} markOf  is before the name
 * @property {(node: number) => string} nameOf
 * @property {(node: number) => string} shortNameOf
 * @property {(node: number, palette: Palette) => FrameColor} colorOf
 * @property {(node: number) => boolean} isNew
 * @property {(node: number) => boolean} isMatch  of the search
 * @property {(node: number, element: HTMLElement) => void} describe  fills a
 *     tooltip
 * @property {(nodes: number[]) => string} amountOf  what nodes that are not
 *     inside each other hold together
 */

/**
 * @typedef {object} FlameLook
 * @property {number} width  of the canvas, in CSS pixels
 * @property {number} height
 * @property {number} scroll  how far the window is below the top of the graph
 * @property {number} bottom  where the root ends if it is at the bottom
 * @property {boolean} isFlipped  the root is at the bottom
 * @property {number} zoomed  its callers are pale
 * @property {number} selected  or -1
 * @property {number} ratio  device pixels per CSS pixel
 */

export class FlamePainter {
  #context;
  /** @type {Map<string, number>} */
  #widths = new Map();
  /** @type {Map<Palette, string|CanvasPattern>} */
  #hatches = new Map();

  /** @param {CanvasRenderingContext2D|SvgContext} context */
  constructor(context) {
    this.#context = context;
  }

  /** @param {HTMLCanvasElement} canvas */
  static of(canvas) {
    return new FlamePainter(contextOf(canvas, {alpha: false}));
  }

  /**
   * @param {FlameBox[]} boxes @param {FlameModel} model @param {FlameLook} look
   * @param {Palette} palette
   */
  paint(boxes, model, look, palette) {
    const context = this.#context;
    const {ratio} = look;
    this.#resize(Math.round(look.width * ratio),
                 Math.round(look.height * ratio));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.page;
    context.fillRect(0, 0, look.width, look.height);
    context.font = FRAME_FONT;
    context.textBaseline = "middle";
    context.direction = "ltr";
    for (const box of boxes) {
      const y = topOfLevel(box.level, look);
      if (y > -ROW_PIXELS && y < look.height)
        this.#paintBox(box, y, model, look, palette);
    }
  }

  // A new size takes new memory.
  /** @param {number} width @param {number} height  in device pixels */
  #resize(width, height) {
    const {canvas} = this.#context;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  /**
   * @param {FlameBox} box @param {number} y @param {FlameModel} model
   * @param {FlameLook} look @param {Palette} palette
   */
  #paintBox(box, y, model, look, palette) {
    const context = this.#context;
    const left = Math.max(0, box.x);
    const right = Math.min(look.width, box.x + box.width);
    const gap = box.width > 3 ? 1 : 0;
    const width = right - left - gap;
    if (width <= 0) return;
    const color = this.#colorOf(box, model, palette);
    const isCaller = model.tree.depth[look.zoomed] > box.level;
    const isFolded = box.folded.length > 0;
    context.globalAlpha = isCaller ? 0.55 : isFolded ? 0.6 : 1;
    context.fillStyle = color.fill;
    context.fillRect(left, y, width, ROW_PIXELS - 1);
    if (!isFolded && width > 1 && model.isNew(box.node)) {
      context.fillStyle = this.#hatch(palette);
      context.fillRect(left, y, width, ROW_PIXELS - 1);
    }
    context.globalAlpha = 1;
    if (isFolded) return;
    if (box.node === look.selected) this.#outline(left, y, width, palette);
    const text = isCaller ? palette.text : color.text;
    this.#write(box.node, model, left, y, width, text);
  }

  /**
   * @param {FlameBox} box
   * @param {FlameModel} model
   * @param {Palette} palette
   */
  #colorOf(box, model, palette) {
    if (box.folded.length > 0) return palette.neutral;
    if (model.isMatch(box.node)) return palette.match;
    return box.node === 0 ? palette.root : model.colorOf(box.node, palette);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {Palette} palette
   */
  #outline(x, y, width, palette) {
    this.#context.strokeStyle = palette.line;
    this.#context.lineWidth = 2;
    this.#context.strokeRect(x + 1, y + 1, Math.max(1, width - 2),
                             ROW_PIXELS - 3);
  }

  /**
   * @param {number} node @param {FlameModel} model
   * @param {number} x @param {number} y @param {number} width
   * @param {string} color
   */
  #write(node, model, x, y, width, color) {
    const PADDING = 5;
    const LEAST_PIXELS = 28;
    if (width < LEAST_PIXELS) return;
    const text = this.#fit(node, model, width - 2 * PADDING);
    this.#context.fillStyle = color;
    this.#context.fillText(text, x + PADDING, y + ROW_PIXELS / 2);
  }

  /**
   * The longest form of a name that fits. A cut name has no mark, which would
   * take the room of what is left of it.
   * @param {number} node @param {FlameModel} model @param {number} width
   */
  #fit(node, model, width) {
    const mark = model.markOf(node);
    const short = model.shortNameOf(node);
    const last = lastPart(short);
    for (const form of [model.nameOf(node), short, last]) {
      const text = mark + form;
      if (this.#widthOf(text) <= width) return text;
    }
    return this.#cut(last, width);
  }

  // Proportional to the width of the whole name: exact enough for one more
  // character or one less.
  /** @param {string} text @param {number} width */
  #cut(text, width) {
    const perCharacter = this.#widthOf(text) / text.length;
    let length = Math.min(text.length, Math.floor(width / perCharacter));
    for (; length > 0; --length) {
      const cut = `${text.slice(0, length)}…`;
      if (this.#widthOf(cut) <= width) return cut;
    }
    return "";
  }

  /** @param {string} text */
  #widthOf(text) {
    const MOST_KEPT = 50_000;
    const MOST_MEASURED = 500;
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#widths.size > MOST_KEPT) this.#widths.clear();
      // A name may have a million characters.
      width = this.#context.measureText(text.slice(0, MOST_MEASURED)).width *
          Math.max(1, text.length / MOST_MEASURED);
      this.#widths.set(text, width);
    }
    return width;
  }

  /** Diagonal lines, for what is new. @param {Palette} palette */
  #hatch(palette) {
    let hatch = this.#hatches.get(palette);
    if (!hatch) {
      hatch = this.#makeHatch(palette);
      this.#hatches.set(palette, hatch);
    }
    return hatch;
  }

  /** @param {Palette} palette */
  #makeHatch(palette) {
    const SIDE = 8;
    const tile = document.createElement("canvas");
    tile.width = tile.height = SIDE;
    const context = contextOf(tile);
    context.strokeStyle = palette.line;
    context.globalAlpha = 0.28;
    context.lineWidth = 2;
    for (const shift of [-SIDE, 0, SIDE]) {
      context.moveTo(shift, SIDE);
      context.lineTo(shift + SIDE, 0);
    }
    context.stroke();
    return this.#context.createPattern(tile, "repeat") ?? palette.line;
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function contextOf(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("this browser has no canvas");
  return context;
}

/**
 * Where a level is in the window.
 * @param {number} level
 * @param {FlameLook} look
 */
function topOfLevel(level, look) {
  const top = look.isFlipped ? look.bottom - (level + 1) * ROW_PIXELS :
    level * ROW_PIXELS;
  return top - look.scroll;
}
