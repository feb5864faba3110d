// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof check`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/output_names.h"
#include "heapprof/check/settings.h"

namespace heapprof {

// In the order of CheckFormats(). The extensions of files that get a format are
// in the same order; empty: only --format chooses it.
inline constexpr std::string_view kFormatChoices =
    "text|json|markdown|github|junit";
inline constexpr std::string_view kFormatExtensions[] = {".txt", ".json", ".md",
                                                         "", ".xml"};

struct CheckOutput {
  size_t format = 0;      // an index of CheckFormats()
  std::string path = {};  // empty or "-" = standard output

  bool IsText() const { return format == 0; }
  bool IsStandardOutput() const { return heapprof::IsStandardOutput(path); }
};

struct CheckChoices {
  CheckSettings settings;
  std::string budgets;                  // path of the budgets file; empty: none
  std::vector<CheckOutput> outputs{1};  // never empty
  std::string save_baseline;  // path of the file to write; empty: none
  bool explain = false;
  bool accept_damaged = false;
  bool allow_empty = false;
  bool allow_renamed = false;
};

}  // namespace heapprof
