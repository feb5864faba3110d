// SPDX-License-Identifier: Apache-2.0
//
// A report for a ticket, a pull request or an assistant, in GitHub's Markdown:
//
//   # `server`: 312.6 ± 1.2 MiB live
//
//   `server.12.heap`, 2026-11-23 04:25:41 UTC, one sample per 16 KiB
//
//   * **61.4% ±1.2** `Session::Open → Cache::Insert, cache.cc:61`
//
//   | self | share | with callees | Your code, with libraries it calls |
//   |--:|--:|--:|---|
//   | 128.0 MiB | 41.0% | 52.3% | `Cache::Insert` |
//
// The largest stacks and the commands that go deeper follow. Names are code
// spans, so that nothing in them has a meaning in Markdown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/view/overview.h"
#include "heapprof/view/trace_table.h"

namespace heapprof {

struct MarkdownReport {
  std::vector<std::string> dumps = {};  // paths; in a comparison, the new side
  std::vector<std::string> bases = {};  // those of the base; else empty
  // True also for a dump that is a difference itself and needs no base.
  bool is_comparison = false;
  // How many of `dumps` the report is about, the last ones of each process; 0:
  // all of them.
  size_t latest = 0;
  // How many of `dumps` are skipped because the program was exiting and had
  // freed its memory.
  size_t at_end = 0;
  Overview overview = {};
  MetricCell total = {};  // with what filters removed
  // What they leave; none if they removed nothing.
  std::optional<MetricCell> left = {};
  // The largest stacks, by line ("f src/a.cc:12").
  TraceTable traces = {};
  std::vector<std::string> commands = {};  // suggested
  std::vector<std::string> warnings = {};  // a sentence each
  // At most this many bytes, if the headline and the commands leave room.
  size_t most_bytes = 0;
};

std::string WriteMarkdown(const MarkdownReport& report);

}  // namespace heapprof
