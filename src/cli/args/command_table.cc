// SPDX-License-Identifier: Apache-2.0
#include "cli/args/command_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/core.h>

#include "cli/args/nearest_word.h"

namespace heapprof {

bool CommandSpec::Takes(OptionGroup group) const {
  return std::ranges::find(groups, group) != groups.end();
}

bool CommandSpec::Takes(const OptionSpec& option) const {
  const std::string_view option_name =
      option.alias_of.empty() ? option.name : option.alias_of;
  return Takes(option.group) ||
         std::ranges::find(options, option_name) != options.end() ||
         std::ranges::find(meanings, option_name, &OptionMeaning::name) !=
             meanings.end();
}

OptionSpec CommandSpec::OptionOf(const OptionSpec& option) const {
  OptionSpec own = option;
  const auto meaning =
      std::ranges::find(meanings, option.name, &OptionMeaning::name);
  if (meaning == meanings.end()) return own;
  own.group = meaning->group;
  own.value = meaning->value;
  own.help = meaning->help;
  return own;
}

const CommandSpec& CommandOf(OptionGroup group) {
  return *std::ranges::find_if(kCommands, [&](const CommandSpec& command) {
    return command.Takes(group);
  });
}

const CommandSpec* FindCommand(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto* const found =
      std::ranges::find(kCommands, name, &CommandSpec::name);
  return found == std::end(kCommands) ? nullptr : found;
}

std::string CommandComesFirst(std::string_view name) {
  return fmt::format(
      "{0}: not a file; the command comes before its options: heapprof {0} ...",
      name);
}

const CommandSpec* FindSimilarCommand(std::string_view word) {
  constexpr size_t kLongest = 32;
  if (word.size() > kLongest) return nullptr;
  for (const CommandSpec& command : kCommands) {
    // Of a short name, one error leaves enough to recognise it.
    constexpr size_t kLettersPerError = 3;
    const size_t errors = command.name.size() / kLettersPerError;
    if (errors > 0 && EditDistance(word, command.name) <= errors)
      return &command;
  }
  return nullptr;
}

}  // namespace heapprof
