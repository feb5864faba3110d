// SPDX-License-Identifier: Apache-2.0
//
// The filters of the page leave what the same filters of the command line
// leave: random patterns, made of names in the dump.
import assert from "node:assert/strict";
import test from "node:test";
import {FlameView} from "../../../src/report/assets/html/flame_view.js";
import {foldedStacks} from "../../../src/report/assets/html/folded.js";
import {addedRows} from "../../../src/report/assets/html/rows.js";
import {FILTER_NAMES} from "../../../src/report/assets/html/stack_filters.js";
import {
  dump, profileOf, textOf, written, writtenFiles,
} from "./pages.mjs";

// For each filter and dump.
const CASES = process.env.HEAPPROF_FULL ? 5 : 1;
const NONE = {focus: "", ignore: "", hide: "", show_from: ""};

/** Numbers from 0 to 1 that are always the same. */
function randomNumbers(seed) {
  return () => {
    seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
    return (seed >>> 8) / 2 ** 24;
  };
}

/** A pattern that some form of a name matches, perhaps only this one. */
function randomPattern(profile, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const form = pick(profile.namesOf(pick([...profile.labels.keys()])));
  const literal = (text) => text.replace(/[^\w:<>, ]/g, "\\$&");
  const start = Math.floor(random() * form.length / 2);
  const part = literal(form.slice(start, start + 12));
  return pick([`^${literal(form)}$`, `^${literal(form.slice(0, 8))}`, part,
               `${part}|^main$`]);
}

/** What the page shows. */
function shownByPage(profile, filters) {
  const {metric} = profile.header;
  const part = {kind: "all", index: 0};
  const graph = new FlameView(profile).plain({metric, part, filters});
  const rows = addedRows(profile, "functions", metric, graph);
  const {total, baseTotal} = graph.values;
  return {
    stacks: foldedStacks(graph, profile.labels).split("\n").sort(),
    all: [total[0], baseTotal?.[0]],
    functions: new Map(rows.names.map((name, row) => [name, [
      rows.self[row], rows.total[row], rows.baseTotal?.[row]]])),
  };
}

/** What the command line shows. */
function shownByProgram(args) {
  const isComparison = args.includes("--base");
  const [json, folded] = ["shown.json", "shown.folded"];
  writtenFiles([json, folded], ...isComparison ? ["--two-column"] : [], ...args);
  const {shown} = JSON.parse(textOf(json));
  const text = textOf(folded);
  return {
    stacks: text.split("\n").sort(),
    all: isComparison ? [shown.after.value, shown.before.value] :
      [shown.value, undefined],
    functions: functionsIn(text.trimEnd().split("\n"), isComparison),
  };
}

/** A stack counts once for a function. */
function functionsIn(lines, isComparison) {
  const sums = new Map();
  for (const line of lines.filter((text) => text !== "")) {
    const [, stack, before, value] =
      (isComparison ? /^(.*) (\d+) (\d+)$/ : /^(.*)()? (\d+)$/).exec(line);
    const frames = stack.split(";");
    new Set(frames).forEach((name) => {
      const sum = sums.get(name) ?? [0, 0, isComparison ? 0 : undefined];
      if (name === frames.at(-1)) sum[0] += Number(value);
      sum[1] += Number(value);
      if (isComparison) sum[2] += Number(before);
      sums.set(name, sum);
    });
  }
  return sums;
}

const grown = ["--base", dump("dumps/growth.first"), dump("dumps/growth.grown")];
const DUMPS = {
  "inlined calls": [dump("dumps/inlining.clang-O2")],
  "no debug information": [dump("dumps/inlining.gcc-O2-nodebug")],
  "static": [dump("dumps/warehouse.gcc-O2-static")],
  "sampled": [dump("sampled/quickstart.gcc-O2")],
  "comparison": grown,
};

/**
 * Compares what is shown. The stacks of a sampled dump are rounded to whole
 * bytes, so that the sum of a few may differ by one or two.
 */
function compare(found, expected, options) {
  const MOST = 2;
  const near = (a, b) => a === b || Math.abs(a - b) <= MOST;
  const parts = (line) => /^(.*) (\d+)$/.exec(line)?.slice(1) ?? [line, 0];
  assert.equal(found.stacks.length, expected.stacks.length, options);
  found.stacks.forEach((line, i) => {
    const [[stack, value], [wanted, wantedValue]] =
        [line, expected.stacks[i]].map(parts);
    assert.equal(stack, wanted, options);
    assert.ok(near(Number(value), Number(wantedValue)), `${options}: ${line}`);
  });
  assert.ok(found.all.every((value, i) => near(value, expected.all[i])),
            `${options}: ${found.all}, expected ${expected.all}`);
  assert.deepEqual([...found.functions.keys()].sort(),
                   [...expected.functions.keys()].sort(), options);
  for (const [name, values] of found.functions)
    assert.ok(values.every((value, i) =>
      near(value, expected.functions.get(name)[i])),
              `${options}: ${name} has ${values}`);
}

/** Source files, then each filter alone, and all of them at once. */
function* chosenFilters(profile, random) {
  for (const filter of ["focus", "ignore"])
    yield* ["\\.cc:", "\\.h:", "\\.h$", "^\\?\\?:"].map((pattern) =>
      ({...NONE, [filter]: pattern}));
  for (let i = 0; i < CASES; ++i) {
    for (const filter of FILTER_NAMES)
      yield {...NONE, [filter]: randomPattern(profile, random)};
    yield Object.fromEntries(FILTER_NAMES.map((name) =>
      [name, random() < 0.7 ? randomPattern(profile, random) : ""]));
  }
}

for (const [name, args] of Object.entries(DUMPS))
  test(name, async () => {
    const profile = await profileOf(written("page.html", ...args));
    const random = randomNumbers(args.length + name.length);
    const everything = shownByPage(profile, NONE).stacks.length;
    let narrowed = 0;  // how often something, but not everything, is left
    for (const filters of chosenFilters(profile, random)) {
      const options = FILTER_NAMES.filter((name) => filters[name] !== "")
          .map((name) => `--${name}=${filters[name]}`);
      const found = shownByPage(profile, filters);
      const count = found.stacks.length;
      if (count > 1 && count < everything) ++narrowed;
      if (name === "sampled")
        compare(found, shownByProgram([...options, ...args]),
                options.join(" "));
      else
        assert.deepEqual(found, shownByProgram([...options, ...args]),
                         options.join(" "));
    }
    assert.ok(narrowed > 0);
  });

test("filters know the forms of names that tables show", async () => {
  const profile =
      await profileOf(written("page.html", dump("dumps/inlining.gcc-O2")));
  const label = profile.labels.indexOf("demo::Pool<demo::Big>::Grow(int)");
  assert.deepEqual(profile.namesOf(label).sort(), [
    "demo::Pool::Grow", "demo::Pool<demo::Big>::Grow",
    "demo::Pool<demo::Big>::Grow(int)"]);
});
