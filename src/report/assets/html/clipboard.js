// SPDX-License-Identifier: Apache-2.0
import {element} from "./dom.js";

/**
 * Copies text, and returns whether that was possible. Some browsers do not let
 * local files use the clipboard, unless it is text that the user has selected.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", {class: "sr-only"});
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
