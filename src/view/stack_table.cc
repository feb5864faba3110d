// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

std::string StackSafe(std::string_view name) {
  std::string safe(name);
  std::ranges::replace(safe, ';', ':');
  std::ranges::replace_if(
      safe, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return safe;
}

// "main;f;g" for each location's own inlined frames, root first.
std::vector<std::string> LocationTexts(const Profile& profile) {
  std::vector<std::string> functions;
  functions.reserve(profile.functions.size());
  for (const Function& f : profile.functions) {
    const std::string_view name = profile.String(f.name);
    // Two builds name one function with different clone and lambda numbers.
    functions.push_back(
        StackSafe(profile.compares_builds ? NormalizeName(name) : name));
  }
  std::vector<std::string> texts;
  texts.reserve(profile.locations.size());
  for (const Location& location : profile.locations) {
    std::string& text = texts.emplace_back();
    for (const Line& line :
         profile.LocationLines(location) | std::views::reverse) {
      if (!text.empty()) text += ';';
      text += functions[line.function.index()];
    }
  }
  return texts;
}

}  // namespace

StackTable MakeStackTable(const Profile& profile, Metric metric) {
  const std::vector<std::string> texts = LocationTexts(profile);
  std::unordered_map<std::string, size_t> index;
  StackTable table;
  std::string stack;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    stack.clear();
    for (LocationId frame :
         profile.StackFrames(sample.stack) | std::views::reverse) {
      if (!stack.empty()) stack += ';';
      stack += texts[frame.index()];
    }
    auto [it, added] = index.try_emplace(stack, table.rows.size());
    if (added) table.rows.push_back({.stack = stack});
    StackRow& row = table.rows[it->second];
    (sample.side == Side::kNew ? row.now : row.before) += value;
  }
  std::ranges::sort(table.rows, {}, &StackRow::stack);
  return table;
}

}  // namespace heapprof
