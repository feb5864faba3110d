// SPDX-License-Identifier: Apache-2.0
//
// Runs the script of the page, html/start.js. It is packed, because it is most
// of a small page. The policy of the page allows this script and what it loads;
// it loads only the text that scripts/bundle_assets.sh has bundled.
import {hideReplaced, showFailure} from "../shared/plain_page.js";
import {unpack} from "../shared/unpack.js";

async function runProgram() {
  // The page's script shows it again.
  hideReplaced(true);
  try {
    const packed = /** @type {Element} */ (document.querySelector("#program"));
    await runScript(await unpack(packed).arrayBuffer());
    packed.remove();
  } catch (error) {
    hideReplaced(false);
    showFailure(error);
  }
}

/** @param {ArrayBuffer} bytes */
async function runScript(bytes) {
  const script = document.createElement("script");
  script.integrity = PROGRAM_INTEGRITY;
  script.src = URL.createObjectURL(new Blob([bytes], {type: "text/javascript"}));
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener(
        "error", () => reject(new Error("the script of the page is damaged")));
    document.body.append(script);
  });
  URL.revokeObjectURL(script.src);
}

runProgram();
