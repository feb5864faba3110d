// SPDX-License-Identifier: Apache-2.0
//
// Runs the script of the page, html/start.js. It is packed, because it is most
// of a small page. The policy of the page allows only this script and that one,
// whose SHA-256 is that of bundles/html.js.
import {hideReplaced, showFailure} from "../shared/plain_page.js";
import {unpack} from "../shared/unpack.js";

async function runProgram() {
  hideReplaced(true);
  try {
    const packed = /** @type {Element} */ (document.querySelector("#program"));
    const script = document.createElement("script");
    script.text = await unpack(packed).text();
    hideReplaced(false);
    packed.replaceWith(script);
  } catch (error) {
    hideReplaced(false);
    showFailure(error);
  }
}

runProgram();
