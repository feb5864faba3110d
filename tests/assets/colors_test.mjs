// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {Palette} from "../../src/report/assets/html/colors.js";
import {GROWN, SHRUNK} from "../../src/report/assets/html/profile.js";

const MODULES = Array.from({length: 200}, (_, i) => `/usr/lib/lib${i}.so`);
// A function of each module, own and not, with names of different lengths.
const profile = {
  labels: MODULES.flatMap((_, i) => ["f".repeat(1 + i % 3), "main"]),
  labelModule: MODULES.flatMap((_, i) => [i, i]),
  knowsOwn: true,
  isOwn: (label) => label % 2 === 1,
  moduleOf: (label) => MODULES[Math.floor(label / 2)],
};

const numbersOf = (color) => color.startsWith("#") ?
  [...color.slice(1)].map((digit) => parseInt(digit, 16) * 17) :
  color.match(/\d+/g).map(Number);

/** The contrast of WCAG. */
function contrast({fill, text}) {
  const luminance = (color) => numbersOf(color).reduce((sum, part, i) => {
    const share = part / 255;
    const linear = share <= 0.04045 ? share / 12.92 :
      ((share + 0.055) / 1.055) ** 2.4;
    return sum + linear * [0.2126, 0.7152, 0.0722][i];
  }, 0);
  const [light, dark] = [fill, text].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const isDark of [false, true])
  test(`texts in frames can be read, ${isDark ? "dark" : "light"}`, () => {
    const palette = new Palette(profile, isDark);
    const colors = [palette.neutral, palette.match, palette.root];
    profile.labels.forEach((_, label) => {
      for (const ownOnly of [false, true])
        colors.push(palette.ofLabel(label, ownOnly));
    });
    for (const change of [1, 0.4, 0.01])
      colors.push(palette.ofChange(change, 1, GROWN, 0),
                  palette.ofChange(-change, 1, SHRUNK, 0));
    colors.push(palette.ofChange(0, 1, 0, 1), palette.ofChange(0, 1, 0, -1));
    assert.deepEqual(colors.filter((color) => contrast(color) < 4.5), []);
  });

test("own code stands out, and changes have their colour", () => {
  const palette = new Palette(profile, false);
  assert.notDeepEqual(palette.ofLabel(0, true), palette.ofLabel(0, false));
  assert.deepEqual(palette.ofLabel(1, true), palette.ofLabel(1, false));
  const [red, , blue] = numbersOf(palette.ofChange(1, 1, GROWN, 0).fill);
  assert.ok(red > blue);
  assert.equal(palette.ofChange(1, 1, 0, 0), palette.neutral);
});
