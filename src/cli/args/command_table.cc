// SPDX-License-Identifier: Apache-2.0
#include "cli/args/command_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace heapprof {
namespace {

// Returns how many characters must be inserted, removed, replaced or swapped
// with the next one to make `b` of `a` (optimal string alignment).
size_t TypingErrors(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> distance(a.size() + 1,
                                            std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t k = 0; k <= b.size(); ++k) {
      size_t& least = distance[i][k];
      least = std::max(i, k);
      if (i == 0 || k == 0) continue;
      least = std::min({distance[i - 1][k] + 1, distance[i][k - 1] + 1,
                        distance[i - 1][k - 1] + (a[i - 1] != b[k - 1])});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        least = std::min(least, distance[i - 2][k - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

}  // namespace

bool CommandSpec::Takes(const OptionSpec& option) const {
  const std::string_view option_name =
      option.alias_of.empty() ? option.name : option.alias_of;
  return std::ranges::find(groups, option.group) != groups.end() ||
         std::ranges::find(options, option_name) != options.end();
}

const CommandSpec* FindCommand(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* const found =
      std::ranges::find(kCommands, name, &CommandSpec::name);
  return found == std::end(kCommands) ? nullptr : found;
}

const CommandSpec* FindSimilarCommand(std::string_view word) {
  constexpr size_t kLongest = 32;
  if (word.size() > kLongest) return nullptr;
  for (const CommandSpec& command : kCommands) {
    // Of a short name, one error leaves enough to recognise it.
    constexpr size_t kLettersPerError = 3;
    const size_t errors = command.name.size() / kLettersPerError;
    if (errors > 0 && TypingErrors(word, command.name) <= errors)
      return &command;
  }
  return nullptr;
}

}  // namespace heapprof
