// SPDX-License-Identifier: Apache-2.0
//
// The filters of the page leave what the same filters of the command line
// leave, with the same sampling errors: random patterns, made of names in the
// dump.
import assert from "node:assert/strict";
import {readFileSync, renameSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";
import test from "node:test";
import {FlameView} from "../../../src/report/assets/html/flame_view.js";
import {foldedStacks} from "../../../src/report/assets/html/folded.js";
import {
  addedRows, presentRows, storedRows,
} from "../../../src/report/assets/html/rows.js";
import {FILTER_NAMES} from "../../../src/report/assets/html/stack_filters.js";
import {
  dump, profileOf, scratch, textOf, written, writtenFiles,
} from "./pages.mjs";

// For each filter and dump: there are ten random filters, at least.
const CASES = process.env.HEAPPROF_FULL ? 10 : 2;
const NONE = {focus: "", ignore: "", hide: "", show_from: ""};
const ALL = {kind: "all", index: 0};

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
  // The page does not know ' (inline)', which the program puts after names.
  const part = (start, size) =>
    literal(form.slice(start, start + size).replace(/ \(?$/, ""));
  const inside = part(Math.floor(random() * form.length / 2), 12);
  return pick([`^${literal(form)}$`, `^${part(0, 8)}`, inside,
               `${inside}|^main$`]);
}

function graphOf(profile, metric, filters, part = ALL) {
  return new FlameView(profile).plain({metric, part, filters});
}

function rowsOf(profile, table, metric, filters, part = ALL) {
  const view = new FlameView(profile);
  const settings = {metric, part, filters};
  return addedRows(
      profile, table, metric, table === "files" || table === "modules" ?
        view.ofCode(settings, table) : view.plain(settings));
}

/** What the page shows. */
function shownByPage(profile, filters) {
  const {metric} = profile.header;
  const graph = graphOf(profile, metric, filters);
  const rows = addedRows(profile, "functions", metric, graph);
  const {total, baseTotal} = graph.values;
  return {
    stacks: foldedStacks(graph, profile.labels).split("\n").sort(),
    all: [total[0], baseTotal?.[0]],
    interval: graph.interval(0),
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
    interval: (isComparison ? shown.change : shown).interval,
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

/** Sums of whole bytes, which are rounded in another order. */
function expectNear(found, wanted, where) {
  const MOST = 16;
  assert.ok(found !== undefined && found.length === wanted.length &&
            found.every((value, i) => Math.abs(value - wanted[i]) <= MOST),
            `${where}: ${found}, expected ${wanted}`);
}

/** What tables say, without errors: by table and row. */
function valuesOf(tables) {
  return new Map(tables.flatMap((rows, table) => presentRows(rows).map((at) => [
    `${table} ${rows.names[at]}`, [
      rows.self[at], rows.total[at], rows.baseSelf?.[at] ?? 0,
      rows.baseTotal?.[at] ?? 0]])));
}

/** What is said about errors: of the total, and of the rows of tables. */
function errorsOf(graph, tables) {
  const changed = (rows, at) => rows.judge?.hasChanged.total(at) ?? null;
  return new Map([
    ["total", [graph.interval(0), graph.hasChanged(0)]],
    ...tables.flatMap((rows) => presentRows(rows).map((at) => [
      rows.names[at], [
        rows.selfBounds?.at(at) ?? null, rows.totalBounds?.at(at) ?? null,
        changed(rows, at)]])),
  ]);
}

/** Variances are stored with six digits. */
function expectInterval(found, {lower, upper}, where) {
  const most = 4 + 1e-5 * (upper - lower);
  assert.ok(Math.abs(found.lower - lower) <= most &&
            Math.abs(found.upper - upper) <= most,
            `${where} ${JSON.stringify([found, {lower, upper}])}`);
}

/**
 * The page computes the errors that the program writes into a page of what the
 * same filters leave. Values are rounded to bytes, in another order of nodes.
 * Filters of a page do not change what it takes for chance, so it has to judge
 * as strictly as that of fewer frames.
 * Returns how many intervals there were.
 */
async function compareErrors(profile, filters, options, args, part = ALL) {
  const filtered =
    await profileOf(written("filtered.html", ...options, ...args));
  let count = 0;
  for (const metric of profile.header.metrics.keys()) {
    const [{errors}, {errors: wanted}] =
        [profile, filtered].map(({header}) => header.metrics[metric]);
    if (!errors) continue;
    errors.changes = wanted.changes;
    for (const extent of ["of_entries", "of_total"])
      errors[extent].widening_of_changes = wanted[extent].widening_of_changes;
  }
  for (const metric of profile.header.metrics.keys()) {
    const tables = ["functions", "files", "modules"];
    const added = tables.map((table) =>
      rowsOf(profile, table, metric, filters, part));
    const stored = tables.map((table) => storedRows(filtered, table, metric));
    const values = valuesOf(added);
    for (const [row, wanted] of valuesOf(stored))
      expectNear(values.get(row), wanted, `${options}, metric ${metric}: ${row}`);
    const found = errorsOf(graphOf(profile, metric, filters, part), added);
    const expected = errorsOf(graphOf(filtered, metric, NONE), stored);
    for (const [name, wanted] of expected)
      found.get(name).forEach((value, i) => {
        const where = `${options}, metric ${metric}: ${name}`;
        if (typeof wanted[i]?.lower !== "number") {
          assert.deepEqual(value, wanted[i], where);
          return;
        }
        expectInterval(value, wanted[i], where);
        ++count;
      });
  }
  return count;
}

/** The same samples, as if they had been taken with another period. */
function resampled(path, period) {
  const copy = join(scratch, `${period}.heap`);
  const header = /^heap_v2\/\d+/;
  const text = readFileSync(path, "utf8");
  assert.match(text, header);
  writeFileSync(copy, text.replace(header, `heap_v2/${period}`));
  return copy;
}

/**
 * The same samples, of a process in which all threads but the main one used one
 * stack after the other, and so one seed.
 */
function withOneStack(path) {
  const copy = join(scratch, `one-stack-${basename(path)}`);
  const text = readFileSync(path, "utf8");
  const stacks = /^[0-9a-f]+-[0-9a-f]+ ---p .*\n[0-9a-f]+-[0-9a-f]+ rw-p 0+ 00:00 0 *\n/gm;
  assert.ok(text.match(stacks).length > 1);
  let count = 0;
  writeFileSync(copy, text.replace(stacks, (all) => count++ === 0 ? all : ""));
  return copy;
}

const sampled = ["gcc", "clang"].map((compiler) =>
  dump(`sampled/quickstart.${compiler}-O2`));
const grown = ["--base", dump("dumps/growth.first"), dump("dumps/growth.grown")];
const DUMPS = {
  "inlined calls": [dump("dumps/inlining.clang-O2")],
  "no debug information": [dump("dumps/inlining.gcc-O2-nodebug")],
  "static": [dump("dumps/warehouse.gcc-O2-static")],
  "several binaries": [dump("dumps/shared_main.gcc-O2")],
  "sampled": sampled.slice(0, 1),
  "comparison": grown,
  // Means of three runs.
  "sampled comparison": [
    "--base", sampled[0], "--base", sampled[1], "--base", sampled[0],
    sampled[1], sampled[0], sampled[1]],
  "exact comparison": [
    "--base", grown[1], "--base", grown[2], "--base", grown[1],
    grown[2], grown[1], grown[2]],
  "sampled growth": ["--base", sampled[0], resampled(sampled[1], 1 << 20)],
  // Sums.
  "sampled, groups": ["--groups=@own,@libstdc++", sampled[0]],
  "sampled, several": [
    sampled[0], resampled(sampled[0], 65536), resampled(sampled[0], 1024)],
};

/**
 * Compares what is shown. The stacks of a sampled dump are rounded to whole
 * bytes, so that the sum of a few may differ by one or two.
 */
function compare(found, expected, options) {
  const MOST = 2;
  const near = (a, b) => a === b || Math.abs(a - b) <= MOST;
  expectInterval(found.interval, expected.interval, options);
  const parts = (line) => {
    const [, stack, values] = /^(.*?)((?: \d+)*)$/.exec(line);
    return [stack, values.trim().split(" ").map(Number)];
  };
  assert.equal(found.stacks.length, expected.stacks.length, options);
  found.stacks.forEach((line, i) => {
    const [[stack, values], [wanted, wantedValues]] =
        [line, expected.stacks[i]].map(parts);
    assert.equal(stack, wanted, options);
    assert.ok(values.every((value, i) => near(value, wantedValues[i])),
              `${options}: ${line}`);
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

/** Source files, then random ones: each filter alone, and all at once. */
function* chosenFilters(profile, random) {
  for (const filter of ["focus", "ignore"])
    for (const pattern of ["\\.cc:", "\\.h:\\d+$", "\\.h:$", "\\.h$",
                           "^\\?\\?:0$"])
      yield {...NONE, [filter]: pattern};
  yield* randomFilters(profile, random, CASES);
}

/** Five for each of `cases`. */
function* randomFilters(profile, random, cases) {
  for (let i = 0; i < cases; ++i) {
    for (const filter of FILTER_NAMES)
      yield {...NONE, [filter]: randomPattern(profile, random)};
    yield Object.fromEntries(FILTER_NAMES.map((name) =>
      [name, random() < 0.7 ? randomPattern(profile, random) : ""]));
  }
}

function optionsOf(filters) {
  return FILTER_NAMES.filter((name) => filters[name] !== "")
      .map((name) => `--${name}=${filters[name]}`);
}

for (const [name, args] of Object.entries(DUMPS))
  test(name, async () => {
    const profile = await profileOf(written("page.html", ...args));
    const random = randomNumbers(args.length + name.length);
    const everything = shownByPage(profile, NONE).stacks.length;
    const isSampled = name.startsWith("sampled");
    let narrowed = 0;  // how often something, but not everything, is left
    let errors = 0;
    for (const filters of chosenFilters(profile, random)) {
      const options = optionsOf(filters);
      const found = shownByPage(profile, filters);
      const count = found.stacks.length;
      if (count > 1 && count < everything) ++narrowed;
      if (isSampled) {
        compare(found, shownByProgram([...options, ...args]),
                options.join(" "));
        errors += await compareErrors(profile, filters, options, args);
      } else
        assert.deepEqual(found, shownByProgram([...options, ...args]),
                         options.join(" "));
    }
    assert.ok(narrowed > 0);
    assert.ok(!isSampled || errors > 100, `${errors} intervals`);
    if (name === "sampled growth")
      assert.ok(profile.changed(0).some((changed) => changed === 1));
  });

// Threads that share a seed have larger errors together.
const oneStack = sampled.map(withOneStack);
const SHARING = {
  "a dump": oneStack.slice(0, 1),
  "a comparison": ["--base", oneStack[0], oneStack[1]],
  "a comparison with another dump": ["--base", sampled[0], oneStack[1]],
  "a comparison of means": [
    "--base", oneStack[0], "--base", sampled[1], "--base", oneStack[0],
    oneStack[1], oneStack[0], oneStack[1]],
  "several dumps": [oneStack[0], resampled(oneStack[0], 65536)],
};

for (const [name, args] of Object.entries(SHARING))
  test(`threads with one seed: ${name}`, async () => {
    const profile = await profileOf(written("page.html", ...args));
    assert.ok(profile.header.seeds.length > 0);
    const random = randomNumbers(name.length);
    let errors = 0;
    for (const filters of [NONE, ...randomFilters(profile, random, 2)]) {
      const options = optionsOf(filters);
      compare(shownByPage(profile, filters),
              shownByProgram([...options, ...args]), options.join(" "));
      errors += await compareErrors(profile, filters, options, args);
    }
    assert.ok(errors > 100, `${errors} intervals`);
  });

/** Compares each of several dumps of a page with a report on it alone. */
async function compareEachOf(dumps, random) {
  const profile = await profileOf(written("page.html", ...dumps));
  for (const [index, path] of dumps.entries()) {
    let errors = 0;
    for (const filters of [NONE, ...randomFilters(profile, random, 2)])
      errors += await compareErrors(profile, filters, optionsOf(filters),
                                    [path], {kind: "dump", index});
    assert.ok(errors > 100, `${errors} intervals of ${path}`);
  }
}

test("threads with one seed: one of several dumps", () => compareEachOf(
    [oneStack[0], resampled(oneStack[0], 65536), sampled[0]],
    randomNumbers(7)));

for (const path of [sampled[0], oneStack[0]])
  test(`a single thread of ${basename(path)}`, async () => {
    const profile = await profileOf(written("page.html", path));
    let errors = 0;
    for (const [index, {uid}] of profile.header.threads.entries())
      for (const focus of ["", "RenderBody", "Parse|Load"])
        errors += await compareErrors(
            profile, {...NONE, focus},
            [`--thread=${uid}`, ...focus === "" ? [] : [`--focus=${focus}`]],
            [path], {kind: "thread", index});
    assert.ok(errors > 100, `${errors} intervals`);
  });

// Dumps of one compiler: beside each other, equal functions have one spelling.
for (const one of sampled)
  test(`one of several dumps: ${basename(one)}`, () => compareEachOf(
      [one, ...[65536, 1024, 9999, 4097].map((period) =>
        resampled(one, period))],
      randomNumbers(one.length)));

// The page shows the last one as a whole.
for (const [process, paths] of [[7, sampled], [8, oneStack]])
  test(`one of several dumps of process ${process}`, async () => {
    const dumps = [1024, 4096, 65536].map((period, i) => {
      const copy = join(scratch, `demo.${process}.${i}.i${i}.heap`);
      renameSync(resampled(paths[i % 2 === 0 ? 0 : 1], period), copy);
      return copy;
    });
    const profile = await profileOf(written("page.html", ...dumps));
    const parts = dumps.map((path, index) => [path, {kind: "dump", index}]);
    for (const [path, part] of [...parts, [dumps.at(-1), ALL]])
      for (const focus of ["", "ParseRequest"]) {
        const options = focus === "" ? [] : [`--focus=${focus}`];
        const filters = {...NONE, focus};
        const graph = graphOf(profile, profile.header.metric, filters, part);
        expectInterval(graph.interval(0),
                       shownByProgram([...options, path]).interval,
                       `${path} ${options}`);
      }
  });

test("an exact dump has no errors beside a sampled one", async () => {
  const profile = await profileOf(
      written("page.html", sampled[0], resampled(sampled[1], 1)));
  const [, {missed}] = profile.header.dumps;
  assert.equal(missed, null);
  const exact = graphOf(profile, profile.header.metric, NONE,
                        {kind: "dump", index: 1});
  assert.equal(exact.interval(0), null);
});

test("filters know the forms of names that tables show", async () => {
  const profile =
      await profileOf(written("page.html", dump("dumps/inlining.gcc-O2")));
  const label = profile.labels.indexOf("demo::Pool<demo::Big>::Grow(int)");
  assert.deepEqual(profile.namesOf(label).sort(), [
    "demo::Pool::Grow", "demo::Pool<demo::Big>::Grow",
    "demo::Pool<demo::Big>::Grow(int)"]);
});
