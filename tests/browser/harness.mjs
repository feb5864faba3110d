// SPDX-License-Identifier: Apache-2.0
//
// browser.mjs fails for pages that do what they must not.

import {writeFileSync} from "node:fs";
import {expectEqual, Failure, inBrowser, scratch} from "./browser.mjs";

// Opens a page with this content and expects a failure that mentions `problem`;
// an empty one: no failure.
async function expectProblem(browser, content, problem) {
  const page = `${scratch}/page.html`;
  writeFileSync(page, `<!doctype html>${content}`);
  let message = "";
  try {
    await browser.open(page, {}, async (page) => {
      await page.evaluate(() => window.finished);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    message = error.message;
  }
  expectEqual(`problem of ${content}`, problem,
    problem !== "" && message.includes(problem) ? problem : message);
}

await inBrowser(async (browser) => {
  const script = (text) => `<script>${text}</script>`;
  await expectProblem(browser, "<p>fine</p>", "");
  await expectProblem(browser, '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">', "");
  await expectProblem(browser, script('console.log("fine")'), "");
  await expectProblem(browser, script('console.error("wrong")'), "logs wrong");
  await expectProblem(browser, script('throw new Error("wrong")'),
    "throws Error: wrong");
  await expectProblem(browser,
    script('window.finished = new Promise((done) => setTimeout(() => {' +
      'done(); console.error("late") }))'), "logs late");
  await expectProblem(browser, '<img src="http://192.0.2.1/a.png">',
    "request of http://192.0.2.1/a.png");
  await expectProblem(browser, '<link rel="stylesheet" href="https://a.example">',
    "request of https://a.example/");
  await expectProblem(browser, '<img src="other.png">',
    `request of file://${scratch}/other.png`);
  await expectProblem(browser,
    script('fetch("https://a.example/").catch(() => {})'),
    "request of https://a.example/");
  await expectProblem(browser,
    script('new WebSocket("ws://192.0.2.1/")'), "request of ws://192.0.2.1/");
});
