// SPDX-License-Identifier: Apache-2.0
//
// Parts of names, for boxes and columns that are too narrow.

/**
 * The last part of a qualified name: "std::map::find" becomes "find".
 * @param {string} short  without arguments and templates
 */
export function lastPart(short) {
  const at = short.lastIndexOf("::");
  const part = at < 0 ? "" : short.slice(at + 2);
  return /^[\w~]/.test(part) ? part : short;
}

/** @param {string} path */
export function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
