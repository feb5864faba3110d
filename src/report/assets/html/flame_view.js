// SPDX-License-Identifier: Apache-2.0
//
// What the state of the page makes of the profile: the graph with its mask, and
// the FlameModel that a chart shows. Keeps the last result of each step.
import {FrameFacts} from "./frame_facts.js";
import {Graph} from "./graph.js";
import {maskNodes} from "./masks.js";
import {element} from "./dom.js";
import {CallTree} from "../shared/call_tree.js";
import {foldChains} from "./fold_chains.js";
import {mergeRecursion} from "./merge.js";
import {IS_NEW} from "./profile.js";
import {
  rewriteGraph, sameNodes, withoutEqualSiblings,
} from "./rewritten_tree.js";
import {Search} from "./search.js";
import {FILTER_NAMES, filteredTree} from "./stack_filters.js";
/** @import {Metric} from "./block.js" */
/** @import {CodeTable} from "./code_tree.js" */
/** @import {FlameModel} from "./flame_painter.js" */
/** @import {Widths} from "./graph.js" */
/** @import {Part, Profile} from "./profile.js" */
/** @import {FoldedTree} from "./fold_chains.js" */
/** @import {RewrittenTree} from "./rewritten_tree.js" */
/** @import {Selected} from "./selected.js" */
/** @import {StackFilters} from "./stack_filters.js" */

/**
 * @typedef {object} FlameSettings
 * @property {number} metric
 * @property {Part} part
 * @property {StackFilters} filters
 * @property {boolean} isMerged
 * @property {string} focus  see masks.js
 * @property {string} hide
 * @property {Widths} widths
 * @property {boolean} isByModule  all code has bright colours
 * @property {string} search
 */

/**
 * Calls in a graph, and how its tree was made; null: it is the profile's tree.
 * @typedef {{graph: Graph, shown: RewrittenTree|null, nodes: number[]}}
 *     SelectedCalls
 */

export class FlameView {
  #profile;
  #kept = new Map();

  /** @param {Profile} profile */
  constructor(profile) {
    this.#profile = profile;
  }

  /** @param {FlameSettings} settings @returns {RewrittenTree} */
  merged(settings) {
    const {tree} = this.plain(settings);
    return this.#keep("merged tree", tree, () => mergeRecursion(tree));
  }

  /**
   * Which stacks the filters leave; null if there are none.
   * @param {StackFilters} filters @returns {RewrittenTree|null}
   */
  filtered(filters) {
    return this.#keep("filtered", FILTER_NAMES.map((name) => filters[name]),
                      () => filteredTree(this.#profile, filters));
  }

  /**
   * The tree that is shown; null if it is that of the profile. Only the tree of
   * the profile tells apart calls of one function in different files.
   * @param {StackFilters} filters @returns {RewrittenTree|null}
   */
  shown(filters) {
    const {tree, codeNode} = this.#profile;
    return this.filtered(filters) ??
      this.#keep("whole tree", [], () => withoutEqualSiblings(tree, codeNode));
  }

  /**
   * The graph that the filters leave, without merged calls and hidden subtrees.
   * @param {FlameSettings} settings @returns {Graph}
   */
  plain({metric, part, filters}) {
    const whole = this.#whole(metric, part);
    const shown = this.shown(filters);
    return this.#keep("plain", [whole, shown], () =>
      shown ? rewriteGraph(whole, shown) : whole);
  }

  /**
   * The same with source files or binaries instead of functions: its labels are
   * those of CodeTree.
   * @param {FlameSettings} settings @param {CodeTable} table @returns {Graph}
   */
  ofCode({metric, part, filters}, table) {
    const {tree, groups} = this.#profile.codeTree(table);
    const whole = this.#whole(metric, part);
    const code = this.#keep(
        table, FILTER_NAMES.map((name) => filters[name]),
        () => filteredTree(this.#profile, filters, tree, groups) ??
          sameNodes(tree));
    return this.#keep(`of ${table}`, [whole, code],
                      () => rewriteGraph(whole, code));
  }

  /**
   * The outermost calls of what is selected. What is in a file or a binary is
   * found where calls of one function in different ones are not merged.
   * @param {FlameSettings} settings @param {Selected} selected
   * @returns {SelectedCalls}
   */
  callsOf(settings, selected) {
    const {filters, metric, part} = settings;
    const matches = selected.matches();
    if (selected.label >= 0) {
      const graph = this.plain(settings);
      return {graph, shown: this.shown(filters),
              nodes: graph.tree.outermost(matches)};
    }
    const {placeTree} = this.#profile;
    const places = this.#keep(
        "places", FILTER_NAMES.map((name) => filters[name]),
        () => filteredTree(this.#profile, filters, placeTree.tree) ??
          sameNodes(placeTree.tree));
    const shown = this.#keep("functions of places", places, () => {
      const {label, depth} = places.tree;
      const functions = label.map(
          (/** @type {number} */ place) => placeTree.functions[place]);
      return {...places, tree: new CallTree(functions, depth)};
    });
    const whole = this.#whole(metric, part);
    const graph = this.#keep("graph of places", [whole, shown],
                             () => rewriteGraph(whole, shown));
    return {graph, shown, nodes: places.tree.outermost(matches)};
  }

  /** @param {number} metric @param {Part} part @returns {Graph} */
  #whole(metric, part) {
    return this.#keep("whole", `${metric} ${part.kind} ${part.index}`,
                      () => Graph.of(this.#profile, metric, part));
  }

  /** @param {FlameSettings} settings @returns {Graph} */
  masked(settings) {
    const masked = this.#mask(this.plain(settings), settings, false);
    if (!settings.isMerged) return masked;
    const merged = this.#keep("merged", masked, () =>
      rewriteGraph(masked, this.merged(settings)));
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
   * A small picture of what the filters leave, in which chains are folded, and
   * by its nodes those of the plain graph.
   * @param {FlameSettings} settings
   * @returns {{model: FlameModel, first: Uint32Array}}
   */
  overview(settings) {
    const graph = this.plain(settings);
    const {widths, isByModule, metric} = settings;
    return this.#keep("overview", [graph, widths, isByModule], () => {
      const profile = this.#profile;
      const folded = foldChains(graph.tree, graph.values,
                                (label) => profile.isOwn(label),
                                profile.groupLabels);
      const model = flameModel(
          profile, rewriteGraph(graph, folded), profile.header.metrics[metric],
          {widths, isByModule, matches: null, rootName: "all",
           rootShortName: "all"});
      return {model: chainModel(model, folded), first: folded.first};
    });
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
    markOf: () => "",
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

/**
 * Says which nodes stand for several calls.
 * @param {FlameModel} model @param {FoldedTree} folded
 * @returns {FlameModel}
 */
function chainModel(model, {calls}) {
  return {
    ...model, markOf: (node) => calls[node] > 1 ? "… " : "",
    describe: (node, tip) => {
      model.describe(node, tip);
      if (calls[node] > 1)
        tip.append(element("small", {},
                           `one of ${calls[node]} calls that hold the same`));
    },
  };
}
