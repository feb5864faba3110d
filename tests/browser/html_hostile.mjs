// SPDX-License-Identifier: Apache-2.0
//
// HTML reports: names are text, whatever is in them.

import {writeFileSync} from "node:fs";
import {expectEqual, inBrowser, scratch} from "./browser.mjs";
import {goTo, openReport, rowsOf, settle, write} from "./html_page.mjs";

const NAMES = [
  "<script>window.attacked = 1</script>",
  "</script><img src=x onerror=alert(1)>",
  "a\"b'c&amp;d<!-",
  "]]>",
  "\u05e9\u05dc\u05d5\u05dd::f(int)",
  "constructor",
  "__proto__",
  "x".repeat(20_000),
  "operator<",
  "\u65e5\u672c\u8a9e",
  "javascript:alert(1)",
  "${7*7}",
  "hasOwnProperty",
];

// A dump whose names are in it: one stack, in which each name calls the next.
function hostileDump() {
  const address = (i) => `0x${((i + 1) * 4096).toString(16).padStart(16, "0")}`;
  const path = `${scratch}/hostile.raw`;
  writeFileSync(path, [
    "--- symbol", "binary=/bin/<b>app</b>",
    ...NAMES.map((name, i) => `${address(i)} ${name}`), "---", "--- heap",
    "heap_v2/1", "  t*: 1: 4096 [0: 0]",
    // A symbol belongs to the call before a return address, but to the leaf's
    // own address.
    `@ ${NAMES.map((_, i) => `0x${((i + 1) * 4096 +
      (i === NAMES.length - 1 ? 0 : 1)).toString(16)}`).reverse().join(" ")}`,
    "  t*: 1: 4096 [0: 0]", "",
  ].join("\n"));
  return path;
}

await inBrowser(async (browser) => {
  const report = write("hostile", hostileDump());
  await openReport(browser, report, "#", async (page) => {
    for (const place of ["#tab=flame", "#tab=flame&merge=1&flip=1&search=%3C",
                         "#tab=top&by=modules", "#tab=top&by=lines"]) {
      await goTo(page, place);
      await browser.screenshot(page, `${place.length}`);
    }
    await goTo(page, "#tab=top");
    const names = (await rowsOf(page)).map(({name}) => name);
    expectEqual("names are text", [],
      NAMES.filter((name) => !names.includes(name)).map((name) =>
        name.slice(0, 40)));
    for (const link of await page.$$("#top tbody a")) {
      await link.evaluate((element) => element.click());
      await settle(page);
    }
    await page.mouse.move(400, 250);
    const scripts = await page.evaluate(() =>
      [window.attacked ?? 0, document.images.length,
       document.querySelectorAll("main script, dialog script").length]);
    expectEqual("nothing ran", [0, 0, 0], scripts);
  });
});
