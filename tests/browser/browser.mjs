// SPDX-License-Identifier: Apache-2.0
//
// Opens files in headless Chromium, for tests. A case is a file NAME.mjs here
// and a line in CMakeLists.txt. It looks like this:
//
//   import {dump, expectEqual, heapprof, inBrowser, scratch} from "./browser.mjs";
//
//   heapprof("-o", `${scratch}/mem.svg`, dump("dumps/growth.grown"));
//   await inBrowser(async (browser) => {
//     await browser.open(`${scratch}/mem.svg`, {dark: true}, async (page) => {
//       await page.keyboard.press("+");
//       expectEqual("texts", 7, (await page.$$("text")).length);
//       await browser.screenshot(page, "zoomed");
//     });
//   });
//
// `page` is puppeteer's. Besides what the case itself expects, a page fails if
// it asks for anything but the files that it may use, logs an error, throws an
// exception or crashes.
//
// From the environment: HEAPPROF is the program, E2E the folder with the dumps
// of the end-to-end tests, NODE_MODULES where the packages of package.json are,
// SCREENSHOTS a folder for pictures.

import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {basename, join} from "node:path";
import {pathToFileURL} from "node:url";

// Returns the value of a variable, which must be set.
export function environment(name) {
  const value = process.env[name];
  if (!value) throw new Error(`the environment has no ${name}`);
  return value;
}

// Returns the path of a file of an npm package, "speedscope/dist/...".
export const packageFile = (path) => join(environment("NODE_MODULES"), path);

// A folder for the files of the case.
export const scratch = mkdtempSync(join(tmpdir(), "heapprof-browser-"));
process.on("exit", () => rmSync(scratch, {recursive: true, force: true}));

// Returns the path of a dump of the end-to-end tests, "dumps/growth.grown".
export const dump = (name) => join(environment("E2E"), `${name}.heap`);

// Runs heapprof and returns its output.
export const heapprof = (...options) =>
  execFileSync(environment("HEAPPROF"), ["--quiet", ...options], {
    encoding: "utf8",
    env: {...process.env, HOME: scratch, XDG_CACHE_HOME: join(scratch, "cache")},
    maxBuffer: 1 << 30,
  });

export class Failure extends Error {}

// Compares two values that JSON can express.
export function expectEqual(what, expected, found) {
  const [wanted, actual] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== actual)
    throw new Failure(`${what}\n  expected: ${wanted}\n  found:    ${actual}`);
}

// Waits until the asynchronous function `get` returns something truthy, and
// returns it.
export async function eventually(what, get) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const value = await get();
    if (value) return value;
    if (Date.now() > deadline) throw new Failure(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

class Browser {
  #chromium;

  constructor(chromium) {
    this.#chromium = chromium;
  }

  // Opens `place`, a path or a URL, and calls `use` with the page. Options:
  //   width, height  of the window, in pixels; by default 1000 and 700
  //   dark           prefers dark colours; by default light ones
  //   fragment       of the URL, with its "#"
  //   mayLoad        the beginning of the URLs of all files that the page may
  //                  use; by default `place` alone
  //   expected       matches problems that the page is to have
  async open(place, options, use) {
    const url = place.startsWith("http") ? place : pathToFileURL(place).href;
    const page = await this.#chromium.newPage();
    const problems = [];
    await watch(page, options.mayLoad ?? url, problems);
    await page.setViewport({
      width: options.width ?? 1000,
      height: options.height ?? 700,
    });
    await page.emulateMediaFeatures([
      {name: "prefers-color-scheme", value: options.dark ? "dark" : "light"},
    ]);
    try {
      await page.goto(url + (options.fragment ?? ""));
      await use(page);
    } catch (error) {
      await this.screenshot(page, "failed").catch(() => {});
      error.message += problems.map((problem) => `\n  ${problem}`).join("");
      throw error;
    }
    await page.close();
    expectEqual(`problems of ${url}`, [], problems.filter((problem) =>
      !options.expected?.test(problem)));
  }

  // Saves and returns a picture of what the page shows: the bytes of a PNG file
  // CASE-NAME.png.
  async screenshot(page, name) {
    const folder = environment("SCREENSHOTS");
    mkdirSync(folder, {recursive: true});
    const title = basename(process.argv[1], ".mjs");
    return page.screenshot({path: join(folder, `${title}-${name}.png`)});
  }
}

// Appends what must not happen on a page to `problems`.
async function watch(page, mayLoad, problems) {
  const isInside = (url) => /^(data|blob):/.test(url) || url.startsWith(mayLoad);
  page.on("request", (request) => {
    if (isInside(request.url())) return request.continue();
    problems.push(`request of ${request.url()}`);
    return request.abort();
  });
  page.on("requestfailed", (request) => {
    problems.push(`${request.url()}: ${request.failure().errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      problems.push(`${response.url()}: status ${response.status()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`logs ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`throws ${error}`));
  page.on("error", (error) => problems.push(`crashes: ${error}`));
  await page.setRequestInterception(true);
  // Web sockets are not intercepted.
  const session = await page.createCDPSession();
  session.on("Network.webSocketCreated", ({url}) =>
    problems.push(`request of ${url}`));
  await session.send("Network.enable");
}

// Starts Chromium, without a window and without the network.
export function startChromium() {
  const require = createRequire(packageFile("/"));
  return require("puppeteer-core").launch({
    executablePath: "/usr/bin/chromium",
    args: [
      // The sandbox refuses to start as root, as which containers run tests.
      ...(process.getuid() === 0 ? ["--no-sandbox"] : []),
      "--disable-background-networking",
      // No name resolves, so that nothing gets out past the interception.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      // WebGL without a graphics card.
      "--enable-unsafe-swiftshader",
    ],
    env: {...process.env, HOME: scratch},
  });
}

// Starts Chromium and calls `use` with a Browser. Prints what fails and ends
// the process with status 1.
export async function inBrowser(use) {
  const chromium = await startChromium();
  try {
    await use(new Browser(chromium));
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  } finally {
    await chromium.close();
  }
}
