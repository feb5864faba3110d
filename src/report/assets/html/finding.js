// SPDX-License-Identifier: Apache-2.0
//
// What the user has found, as Markdown for a ticket or a chat.
import {formatAmount, formatChange} from "../shared/format.js";
import {find} from "./dom.js";
import {FrameFacts} from "./frame_facts.js";
import {StackGroups} from "./groups.js";
import {selectedFacts} from "./selected_facts.js";
/** @import {HeapReport} from "./heap_report.js" */
/** @import {Selected} from "./selected.js" */

/** @param {HeapReport} report @param {number} node  of the flame graph */
export function findingOfFrame(report, node) {
  const {profile, flameView, settings, metric} = report;
  const graph = flameView.masked(settings);
  const facts = new FrameFacts(profile, graph, metric, "all");
  const details = [facts.self(node), facts.verdict(node)].filter(Boolean);
  return text([
    `**${facts.amount(node)}** ${metric.title} in ${codeSpan(facts.name(node))}`,
    ...details.map((detail) => `- ${detail}`),
    ...facts.origin(node).map((place) => `- ${codeSpan(place)}`),
    ...context(),
    "",
    ...codeBlock(facts.stackLines(node)),
  ]);
}

/** @param {HeapReport} report @param {Selected} selected */
export function findingOfSelected(report, selected) {
  const [[, total], ...facts] = selectedFacts(report, selected);
  return text([
    `**${total}** ${report.metric.title} in ${codeSpan(selected.name)}`,
    ...facts.map(([term, fact]) => `- ${term}: ${/^(Self|Total)$/.test(term) ?
      fact : codeSpan(fact)}`),
    ...context(),
    ...callers(report, selected),
  ]);
}

/** @param {HeapReport} report @param {Selected} selected */
function callers(report, selected) {
  const MOST = 5;
  const {profile, metric} = report;
  const {graph, nodes} = report.callsOf(selected);
  const groups = new StackGroups(graph, profile.labels.length);
  const parts = groups.next(groups.start(nodes), "callers");
  if (parts.length === 0) return [];
  const amount = (/** @type {{value: number, base: number}} */ {value, base}) =>
    graph.isComparison ? formatChange(value - base, metric) :
      formatAmount(value, metric);
  return ["", `Called by${parts.length > MOST ? ", among others" : ""}:`, "",
          ...parts.slice(0, MOST).map((part) =>
            `- ${amount(part)}: ${codeSpan(profile.labels[part.label])}`)];
}

// Which profile it is, and how much of it is shown.
function context() {
  return [`- of ${codeSpan(find("h1").textContent ?? "")}: ${
    (find("#total").textContent ?? "").replace(/\s+/g, " ")}`];
}

/** @param {string[]} lines */
function text(lines) {
  return `${lines.join("\n")}\n`;
}

/** Longer than each run of backticks in a text. @param {string} text */
function fence(text) {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(Math.max(0, ...runs.map(({length}) => length)) + 1);
}

/** @param {string} text */
export function codeSpan(text) {
  const LONGEST = 200;
  const plain = text.length <= LONGEST ? text :
    `${text.slice(0, LONGEST - 1)}…`;
  const mark = fence(plain);
  const space = mark.length > 1 ? " " : "";
  return `${mark}${space}${plain}${space}${mark}`;
}

/** @param {string[]} lines */
function codeBlock(lines) {
  const mark = fence(lines.join("\n")).padEnd(3, "`");
  return [mark, ...lines, mark];
}
