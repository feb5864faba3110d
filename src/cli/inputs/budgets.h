// SPDX-License-Identifier: Apache-2.0
//
// Reads a budgets file of `heapprof check`, which is written in TOML. An
// unknown key is an error, so that a misspelled key cannot switch a limit off.
//
//   max_total = "2GiB"
//   max_growth = "10% + 4MiB"
//
//   [[rules]]
//   function = "^cache::"
//   max_growth = "50%"
//
//   [[ignore]]
//   function = "^legacy::Import"
//   reason = "is rewritten in #1234"
//   expires = 2027-01-31
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/check_options.h"
#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"

namespace heapprof {

// Selects the entries of the comparison that a rule applies to: those whose
// function, file or module the regular expression matches.
struct EntryPattern {
  enum class Field : uint8_t { kFunction, kFile, kModule };
  Field field = Field::kFunction;
  Regex regex;
};

struct BudgetRule {
  std::string name;  // "rules[0]"
  EntryPattern pattern;
  std::optional<ParsedSize> max_total = {};
  std::optional<ParsedLimit> max_growth = {};
  std::optional<ParsedSize> max_new = {};
};

struct BudgetIgnore {
  std::string name;  // "ignore[0]"
  EntryPattern pattern;
  std::string reason = {};
  std::string expires = {};  // the last valid day: "2027-01-31"
  bool is_expired = false;
};

struct Budgets {
  CheckSettings settings = {};
  std::vector<BudgetRule> rules = {};
  std::vector<BudgetIgnore> ignores = {};
};

// Parses the text of a budgets file. `path` is only for messages; `today`
// decides which ignores have expired. Errors are of kind kUsage and name the
// file, the line, the key and what was expected.
Result<Budgets> ParseBudgets(std::string_view text, const std::string& path,
                             std::chrono::year_month_day today);

Result<Budgets> ReadBudgets(const std::string& path,
                            std::chrono::year_month_day today);

}  // namespace heapprof
