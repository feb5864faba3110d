// SPDX-License-Identifier: Apache-2.0
//
// What the state of the page makes of the profile: the graph with its mask, and
// the FlameModel that a chart shows. Keeps the last result of each step.
import {FrameFacts} from "./frame_facts.js";
import {Graph} from "./graph.js";
import {maskNodes} from "./masks.js";
import {mergeGraph, mergeRecursion} from "./merge.js";
import {IS_NEW} from "./profile.js";
import {Search} from "./search.js";
/** @import {Metric} from "./block.js" */
/** @import {FlameModel} from "./flame_painter.js" */
/** @import {Widths} from "./graph.js" */
/** @import {MergedTree} from "./merge.js" */
/** @import {Part, Profile} from "./profile.js" */

/**
 * @typedef {object} FlameSettings
 * @property {number} metric
 * @property {Part} part
 * @property {boolean} isMerged
 * @property {string} focus  see masks.js
 * @property {string} hide
 * @property {Widths} widths
 * @property {boolean} isByModule  all code has bright colours
 * @property {string} search
 */

export class FlameView {
  #profile;
  #kept = new Map();
  /** @type {MergedTree|null} */
  #merged = null;

  /** @param {Profile} profile */
  constructor(profile) {
    this.#profile = profile;
  }

  get merged() {
    this.#merged ??= mergeRecursion(this.#profile.tree);
    return this.#merged;
  }

  /**
   * The graph without merged calls and hidden subtrees.
   * @param {FlameSettings} settings @returns {Graph}
   */
  plain({metric, part}) {
    return this.#keep("plain", `${metric} ${part.kind} ${part.index}`,
                      () => Graph.of(this.#profile, metric, part));
  }

  /** @param {FlameSettings} settings @returns {Graph} */
  masked(settings) {
    const masked = this.#mask(this.plain(settings), settings, false);
    if (!settings.isMerged) return masked;
    const merged = this.#keep("merged", masked,
                              () => mergeGraph(masked, this.merged));
    return this.#mask(merged, settings, true);
  }

  /**
   * @param {Graph} graph @param {FlameSettings} settings
   * @param {boolean} isMerged @returns {Graph}
   */
  #mask(graph, {focus, hide}, isMerged) {
    const isThere = (/** @type {number} */ node) => node < graph.tree.length;
    const [only = 0] = maskNodes(focus, isMerged).filter(isThere);
    const hidden = maskNodes(hide, isMerged).filter(isThere);
    return this.#keep(`mask ${isMerged}`, [graph, only, hidden.join()],
                      () => graph.masked(only, hidden));
  }

  /** @param {FlameSettings} settings @returns {Search} */
  search({search}) {
    const {labels} = this.#profile;
    return this.#keep("search", search, () => new Search(
        search, labels, (label) => this.#profile.shortName(label)));
  }

  /** @param {FlameSettings} settings @returns {FlameModel} */
  model(settings) {
    const graph = this.masked(settings);
    const search = this.search(settings);
    const {widths, isByModule, metric} = settings;
    return this.#keep("model", [graph, search, widths, isByModule], () =>
      flameModel(this.#profile, graph, this.#profile.header.metrics[metric],
                 {widths, isByModule, matches: search.matches,
                  rootName: "all", rootShortName: "all"}));
  }

  /**
   * Returns what was computed for the same key, or computes it.
   * @param {string} step @param {any} key @param {() => any} compute
   */
  #keep(step, key, compute) {
    const parts = [key].flat();
    const kept = this.#kept.get(step);
    const isSame = kept?.parts.length === parts.length &&
        parts.every((part, i) => part === kept.parts[i]);
    if (isSame) return kept.value;
    const value = compute();
    this.#kept.set(step, {parts, value});
    return value;
  }
}

/**
 * @param {Profile} profile @param {Graph} graph @param {Metric} metric
 * @param {{widths: Widths, isByModule: boolean, matches: Uint8Array|null,
 *          rootName: string, rootShortName: string}} look
 * @returns {FlameModel}
 */
export function flameModel(profile, graph, metric, look) {
  const {widths, isByModule, matches, rootName, rootShortName} = look;
  const {tree} = graph;
  const facts = new FrameFacts(profile, graph, metric, rootName);
  return {
    tree, sizes: graph.sizes(widths),
    nameOf: (node) => facts.name(node),
    shortNameOf: (node) => node === 0 ? rootShortName :
      profile.shortName(tree.label[node]),
    colorOf: (node, palette) => graph.isComparison ?
      palette.ofChange(graph.change(node), graph.changes.largest,
                       graph.verdict(node), graph.changes.inside[node]) :
      palette.ofLabel(tree.label[node], !isByModule),
    isNew: (node) => node !== 0 && (graph.verdict(node) & IS_NEW) !== 0,
    isMatch: (node) =>
      matches !== null && node !== 0 && matches[tree.label[node]] !== 0,
    describe: (node, tip) => facts.describe(node, tip),
    amountOf: (nodes) => facts.sum(nodes),
  };
}
