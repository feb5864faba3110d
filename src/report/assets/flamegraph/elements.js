// SPDX-License-Identifier: Apache-2.0
//
// Makes elements of a picture, and of the HTML inside it. Names come from
// profiles: they reach it as text only.

/** @typedef {Record<string, string|number>} Attributes */

/**
 * @template {Element} T
 * @param {T} made @param {Attributes} attributes
 * @param {(Node|string)[]} children
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes]
 * @param {...(Node|string)} children
 */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag),
                attributes, children);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes]
 * @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function html(tag, attributes = {}, ...children) {
  const made = /** @type {HTMLElementTagNameMap[Tag]} */ (
    document.createElementNS("http://www.w3.org/1999/xhtml", tag));
  return filled(made, attributes, children);
}

/**
 * The element of the file with this id.
 * @template {Element} T
 * @param {string} id @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  // An SVG element is no HTMLElement, which is what the type says.
  if (!(/** @type {unknown} */ (found) instanceof type))
    throw new Error(`the picture has no #${id}`);
  return /** @type {T} */ (/** @type {unknown} */ (found));
}
