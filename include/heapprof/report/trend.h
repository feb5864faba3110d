// SPDX-License-Identifier: Apache-2.0
//
// The reports of `heapprof trend`.
//
//   server.4242: grows by 3.1 ± 0.4 MiB/h in Session::Open; at this rate, the
//   process holds 256 MiB in 2 days
//     +48.1 ± 3.0 MiB  Server::Run → Session::Open, session.cc:47
//   41 dumps in 16.0 h, 2026-11-23 04:25:41 to 2026-11-23 20:25:41 UTC
//
//          per hour     first      last      peak  course    trend
//    +3.2 ± 0.5 MiB  40.1 MiB  91.3 MiB  91.3 MiB  ▄▄▅▅▆▆▇█  growing
//           total
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/check/trend_gate.h"
#include "heapprof/view/story.h"
#include "heapprof/view/trend_table.h"

namespace heapprof {

// One process.
struct TrendSeries {
  std::string name;     // such as "server.4242"
  std::string program;  // path; empty if unknown
  TrendTable table;
  // Of the change from the first dump to the last one; empty unless something
  // grows.
  std::vector<StoryChain> story = {};
  std::optional<TrendJudgement> judgement = {};
};

// True if the total or any row grows.
bool Grows(const TrendTable& table);
// True if the process is what the user looks for: it grows, or a gate has found
// something.
bool IsSuspect(const TrendSeries& series);

struct TrendReport {
  std::vector<TrendSeries> series = {};  // the worst first
  std::optional<TrendLimit> limit = {};
  std::vector<std::string> commands = {};  // suggested commands

  // The worst of all series.
  Verdict WorstVerdict() const;
};

struct TrendTextOptions {
  size_t width = 0;  // of the terminal; 0: no limit
  size_t rows = 10;  // of each table, besides the total; 0: all
  // Of several processes, at most so many are shown with their tables, and at
  // most so many others with one line; 0: a sentence about all of them has to
  // do, if there is one.
  size_t most_tables = 20;
  size_t most_lines = 100;
  size_t most_sentences = 5;  // of each process
  // Of several processes, those that neither grow nor fail have only a line.
  bool shortens_quiet = true;
  bool color = false;
};

// Returns what --fail-on says: "regression: growth>1MiB/h: Serve by +3 MiB/h"
// or, of several processes, "growth>1MiB/h: 1 of 24 processes fails".
std::string TrendHeadline(const TrendReport& report);

// Limits rows, tables and lines to what a terminal with so many lines shows.
// `options` must have the rest.
void FitTrendText(const TrendReport& report, size_t lines,
                  TrendTextOptions& options);

std::string WriteTrendText(const TrendReport& report,
                           const TrendTextOptions& options);
std::string WriteTrendJson(const TrendReport& report);
// One page that loads nothing and has no scripts: the sentences, a picture of
// the total with its error bars, the rows, and pictures of those at the top.
std::string WriteTrendHtml(const TrendReport& report, std::string_view version);
// A line for each row; the first one has the names of the columns.
std::string WriteTrendCsv(const TrendReport& report);

// Say why a gate could not judge, in place of a report. (As CSV, that is a
// report without rows.)
std::string WriteTrendErrorText(std::string_view error);
std::string WriteTrendErrorJson(std::string_view error);
std::string WriteTrendErrorHtml(std::string_view error,
                                std::string_view version);

// Says in one sentence what grows, how fast and how sure that is.
std::string TrendSentence(const TrendTable& table);

}  // namespace heapprof
