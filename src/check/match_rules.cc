// SPDX-License-Identifier: Apache-2.0
#include "check/match_rules.h"

#include <cstddef>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace heapprof {
namespace {

Result<bool> Matches(const EntryPattern& pattern,
                     const ComparisonEntry& entry) {
  const bool is_place = pattern.field == EntryPattern::Field::kFile;
  for (const std::string* text : {&entry.name, &entry.key, &entry.file}) {
    if (text->empty() || (text == &entry.file) != is_place) continue;
    auto matches = pattern.regex.Matches(*text);
    if (!matches || *matches) return matches;
  }
  return false;
}

template <typename Rule>
Result<std::vector<const Rule*>> Match(const std::vector<Rule>& rules,
                                       const Comparison& comparison,
                                       const std::string& path,
                                       Diagnostics& diagnostics) {
  std::vector<const Rule*> matched(comparison.entries.size());
  for (const Rule& rule : rules) {
    bool any = false;
    for (size_t i = 0; i < matched.size(); ++i) {
      const auto matches = Matches(rule.pattern, comparison.entries[i]);
      if (!matches) return std::unexpected(matches.error());
      if (!*matches) continue;
      any = true;
      if (matched[i] == nullptr) matched[i] = &rule;
    }
    if (!any)
      diagnostics.Note(fmt::format("{}: {} matches none of the {}s", path,
                                   rule.name, CompareByName(comparison.by)));
  }
  return matched;
}

}  // namespace

Result<MatchedRules> MatchRules(const Budgets& budgets,
                                const Comparison& comparison,
                                Diagnostics& diagnostics) {
  MatchedRules matched;
  auto rules = Match(budgets.rules, comparison, budgets.path, diagnostics);
  if (!rules) return std::unexpected(rules.error());
  matched.rules = *std::move(rules);
  auto ignores = Match(budgets.ignores, comparison, budgets.path, diagnostics);
  if (!ignores) return std::unexpected(ignores.error());
  matched.ignores = *std::move(ignores);
  return matched;
}

}  // namespace heapprof
