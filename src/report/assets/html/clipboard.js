// SPDX-License-Identifier: Apache-2.0
"use strict";

/**
 * Copies text. Some browsers do not let local files use the clipboard, unless
 * it is text that the user has selected.
 * @param {string} text
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", {class: "sr-only"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
