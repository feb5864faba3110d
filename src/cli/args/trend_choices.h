// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof trend`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/output_names.h"
#include "heapprof/check/trend_gate.h"
#include "heapprof/view/trend_table.h"

namespace heapprof {

enum class TrendFormat : uint8_t { kText, kJson, kCsv, kHtml };

// The options that choose a format, and the extensions of files that get it, in
// the order of TrendFormat.
inline constexpr std::string_view kTrendFormats[] = {"text", "json", "csv",
                                                     "html"};
inline constexpr std::string_view kTrendExtensions[] = {".txt", ".json", ".csv",
                                                        ".html"};

struct TrendOutput {
  TrendFormat format = TrendFormat::kText;
  std::string path = {};  // of -o; empty or "-" = standard output

  bool IsStandardOutput() const { return heapprof::IsStandardOutput(path); }
};

struct TrendChoices {
  std::optional<TrendBy> by = {};        // --by
  std::optional<TrendAxis> axis = {};    // --per
  std::optional<TrendLimit> limit = {};  // --fail-on
  bool asks_for_csv = false;
  std::vector<TrendOutput> outputs = {TrendOutput()};

  TrendBy By() const { return by.value_or(TrendBy::kOwn); }
};

}  // namespace heapprof
