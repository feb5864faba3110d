// SPDX-License-Identifier: Apache-2.0
//
// The tree of calls with source files or binaries in place of functions. A
// function may be in several of them, for example an inlined one of a header,
// so that its label does not say where a call is.
import {baseName} from "../shared/names.js";
import {CallTree} from "../shared/call_tree.js";
/** @import {Profile} from "./profile.js" */

/** @typedef {"files"|"modules"} CodeTable */

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
