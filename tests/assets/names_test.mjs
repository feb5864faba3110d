// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import {
  threadName, threadTitle,
} from "../../src/report/assets/html/thread_title.js";
import {fittedName, lastPart} from "../../src/report/assets/shared/names.js";

/** @param {string} name @param {number} most  characters */
const fitted = (name, most) => fittedName(name, (text) => text.length <= most);

test("names lose whole parts of their beginning first", () => {
  const name = "ceph::buffer::list::refill";
  assert.equal(fitted(name, 26), name);
  assert.equal(fitted(name, 25), "…::buffer::list::refill");
  assert.equal(fitted(name, 17), "…::list::refill");
});

test("the last part stays whole while there is room for it", () => {
  const name = "ReplicatedBackend::submit";
  assert.equal(fitted(name, 24), "ReplicatedBacke…::submit");
  assert.equal(fitted(name, 9), "…::submit");
  assert.equal(fitted(name, 6), "submi…");
  assert.equal(fitted("submit_transaction", 8), "submit_…");
});

test("there is always something left", () => {
  assert.equal(fitted("a::b::cd", 0), "c…");
  assert.equal(fitted("main", 0), "m…");
});

test("the last part is a name", () => {
  assert.equal(lastPart("std::map::find"), "find");
  assert.equal(lastPart("Type::~Type"), "~Type");
  assert.equal(lastPart("main"), "main");
  assert.equal(lastPart("app::run::{{closure}}"), "app::run::{{closure}}");
});

test("threads are called as in other reports", () => {
  assert.equal(threadTitle({uid: 12, name: "io"}), "t12 io");
  assert.equal(threadTitle({uid: 12, name: ""}), "t12");
  assert.equal(threadName({uid: 12, name: "io"}), "io");
  assert.equal(threadName({uid: 12, name: ""}), "t12");
});
