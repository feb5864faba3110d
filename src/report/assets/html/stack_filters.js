// SPDX-License-Identifier: Apache-2.0
//
// The filters of the command line, applied to the stacks of the page: --focus,
// --ignore, --hide and --show_from, in this order. They know functions, source
// files and binaries, but neither the lines of calls, addresses nor which calls
// are inlined: the 'FILE:LINE' that --focus and --ignore match is 'FILE:0' here,
// and 'NAME (inline)' is the name.
import {TreeBuilder} from "./rewritten_tree.js";
/** @import {CallTree} from "../shared/call_tree.js" */
/** @import {Profile} from "./profile.js" */
/** @import {RewrittenTree} from "./rewritten_tree.js" */

/**
 * By name: regular expressions; an empty one does nothing.
 * @typedef {Record<"focus"|"ignore"|"hide"|"show_from", string>} StackFilters
 */

/** @type {(keyof StackFilters)[]} */
export const FILTER_NAMES = ["focus", "ignore", "hide", "show_from"];

// What means something else in JavaScript than in Perl's regular expressions on
// the command line: \A and other escapes, \x{e9}, [[:alpha:]], and \1 if its
// group has not matched.
const ONLY_PERL =
  /^(?:[^\\]|\\.)*?(?:\\(?:[ACEGHKNPQRXZaeghopz1-9]|x\{)|\[:\^?[a-z]+:\])/;
// A class that begins with a bracket, []a] or [^]a]: JavaScript ends it there.
const BRACKET_IN_CLASS =
  /^(?:[^\\[]|\\.|\[(?:[^\\\]]|\\.)+\])*?\[\^?\]/;

/**
 * The regular expression, in which case counts, as on the command line. Null if
 * it is none that the page knows.
 * @param {string} pattern
 */
export function filterPattern(pattern) {
  if (ONLY_PERL.test(pattern) || BRACKET_IN_CLASS.test(pattern)) return null;
  try {
    return new RegExp(pattern);
  } catch {
    return null;
  }
}

/**
 * The tree that the filters leave; null if they do nothing.
 * @param {Profile} profile @param {StackFilters} filters
 * @param {CallTree} [tree]  with the nodes of the profile's
 * @param {number[]} [groups]  its labels that stand for groups
 */
export function filteredTree(profile, filters, tree = profile.tree,
                             groups = profile.groupLabels) {
  const matches = (/** @type {keyof StackFilters} */ name) => {
    const pattern = filters[name] === "" ? null : filterPattern(filters[name]);
    const selectsStacks = name === "focus" || name === "ignore";
    return pattern && matchNodes(profile, pattern, selectsStacks);
  };
  const [focus, ignore, hide, showFrom] = FILTER_NAMES.map(matches);
  return focus || ignore || hide || showFrom ?
    filterTree(tree, {focus, ignore, hide, showFrom, groups: new Set(groups)}) :
    null;
}

/**
 * By node, 1 if a form of its name matches, or its source file or binary. What
 * selects stacks does not match binaries.
 * @param {Profile} profile @param {RegExp} pattern
 * @param {boolean} selectsStacks
 */
function matchNodes(profile, pattern, selectsStacks) {
  const {nodeFile, nodeModule, tree} = profile;
  const {files, modules} = profile.header;
  const inFile = selectsStacks ?
    ["??", ...files].map((file) => pattern.test(`${file}:0`)) :
    [false, ...files.map((file) => pattern.test(file))];
  const inModule = [false, ...modules.map((path) =>
    !selectsStacks && pattern.test(path))];
  const inName = Uint8Array.from(profile.labels, (_, label) =>
    profile.namesOf(label).some((name) => pattern.test(name)) ? 1 : 0);
  return Uint8Array.from(tree.label, (label, node) =>
    inName[label] || inFile[nodeFile[node]] || inModule[nodeModule[node]] ?
      1 : 0);
}

/**
 * @param {CallTree} tree
 * @param {Record<"focus"|"ignore"|"hide"|"showFrom", Uint8Array|null> &
 *     {groups: Set<number>}} matches
 *     by node; null: no such filter. And the labels of frames that stand for
 *     groups: they stay the roots of their stacks, but do not make one on their
 *     own.
 * @returns {RewrittenTree}
 */
export function filterTree(tree, {focus, ignore, hide, showFrom, groups}) {
  const builder = new TreeBuilder(tree);
  const built = new Int32Array(tree.length);  // or that of its parent
  const isFocused = new Uint8Array(tree.length);
  const isIgnored = new Uint8Array(tree.length);
  const isShown = new Uint8Array(tree.length);
  isFocused[0] = focus ? 0 : 1;
  isShown[0] = showFrom ? 0 : 1;
  const target = new Int32Array(tree.length).fill(-1);
  target[0] = 0;
  for (let i = 1; i < tree.length; ++i) {
    const [label, parent] = [tree.label[i], tree.parent[i]];
    const isGroup = groups.has(label);
    const isHidden = !isGroup && hide?.[i] === 1;
    isFocused[i] = isFocused[parent] | (focus?.[i] ?? 0);
    isIgnored[i] = isIgnored[parent] | (ignore?.[i] ?? 0);
    isShown[i] =
        isShown[parent] | (isHidden || isGroup ? 0 : showFrom?.[i] ?? 0);
    built[i] = isGroup ? builder.childOf(0, label) : built[parent];
    if (isGroup) continue;
    if (isShown[i] === 0 || isIgnored[i] === 1) continue;
    if (!isHidden) built[i] = builder.childOf(built[parent], label);
    const isEmpty = built[i] === 0 || groups.has(builder.labelOf(built[i]));
    if (isFocused[i] === 1 && !isEmpty) target[i] = built[i];
  }
  return builder.finish(target);
}
