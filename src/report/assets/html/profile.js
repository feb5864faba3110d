// SPDX-License-Identifier: Apache-2.0
//
// The data of the page: the tree of calls and its values, for each metric and
// for parts of the profile. Values are computed when they are first asked for.
import {CallTree} from "../shared/call_tree.js";
import {CodeTree, PlaceTree} from "./code_tree.js";
import {ErrorModel} from "./error_model.js";
import {IntervalList} from "./interval_list.js";
import {RowNames} from "./row_names.js";
import {SampledSums} from "./sampled_sums.js";
import {SharedSeeds} from "./shared_seeds.js";
/** @import {Block, ErrorsOfSums} from "./block.js" */
/** @import {CodeTable} from "./code_tree.js" */

/**
 * What the page shows: the whole profile, or one thread or dump of it.
 * @typedef {{kind: "all"|"thread"|"dump", index: number}} Part
 */

/**
 * A part that only some nodes have something of; or a thread of a run.
 * @typedef {{kind: "all"|"thread"|"dump"|"seeds", index: number}} Slice
 */

/**
 * Values by node. Those of the base are null if there is nothing to compare.
 * @typedef {object} NodeValues
 * @property {Float64Array} self
 * @property {Float64Array} total
 * @property {Float64Array|null} baseSelf
 * @property {Float64Array|null} baseTotal
 */

/**
 * Values at a few nodes.
 * @typedef {{node: Uint32Array, self: Float64Array}} SparseValues
 */

export const GROWN = 1;
export const SHRUNK = 2;
export const IS_NEW = 4;

export class Profile {
  /** @type {Map<string, NodeValues>} */
  #values = new Map();
  /** @type {Map<string, SparseValues>} */
  #sparse = new Map();
  /** @type {Map<number, IntervalList>} */
  #bounds = new Map();
  /** @type {Map<number, Uint32Array>} */
  #changed = new Map();
  /** Those that were read last. */
  #keptCodes = {column: "", byNode: new Float64Array()};
  /** @type {ReturnType<readNameParts>|null} */
  #keptNameParts = null;
  /** @type {Map<CodeTable, CodeTree>} */
  #codeTrees = new Map();
  /** @type {PlaceTree|null} */
  #placeTree = null;

  /** @param {Block} block */
  constructor(block) {
    this.block = block;
    this.header = block.header;
    this.labels = block.texts("label.name");
    this.shortNames = block.texts("label.short_name");
    this.tree = CallTree.fromSteps(block.indexes("node.label"),
                                   block.indexes("node.up"));
    this.labelModule = block.indexes("label.module");
    this.labelFile = block.indexes("label.file");
    this.labelLine = block.indexes("label.line");
    /** The nodes whose labels have several modules or files, ascending. */
    this.codeNode = block.increasing("code.node");
    /** By node; like labelModule and labelFile. */
    this.nodeModule = this.#byNode(this.labelModule, "code.module");
    this.nodeFile = this.#byNode(this.labelFile, "code.file");
    this.labelFlags = block.indexes("label.flags");
    this.rowNames = new RowNames(this);
    this.knowsOwn = this.labelFlags.some((flags) => (flags & 1) !== 0);
  }

  /** @param {CodeTable} table */
  codeTree(table) {
    let tree = this.#codeTrees.get(table);
    if (!tree) {
      tree = new CodeTree(this, table);
      this.#codeTrees.set(table, tree);
    }
    return tree;
  }

  get placeTree() {
    return this.#placeTree ??= new PlaceTree(this);
  }

  /** @param {Uint32Array} ofLabels @param {string} column */
  #byNode(ofLabels, column) {
    const byNode = this.tree.label.map((label) => ofLabels[label]);
    const known = this.block.indexes(column);
    this.codeNode.forEach((node, i) => { byNode[node] = known[i]; });
    return byNode;
  }

  /** The labels of frames that stand for groups: "[RocksDB]". */
  get groupLabels() {
    return this.rowNames.groups.selections.map(
        (selection) => Number(selection.slice(1)));
  }

  /** Without arguments and templates. @param {number} label */
  shortName(label) {
    return this.shortNames[label] || this.labels[label];
  }

  /**
   * All forms of the name that filters match: with and without arguments,
   * templates and return type.
   * @param {number} label
   */
  namesOf(label) {
    const {more, starts, sizes, first} = this.#nameParts;
    const texts = [this.labels[label]];
    if (more[label] !== "") texts.push(...more[label].split("\t"));
    const joined = texts.join("\t");
    const parts = [];
    for (let i = first[label]; i < first[label + 1]; ++i)
      parts.push(joined.slice(starts[i], starts[i] + sizes[i]));
    return [...texts, this.shortName(label), ...parts];
  }

  get #nameParts() {
    return this.#keptNameParts ??= readNameParts(this.block);
  }

  /** @param {number} label */
  isOwn(label) {
    return (this.labelFlags[label] & 1) !== 0;
  }

  /**
   * The class of the name: other people's code is less conspicuous.
   * @param {number} label  or -1
   */
  frameClass(label) {
    const isOther = label >= 0 && this.knowsOwn && !this.isOwn(label);
    return isOther ? "frame other" : "frame";
  }

  /** @param {number} label  returns "" if the module is unknown */
  moduleOf(label) {
    const module = this.labelModule[label];
    return module === 0 ? "" : this.header.modules[module - 1];
  }

  /** Where the function is defined, "a.cc:12", or "". @param {number} label */
  placeOf(label) {
    const file = this.labelFile[label];
    if (file === 0) return "";
    const line = this.labelLine[label];
    return this.header.files[file - 1] + (line === 0 ? "" : `:${line}`);
  }

  /**
   * The base is compared with the whole profile only.
   * @param {Part} part
   */
  isComparison(part) {
    return this.header.is_comparison && part.kind === "all";
  }

  /** @param {number} metric @param {Part} part @returns {NodeValues} */
  values(metric, part) {
    const BYTES = 4 * 8;  // of a node
    const MOST_BYTES = 2 ** 28;
    const kept = Math.max(2, MOST_BYTES / (BYTES * this.tree.length));
    const key = `${part.kind}.${part.index}.${metric}`;
    let values = this.#values.get(key);
    if (!values) {
      if (this.#values.size >= kept) this.#values.clear();
      values = this.#readValues(metric, part);
      this.#values.set(key, values);
    }
    return values;
  }

  /** @param {number} metric @param {Part} part @returns {NodeValues} */
  #readValues(metric, part) {
    const {name} = this.header.metrics[metric];
    const self = part.kind === "all" ? this.block.column(`self.${name}`) :
      this.#spread(this.sparse(metric, part));
    const baseSelf =
        this.isComparison(part) ? this.block.column(`base.${name}`) : null;
    return this.#totalsOf(self, baseSelf);
  }

  /**
   * The values of a slice.
   * @param {number} metric @param {Slice} part
   */
  sparse(metric, part) {
    const {name} = this.header.metrics[metric];
    const prefix = `${part.kind}.${part.index}.${name}`;
    let values = this.#sparse.get(prefix);
    if (!values) {
      values = {node: this.block.increasing(`${prefix}.node`),
                self: this.block.column(`${prefix}.self`)};
      this.#sparse.set(prefix, values);
    }
    return values;
  }

  /**
   * What the errors of sums follow from; null if they cannot be computed.
   * @param {number} metric @param {Part} part
   */
  sampled(metric, part) {
    const errors = this.#errorsOf(metric, part);
    if (!errors) return null;
    return new SampledSums(new ErrorModel(errors), this.tree, () => {
      const values = this.values(metric, part);
      const seeds = this.#seeds(metric, part);
      if (part.kind !== "all") {
        const {node} = this.sparse(metric, part);
        return {values, seeds, variances: this.#totalsOf(this.#spread(
            {node, self: this.sparseVariances(metric, part)}), null)};
      }
      const {baseSelf} = values;
      return {values, seeds, variances: this.#totalsOf(
          this.#variances(metric, 0), baseSelf && this.#variances(metric, 1))};
    });
  }

  /**
   * The runs of a part whose threads may share a seed. A thread has only one.
   * @param {number} metric @param {Part} part
   */
  #seeds(metric, {kind, index}) {
    const runs = this.header.seeds.filter((run) =>
      kind === "all" ? run.in_all : kind === "dump" && run.dump === index);
    return runs.map(({side, sharing, slices, first, count}) => {
      const threads = Array.from({length: count}, (_, i) => {
        const thread = {kind: slices, index: first + i};
        return {node: this.sparse(metric, thread).node,
                self: this.sparseVariances(metric, thread, side)};
      });
      return new SharedSeeds(side, this.tree, sharing, threads);
    });
  }

  /**
   * Dumps may have been sampled differently.
   * @param {number} metric @param {Slice} part @returns {ErrorsOfSums|null}
   */
  #errorsOf(metric, {kind, index}) {
    const {metrics, dumps} = this.header;
    const {errors} = metrics[metric];
    if (kind !== "dump" || !errors) return errors;
    const {missed} = dumps[index];
    return missed === null ? null : {...errors, missed: [missed, null]};
  }

  /**
   * By node.
   * @param {number} metric @param {0|1} side
   */
  #variances(metric, side) {
    const held = this.#held(metric, side);
    const codes = this.#codes(metric, side);
    const unit = unitOf(this.header.metrics[metric].errors?.missed[side]);
    return held.map((value, node) => varianceOf(value, unit, codes[node]));
  }

  /**
   * Of what a slice holds, in the order of sparse().
   * @param {number} metric @param {Slice} part @param {0|1} side
   */
  sparseVariances(metric, part, side = 0) {
    const {name} = this.header.metrics[metric];
    const {node, self} = this.sparse(metric, part);
    const codes = this.#codes(metric, side);
    const own =
        this.block.column(`${part.kind}.${part.index}.${name}.variance`);
    const codeOf = (/** @type {number} */ i) => own[i] === 0 ?
      codes[node[i]] : own[i] > 0 ? own[i] - 1 : own[i];
    const unit = unitOf(this.#errorsOf(metric, part)?.missed[side]);
    return self.map((value, i) => varianceOf(value, unit, codeOf(i)));
  }

  /**
   * The codes of variances by node, 0 where nothing is held.
   * @param {number} metric @param {0|1} side
   */
  #codes(metric, side) {
    const {name} = this.header.metrics[metric];
    const column = `${side === 0 ? "variance" : "base_variance"}.${name}`;
    if (this.#keptCodes.column !== column) {
      const known = this.block.column(column);
      let next = 0;
      const byNode = this.#held(metric, side)
          .map((value) => value === 0 ? 0 : known[next++] ?? 0);
      this.#keptCodes = {column, byNode};
    }
    return this.#keptCodes.byNode;
  }

  /** What nodes hold themselves. @param {number} metric @param {0|1} side */
  #held(metric, side) {
    const {self, baseSelf} = this.values(metric, {kind: "all", index: 0});
    return (side === 0 ? self : baseSelf) ?? new Float64Array();
  }

  /**
   * @param {Float64Array} self @param {Float64Array|null} baseSelf
   * @returns {NodeValues}
   */
  #totalsOf(self, baseSelf) {
    return {self, total: this.tree.totals(self), baseSelf,
            baseTotal: baseSelf && this.tree.totals(baseSelf)};
  }

  /** @param {SparseValues} sparse */
  #spread({node, self}) {
    const values = new Float64Array(this.tree.length);
    for (let i = 0; i < node.length; ++i) values[node[i]] = self[i];
    return values;
  }

  /**
   * The error bars of totals, or of their changes, of large nodes of the whole
   * profile.
   * @param {number} metric
   */
  bounds(metric) {
    let bounds = this.#bounds.get(metric);
    if (!bounds) {
      const prefix = `bounds.${this.header.metrics[metric].name}`;
      bounds = new IntervalList(this.block.increasing(`${prefix}.node`),
                                this.block.column(`${prefix}.lower`),
                                this.block.column(`${prefix}.upper`));
      this.#bounds.set(metric, bounds);
    }
    return bounds;
  }

  /**
   * In a comparison, by node: 1 if sampling does not explain the change. Empty
   * if the metric has no errors.
   * @param {number} metric
   */
  changed(metric) {
    let changed = this.#changed.get(metric);
    if (!changed) {
      const {name} = this.header.metrics[metric];
      changed = this.block.indexes(`changed.${name}`);
      this.#changed.set(metric, changed);
    }
    return changed;
  }
}

/**
 * The unit of variances, per byte; 0: there are none.
 * @param {number|null|undefined} missed
 */
function unitOf(missed) {
  return missed === 0 ? 1 : missed ?? 0;
}

/**
 * See VarianceCode() in include/heapprof/report/html_data.h.
 * @param {number} value @param {number} unit @param {number} code
 */
function varianceOf(value, unit, code) {
  const UNIT = 2 ** 19;
  return value * unit * Math.exp(-code / UNIT);
}

/**
 * The forms of names, by label: "more" are as they are in the block, and of the
 * parts of them and the name, the first one.
 * @param {Block} block
 */
function readNameParts(block) {
  const counts = block.indexes("label.name_parts");
  const first = new Uint32Array(counts.length + 1);
  counts.forEach((count, label) => { first[label + 1] = first[label] + count; });
  return {more: block.texts("label.more_names"),
          starts: block.indexes("name_part.start"),
          sizes: block.indexes("name_part.size"), first};
}
