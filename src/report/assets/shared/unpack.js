// SPDX-License-Identifier: Apache-2.0
//
// Reads what a page has packed: gzip, in base64, as the text of a script
// element of another type.

/**
 * @param {Element} packed
 * @returns {Response}  with the unpacked bytes
 */
export function unpack(packed) {
  const bytes = bytesOfBase64((packed.textContent ?? "").trim());
  const stream = new Blob([bytes]).stream().pipeThrough(
      new DecompressionStream("gzip"));
  return new Response(stream);
}

/** @param {string} text */
function bytesOfBase64(text) {
  // Browsers have it since 2025.
  const array = /** @type {any} */ (Uint8Array);
  if (array.fromBase64) return array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
