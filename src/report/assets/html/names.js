// SPDX-License-Identifier: Apache-2.0
//
// Shorter forms of function names, for boxes and columns that are too narrow.
"use strict";

/**
 * Removes the arguments of templates and functions: "std::map<K, V>::find(K
 * const&)" becomes "std::map::find". Leaves "<lambda>" and "operator()" alone.
 * @param {string} name
 */
function withoutArguments(name) {
  const operator = /\boperator\s*(\(\)|\[\]|[-+*/%^&|~!=<>,]+)/.exec(name);
  if (!operator) return withoutBrackets(name);
  const head = withoutBrackets(name.slice(0, operator.index));
  return head.replace(/^.* (?=\S)/, "") + operator[0];
}

/** @param {string} name */
function withoutBrackets(name) {
  if (!/[<(]/.test(name)) return name;
  let [short, depth] = ["", 0];
  for (let i = 0; i < name.length; ++i) {
    const c = name[i];
    const opens = c === "(" || c === "<";
    if (opens && (depth > 0 || (i > 0 && /[\w~]/.test(name[i - 1])))) ++depth;
    else if (depth > 0 && (c === ")" || (c === ">" && name[i - 1] !== "-")))
      --depth;
    else if (depth === 0) short += c;
  }
  return short.replace(/ const$/, "") || name;
}

/**
 * The last part of a qualified name: "std::map::find" becomes "find".
 * @param {string} short  a result of withoutArguments()
 */
function lastPart(short) {
  const at = short.lastIndexOf("::");
  const part = at < 0 ? "" : short.slice(at + 2);
  return /^[\w~]/.test(part) ? part : short;
}

/** @param {string} path */
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
