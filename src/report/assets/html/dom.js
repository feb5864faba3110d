// SPDX-License-Identifier: Apache-2.0
//
// Makes elements. Texts come from profiles: they reach the page as text only,
// never as markup.

/**
 * Makes an element with these attributes; functions become event listeners. An
 * attribute that is undefined or false is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string|number|boolean|undefined|((event: any) =>
 *     void)>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null).map(laidOut)
      .flatMap((child) => typeof child === "string" ? withBreaks(child) : child));
  return made;
}

/**
 * A qualified name may go on in the next line after "::", but not after a short
 * beginning such as "std::". Few names are shown beyond their first lines.
 * @param {string} text @returns {(Node|string)[]}
 */
export function withBreaks(text) {
  const MOST = 200;
  const [first, ...others] = text.slice(0, MOST).split(/(?<=.{6}::)/);
  if (others.length === 0) return [text];
  const parts = others.flatMap((part) =>
    [document.createElement("wbr"), part]);
  return [first ?? "", ...parts, text.slice(MOST)];
}

/**
 * What the page lays out of a text. A name may have megabytes, which take long.
 * The middle of a long text is left out, as in include/heapprof/base/text_columns.h.
 * @template T
 * @param {T} child
 */
function laidOut(child) {
  const MOST = 2000;
  if (typeof child !== "string" || child.length <= MOST) return child;
  const tail = Math.floor((MOST - 1) * 2 / 3);
  return `${child.slice(0, MOST - 1 - tail)}…${child.slice(-tail)}`;
}

/**
 * Makes an element of a picture.
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 */
export function svgElement(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes))
    made.setAttribute(name, String(value));
  made.append(...children.map(laidOut));
  return made;
}

/**
 * @param {string} text
 * @param {() => void} click
 * @param {Record<string, string|boolean|undefined>} [attributes]
 */
export function button(text, click, attributes = {}) {
  return element("button", {type: "button", click, ...attributes}, text);
}

/**
 * A box with choices.
 * @param {string} label
 * @param {{value: string, text: string}[]} choices
 * @param {(value: string) => void} choose
 */
export function chooser(label, choices, choose) {
  const select = element(
      "select", {"aria-label": label, change: () => choose(select.value)},
      ...choices.map(({value, text}) => element("option", {value}, text)));
  return select;
}

/** @param {string} selector @returns {HTMLElement} */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement))
    throw new Error(`the page has no ${selector}`);
  return found;
}
