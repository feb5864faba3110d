// SPDX-License-Identifier: Apache-2.0
//
// The tree of calls with source files in place of functions. A function may be
// in several files, for example an inlined one in several headers, so that its
// label does not say in which file a call is.
import {baseName} from "../shared/names.js";
import {CallTree} from "../shared/call_tree.js";
/** @import {Profile} from "./profile.js" */

const SEVERAL = "[unknown, or several]";

export class FileTree {
  /** @param {Profile} profile */
  constructor(profile) {
    const {header: {files, modules}} = profile;
    // As in the table of all files, code of an unknown file has the row of its
    // module.
    const unknown = [SEVERAL, ...modules.map((path) => `[${baseName(path)}]`)];
    const {labels, groupLabels} = profile;
    /** The rows of the table. */
    this.names =
        [...unknown, ...files, ...groupLabels.map((label) => labels[label])];
    this.selections = [...unknown.map(() => ""),
                       ...files.map((_, file) => `i${file}`),
                       ...groupLabels.map(() => "")];
    /** The rows of frames that stand for groups. */
    this.groups = groupLabels.map((_, i) => unknown.length + files.length + i);
    /** The same nodes as in the tree of functions; the label is the row. */
    this.tree = new CallTree(rowsOfNodes(profile, unknown.length, this.groups),
                             profile.tree.depth);
  }
}

/**
 * @param {Profile} profile
 * @param {number} first  row of a file
 * @param {number[]} groups  rows of frames that stand for groups
 */
function rowsOfNodes(profile, first, groups) {
  const {tree, labelFile, labelModule, fileNode, nodeFile} = profile;
  const rowOf = (/** @type {number} */ label, /** @type {number} */ file) =>
    file === 0 ? labelModule[label] : first + file - 1;
  const ofLabels = labelFile.map((file, label) => rowOf(label, file));
  profile.groupLabels.forEach((label, i) => {
    ofLabels[label] = groups[i];
  });
  const rows = tree.label.map((label) => ofLabels[label]);
  fileNode.forEach((node, i) => {
    const isOnly = fileNode[i - 1] !== node && fileNode[i + 1] !== node;
    rows[node] = isOnly ? rowOf(tree.label[node], nodeFile[i]) : 0;
  });
  return rows;
}
