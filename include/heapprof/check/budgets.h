// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof check` allows: limits, rules for certain entries, and what it
// ignores. They come from the command line and from a budgets file, which is
// written in TOML. An unknown key is an error, so that a misspelled key cannot
// switch a limit off.
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

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/check/limits.h"
#include "heapprof/check/settings.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Selects the entries of the comparison that a rule applies to: those whose
// function, file, module or group the regular expression matches.
struct EntryPattern {
  enum class Field : uint8_t { kFunction, kFile, kModule, kGroup };
  Field field = Field::kFunction;
  Regex regex;
};

// The limits of an entry.
struct EntryLimits {
  std::optional<ParsedSize> max_total = {};
  std::optional<ParsedLimit> max_growth = {};
  // Instead of `max_growth`, for an entry that no sample of the base has.
  std::optional<ParsedSize> max_new = {};
};

// Replaces the limits on entries in CheckSettings for certain entries.
struct EntryRule {
  std::string name;  // "rules[0]"
  EntryPattern pattern;
  EntryLimits limits = {};
};

// A rule by which findings about certain entries are ignored until a date.
// After that date, the rule itself is a finding.
struct IgnoreRule {
  std::string name;  // "ignore[0]"
  EntryPattern pattern;
  std::string reason = {};
  std::string expires = {};  // the last valid day: "2027-01-31"
  bool is_expired = false;
};

struct Budgets {
  std::string path = {};  // of the file, for messages; empty: none
  CheckSettings settings = {};
  std::vector<EntryRule> rules = {};
  std::vector<IgnoreRule> ignores = {};

  bool LimitsEntries() const {
    return settings.LimitsEntries() || !rules.empty();
  }
  bool HasLimit() const { return settings.LimitsTotal() || LimitsEntries(); }
};

// Parses the text of a budgets file. `path` is only for messages; `today`
// decides which ignores have expired. Errors are of kind kUsage and name the
// file, the line, the key and what was expected.
Result<Budgets> ParseBudgets(std::string_view text, const std::string& path,
                             std::chrono::year_month_day today);

// What budgets are to be used for.
struct BudgetsUse {
  Metric metric = Metric::kInuseSpace;
  bool has_base = false;
  bool needs_limit = true;  // false if only a baseline is saved
};

// Fails if the budgets make no sense together, or not for this use. Errors are
// of kind kUsage.
Result<void> CheckBudgets(const Budgets& budgets, const BudgetsUse& use);

}  // namespace heapprof
