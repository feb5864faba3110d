// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/each_messages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "cli/outputs/messages.h"
#include "heapprof/base/about_file.h"
#include "heapprof/base/counted.h"

namespace heapprof {

void EachMessages::AddDamage(const std::string& dump,
                             const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostics::Warning& warning : diagnostics.warnings()) {
    if (!IsDamage(warning.kind)) continue;
    Diagnostics of_kind;
    of_kind.Merge(warning);
    std::ranges::move(Warnings(of_kind, all_), std::back_inserter(lines));
  }
  if (lines.empty()) return;
  const size_t shown = all_ ? lines.size() : 1;
  for (size_t i = 0; i < shown; ++i)
    messages_.push_back({.text = "warning: " + AboutFile(dump, lines[i])});
  if (shown < lines.size())
    messages_.back().text += fmt::format(
        "; {}, see --verbose", Counted(lines.size() - shown, "more warning"));
}

void EachMessages::AddMessage(const std::string& dump,
                              const std::string& message,
                              std::string_view prefix) {
  if (!all_) {
    const auto [known, is_new] =
        similar_.emplace(CommonText(dump, message), messages_.size());
    if (!is_new) {
      ++messages_[known->second].others;
      return;
    }
  }
  messages_.push_back(
      {.text = fmt::format("{}{}", prefix, AboutFile(dump, message))});
}

void EachMessages::Add(const std::string& dump,
                       const Diagnostics& diagnostics) {
  AddDamage(dump, diagnostics);
  for (const Diagnostics::Warning& warning : diagnostics.warnings()) {
    if (IsDamage(warning.kind)) continue;
    Diagnostics of_kind;
    of_kind.Merge(warning);
    for (const std::string& text : Warnings(of_kind, all_))
      AddMessage(dump, text, "warning: ");
  }
  for (const std::string& note : diagnostics.notes())
    AddMessage(dump, note, "");
}

std::vector<std::string> EachMessages::Take() && {
  std::vector<std::string> lines;
  for (Message& message : messages_) {
    if (message.others != 0)
      message.text +=
          fmt::format(" (and {})", Counted(message.others, one_, several_));
    lines.push_back(std::move(message.text));
  }
  return lines;
}

}  // namespace heapprof
