// SPDX-License-Identifier: Apache-2.0
//
// Trees of calls that tell in which source file and binary each call is. A
// function may be in several of them, for example an inlined one of a header,
// so that its label does not say where a call is.
import {baseName} from "../shared/names.js";
import {CallTree} from "../shared/call_tree.js";
/** @import {Profile} from "./profile.js" */

/** @typedef {"files"|"modules"} CodeTable */

/** With source files or binaries in place of functions. */
export class CodeTree {
  /** @param {Profile} profile @param {CodeTable} table */
  constructor(profile, table) {
    const {tree, labels, groupLabels} = profile;
    const {names, selections, rowOf} =
      table === "files" ? filesOf(profile) : modulesOf(profile);
    /** The rows of frames that stand for groups. */
    this.groups = groupLabels.map((_, i) => names.length + i);
    /** The rows of the table. */
    this.names = [...names, ...groupLabels.map((label) => labels[label])];
    this.selections = [...selections, ...groupLabels.map(() => "")];
    const groupOf =
      new Map(groupLabels.map((label, i) => [label, this.groups[i]]));
    /** The same nodes as in the tree of functions; the label is the row. */
    this.tree = new CallTree(
        tree.label.map((label, node) => groupOf.get(label) ?? rowOf(node)),
        tree.depth);
  }
}

/**
 * With a label for each function. One that is in several files or binaries has
 * a label for each of them.
 */
export class PlaceTree {
  /** @param {Profile} profile */
  constructor(profile) {
    const {tree, codeNode, nodeFile, nodeModule} = profile;
    /** By label of this tree: the function, and like Profile.labelFile. */
    this.functions = [...profile.labels.keys()];
    this.files = [...profile.labelFile];
    this.modules = [...profile.labelModule];
    const label = tree.label.slice();
    /** @type {Map<string, number>} */
    const known = new Map();
    for (const node of codeNode) {
      const [file, module] = [nodeFile[node], nodeModule[node]];
      const key = `${tree.label[node]} ${file} ${module}`;
      let place = known.get(key);
      if (place === undefined) {
        place = this.functions.length;
        known.set(key, place);
        this.functions.push(tree.label[node]);
        this.files.push(file);
        this.modules.push(module);
      }
      label[node] = place;
    }
    /** The same nodes as in the tree of functions. */
    this.tree = new CallTree(label, tree.depth);
  }
}

/**
 * As in the table of all files, code of an unknown file has the row of its
 * module.
 * @param {Profile} profile
 */
function filesOf(profile) {
  const {nodeFile, nodeModule, header: {files, modules}} = profile;
  const unknown =
    ["[unknown]", ...modules.map((path) => `[${baseName(path)}]`)];
  return {
    names: [...unknown, ...files],
    selections: [...unknown.map(() => ""),
                 ...files.map((_, file) => `i${file}`)],
    rowOf: (/** @type {number} */ node) => nodeFile[node] === 0 ?
      nodeModule[node] : unknown.length + nodeFile[node] - 1,
  };
}

/** @param {Profile} profile */
function modulesOf({nodeModule, header: {modules}}) {
  return {
    names: ["[unknown]", ...modules],
    selections: ["", ...modules.map((_, module) => `m${module}`)],
    rowOf: (/** @type {number} */ node) => nodeModule[node],
  };
}
