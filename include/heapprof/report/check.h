// SPDX-License-Identifier: Apache-2.0
//
// The reports of `heapprof check`.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/report/comparison.h"
#include "heapprof/view/check.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

inline constexpr int kCheckSchemaVersion = 1;

struct CheckReport {
  const Comparison& comparison;
  const CheckBudget& budget;
  const CheckResult& result;
  JudgeOptions options = {};
  std::array<std::vector<ComparedDump>, 2> dumps = {};  // by Side
  // The least verdict that counts as a failure; none: no verdict does.
  std::optional<Verdict> fails_from = Verdict::kRegression;
  std::string source_root = {};  // absolute; source files below it are ours
  std::vector<Detectable> detectable = {};
  // Of the text: as in ComparisonLayout.
  size_t width = 0;
  bool color = false;

  bool HasBase() const {
    return !dumps[static_cast<size_t>(Side::kBase)].empty();
  }
};

// For people: the verdict, both sides, and a table of findings. Very long names
// are shortened.
std::string WriteCheckText(const CheckReport& report);

// The schema is in proto/heapprof.schema.json.
std::string WriteCheckJson(const CheckReport& report);

// For a comment on a pull request: at most 60 KB, whatever the names.
std::string WriteCheckMarkdown(const CheckReport& report);

// The commands of GitHub Actions that annotate source lines, then the markdown.
std::string WriteCheckGithub(const CheckReport& report);

// JUnit's XML: a test case for each limit of the total, for each finding, and
// for all other entries.
std::string WriteCheckJunit(const CheckReport& report);

struct CheckFormat {
  std::string_view name;  // of --format
  std::string (*write)(const CheckReport& report);
};

// In the order of the option's values.
std::span<const CheckFormat> CheckFormats();

}  // namespace heapprof
