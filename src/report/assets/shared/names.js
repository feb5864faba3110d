// SPDX-License-Identifier: Apache-2.0
//
// Parts of names, for boxes and columns that are too narrow.

/**
 * The last part of a qualified name: "std::map::find" becomes "find". A part
 * such as "{{closure}}" says nothing alone.
 * @param {string} short  without arguments and templates
 */
export function lastPart(short) {
  const at = short.lastIndexOf("::");
  const part = at < 0 ? "" : short.slice(at + 2);
  return /^[\w~]/.test(part) ? part : short;
}

/**
 * The longest form of a qualified name that fits: whole parts of its end, and
 * of the part before them as much as there is room for. "a::Log::write" becomes
 * "…::Log::write", "Lo…::write" or "…::write".
 * @param {string} short  without arguments and templates
 * @param {(text: string) => boolean} fits
 */
export function fittedName(short, fits) {
  if (fits(short)) return short;
  const parts = short.split("::");
  const from = parts.findIndex((_, i) => i > 0 &&
    fits(["…", ...parts.slice(i)].join("::")));
  if (from > 0 && from < parts.length - 1)
    return ["…", ...parts.slice(from)].join("::");
  const last = parts[parts.length - 1];
  const before = parts[parts.length - 2] ?? "";
  for (let kept = from < 0 ? -1 : before.length - 1; kept >= 0; --kept) {
    const text = `${before.slice(0, kept)}…::${last}`;
    if (fits(text)) return text;
  }
  let kept = last.length;
  while (kept > 1 && !fits(`${last.slice(0, kept)}…`)) --kept;
  return `${last.slice(0, kept)}…`;
}

/** @param {string} path */
export function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
