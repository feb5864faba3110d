// SPDX-License-Identifier: Apache-2.0
//
// Runs heapprof and reads what it wrote, without a browser.
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after} from "node:test";
import {loadBlock} from "../../../src/report/assets/html/block.js";
import {Profile} from "../../../src/report/assets/html/profile.js";

export const scratch = mkdtempSync(join(tmpdir(), "heapprof-assets-"));
after(() => rmSync(scratch, {recursive: true}));

export const dump = (name) => join(process.env.E2E, `${name}.heap`);

export function heapprof(...args) {
  const {status, stdout, stderr} = spawnSync(
      process.env.HEAPPROF, ["--quiet", ...args],
      {encoding: "utf8", maxBuffer: 2 ** 28,
       env: {...process.env, HOME: scratch, XDG_CACHE_HOME: scratch}});
  if (status !== 0) throw new Error(`heapprof ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Lets heapprof write these files, for textOf(). */
export function writtenFiles(names, ...args) {
  heapprof(...names.flatMap((name) => ["-o", join(scratch, name)]), ...args);
}

export const textOf = (name) => readFileSync(join(scratch, name), "utf8");

/** The text of the file that heapprof writes. */
export function written(name, ...args) {
  writtenFiles([name], ...args);
  return textOf(name);
}

/** What the scripts of an HTML report know. */
export async function profileOf(html) {
  const [, textContent] = /<script id="data"[^>]*>([^<]*)</.exec(html);
  return new Profile(await loadBlock({textContent}));
}

/** As XmlEscaped() escapes it. */
export const unescaped = (text) => text.replaceAll(
    /&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
