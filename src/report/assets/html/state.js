// SPDX-License-Identifier: Apache-2.0
//
// What the page shows, kept in the fragment of its URL, so that a view can be
// bookmarked and "back" works. A parameter that has its default value is
// absent.

/** @type {Record<string, string>} */
const STATE_DEFAULTS = {
  tab: "overview",
  metric: "",  // a name; "": the one of the header
  thread: "",  // an index; "": all
  dump: "",  // an index; "": all
  zoom: "0",  // the node that fills the width of the flame graph
  span: "",  // "0.25-0.05": the part of the width that is shown instead
  search: "",
  flip: "",  // "1": the root is at the bottom
  merge: "",  // "1": recursive calls are merged
  color: "",  // "module"
  width: "larger",  // Widths, in a comparison
  hide: "",  // nodes; see masks.js
  focus: "",  // nodes; only stacks through them are counted
  filter_focus: "",  // see stack_filters.js
  filter_ignore: "",
  filter_hide: "",
  filter_show_from: "",
  by: "functions",  // rows of the table
  filter: "",
  sort: "",  // a column, with "-" before it for the opposite order
  select: "",  // "f12", "i3", "m0": a function, file or module by its index
};

/**
 * The values that zoom to a node.
 * @param {number} node
 */
export function zoomTo(node) {
  return {zoom: node, span: ""};
}

export class PageState {
  /** @type {Record<string, string>} */
  #values = {...STATE_DEFAULTS};
  #changed;
  #timer = 0;

  /** @param {() => void} changed  called after each change */
  constructor(changed) {
    this.#changed = changed;
    this.#read();
    window.addEventListener("hashchange", () => {
      if (this.#fragment() === location.hash) return;
      this.#read();
      this.#changed();
    });
  }

  /** @param {string} name */
  get(name) {
    return this.#values[name];
  }

  /** An index or node; -1 if there is none. @param {string} name */
  number(name) {
    const text = this.#values[name];
    return /^\d+$/.test(text) ? Number(text) : -1;
  }

  /**
   * Changes parameters, as a new step of the history unless `replaces`.
   * @param {Record<string, string|number>} values
   * @param {boolean} [replaces]
   */
  set(values, replaces = false) {
    const before = this.#fragment();
    for (const [name, value] of Object.entries(values))
      this.#values[name] = String(value);
    const after = this.#fragment();
    if (after === before) return;
    // Unlike history.pushState(), this is allowed in local files everywhere.
    if (replaces) location.replace(after);
    else location.hash = after;
    this.#changed();
  }

  /**
   * Records values that are already drawn. May be called many times a second:
   * the URL follows a little later, without a step of the history.
   * @param {Record<string, string>} values
   */
  note(values) {
    const DELAY = 250;  // browsers ignore URL changes that come too often
    Object.assign(this.#values, values);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => location.replace(this.#fragment()), DELAY);
  }

  /**
   * The link to this page with other values.
   * @param {Record<string, string|number>} values
   */
  link(values) {
    return this.#fragment(values);
  }

  #read() {
    const found = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(STATE_DEFAULTS))
      this.#values[name] = found.get(name) ?? value;
  }

  /** @param {Record<string, string|number>} [others] */
  #fragment(others = {}) {
    const values = {...this.#values, ...others};
    const written = new URLSearchParams();
    for (const [name, value] of Object.entries(STATE_DEFAULTS))
      if (String(values[name]) !== value)
        written.set(name, String(values[name]));
    return `#${written}`;
  }
}
