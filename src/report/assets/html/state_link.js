// SPDX-License-Identifier: Apache-2.0
import {element} from "./dom.js";
/** @import {PageState} from "./state.js" */

/**
 * A link to the page with other values. All else stays as it is when the link
 * is followed, not as it was when the link was made.
 * @param {PageState} state
 * @param {Record<string, string|number>} values
 * @param {Record<string, string>} attributes
 * @param {...(Node|string)} children
 */
export function stateLink(state, values, attributes, ...children) {
  const update = () => { link.href = state.link(values); };
  const link = element("a", {
    ...attributes, pointerdown: update, focus: update,
    click: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      state.set(values);
    },
  }, ...children);
  update();
  return link;
}
