// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace heapprof {
namespace {

std::string StackSafe(std::string_view name) {
  std::string safe(name);
  std::ranges::replace(safe, ';', ':');
  std::ranges::replace_if(
      safe, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return safe;
}

std::vector<std::string> LabelTexts(const FrameLabels& labels) {
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (uint32_t id = 0; id < labels.size(); ++id)
    texts.push_back(StackSafe(labels.Text(id)));
  return texts;
}

}  // namespace

StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity) {
  const FrameLabels labels(
      profile, {.granularity = granularity, .names = NameForm::kPlain});
  const std::vector<std::string> texts = LabelTexts(labels);
  std::unordered_map<std::string, size_t> index;
  StackTable table;
  std::string stack;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    stack.clear();
    const auto ids = labels.OfStack(profile.StackFrames(sample.stack));
    for (const uint32_t id : ids | std::views::reverse) {
      if (!stack.empty()) stack += ';';
      stack += texts[id];
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
