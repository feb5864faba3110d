// SPDX-License-Identifier: Apache-2.0
//
// What the page says about a frame.
import {element} from "./dom.js";
import {formatAmount, formatChangeWithInterval, formatShare,
        formatWithInterval} from "../shared/format.js";
import {IS_NEW} from "./profile.js";
/** @import {Metric} from "./block.js" */
/** @import {Graph} from "./graph.js" */
/** @import {Interval} from "../shared/format.js" */
/** @import {Profile} from "./profile.js" */

export class FrameFacts {
  #profile;
  #graph;
  #metric;

  #rootName;

  /**
   * @param {Profile} profile
   * @param {Graph} graph
   * @param {Metric} metric
   * @param {string} rootName
   */
  constructor(profile, graph, metric, rootName) {
    this.#profile = profile;
    this.#graph = graph;
    this.#metric = metric;
    this.#rootName = rootName;
  }

  /** @param {number} node */
  name(node) {
    return node === 0 ? this.#rootName :
      this.#profile.labels[this.#graph.tree.label[node]];
  }

  /**
   * "12.3 ± 1.1 MiB, 4.5%" or "10.0 MiB → 12.3 MiB (+2.3 ± 1.5 MiB)"
   * @param {number} node
   */
  amount(node) {
    return this.sum([node], this.#graph.interval(node));
  }

  /**
   * What nodes that are not inside each other hold together.
   * @param {number[]} nodes @param {Interval|null} [interval]  of the sum
   */
  sum(nodes, interval = null) {
    const {total, baseTotal} = this.#graph.values;
    const sum = (/** @type {Float64Array} */ values) =>
      nodes.reduce((sum, node) => sum + values[node], 0);
    if (baseTotal)
      return comparedAmount(sum(total), sum(baseTotal), interval,
                            this.#metric);
    return `${formatWithInterval(sum(total), interval, this.#metric)}, ${
      formatShare(sum(total), total[0])}`;
  }

  /** What sampling says about the change, or "". @param {number} node */
  verdict(node) {
    const {values, isComparison} = this.#graph;
    const change = this.#graph.change(node);
    const hasChanged = this.#graph.hasChanged(node);
    if (!isComparison || change === 0 || hasChanged === null) return "";
    if (!hasChanged) return "may be chance";
    if ((this.#graph.verdict(node) & IS_NEW) !== 0) return "new";
    return values.total[node] === 0 ? "gone" : change > 0 ? "grown" : "shrunk";
  }

  /** What the function itself allocated, or "". @param {number} node */
  self(node) {
    const self = this.#graph.values.self[node];
    return self === 0 || self === this.#graph.values.total[node] ? "" :
      `${formatAmount(self, this.#metric)} itself`;
  }

  /** Where the function comes from. @param {number} node */
  origin(node) {
    if (node === 0) return [];
    const label = this.#graph.tree.label[node];
    return [this.#profile.placeOf(label), this.#profile.moduleOf(label)]
        .filter((text) => text !== "");
  }

  /** Fills a tooltip. @param {number} node @param {HTMLElement} tip */
  describe(node, tip) {
    tip.append(element("b", {}, this.name(node)));
    const parts = [this.amount(node), this.self(node), this.verdict(node)];
    tip.append(element("span", {}, parts.filter((part) => part).join("; ")));
    for (const text of this.origin(node))
      tip.append(element("small", {}, text));
  }

  /** The stack as text, the innermost call first. @param {number} node */
  stackText(node) {
    return `${this.#metric.title}: ${this.amount(node)}\n${
      this.stackLines(node).map((line) => `    ${line}\n`).join("")}`;
  }

  /** @param {number} node */
  stackLines(node) {
    return this.#graph.tree.path(node).reverse().map((frame) => {
      const place = this.#profile.placeOf(this.#graph.tree.label[frame]);
      return `${this.name(frame)}${place === "" ? "" : `  ${place}`}`;
    });
  }
}

/**
 * @param {number} now @param {number} before @param {Interval|null} interval of
 *     the change
 * @param {Metric} metric
 */
export function comparedAmount(now, before, interval, metric) {
  if (now === before) return `${formatAmount(now, metric)}, unchanged`;
  return `${formatAmount(before, metric)} → ${formatAmount(now, metric)} (${
    formatChangeWithInterval(now - before, interval, metric)})`;
}
