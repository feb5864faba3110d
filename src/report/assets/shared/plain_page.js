// SPDX-License-Identifier: Apache-2.0
//
// The page without its scripts: what is hidden until they run, and what shows
// that they cannot.

// A long table that is replaced at once need not be drawn before.
function replaced() {
  return /** @type {HTMLElement} */ (document.querySelector(
      location.hash.includes("tab=") ? "main" : "#top"));
}

/** @param {boolean} isHidden */
export function hideReplaced(isHidden) {
  replaced().hidden = isHidden;
}

/** @param {unknown} error */
export function showFailure(error) {
  const reason = error instanceof Error ? error.message : String(error);
  const alert = document.createElement("p");
  alert.setAttribute("role", "alert");
  alert.textContent = `The interactive views cannot be shown: ${reason}.`;
  document.querySelector("main")?.prepend(alert);
}
