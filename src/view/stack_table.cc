// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <ranges>
#include <string_view>

namespace heapprof {
namespace {

// The texts of all labels, in which ";" and line breaks are replaced, because
// they would end a frame or a row.
class FrameTexts {
 public:
  explicit FrameTexts(const FrameLabels& labels) {
    texts_.reserve(labels.size());
    for (uint32_t id = 0; id < labels.size(); ++id)
      texts_.push_back(WithoutSeparators(labels.Text(id)));
  }

  std::string_view operator[](uint32_t id) const { return texts_[id]; }

 private:
  // Returns `text` itself if nothing must be replaced, as in most labels, or
  // else a changed copy.
  std::string_view WithoutSeparators(std::string_view text) {
    const auto has = [&](char c) { return text.find(c) != text.npos; };
    if (!has(';') && !has('\n') && !has('\r')) return text;
    std::string& safe = changed_.emplace_back(text);
    std::ranges::replace(safe, ';', ':');
    std::ranges::replace_if(
        safe, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return safe;
  }

  std::vector<std::string_view> texts_;  // by label
  std::deque<std::string> changed_;
};

}  // namespace

StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity) {
  const FrameLabels labels(
      profile, {.granularity = granularity, .names = NameForm::kPlain});
  const FrameTexts texts(labels);
  StackTable table;
  IdTable index;  // each entry is the number of a row plus one
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
    const uint64_t hash = std::hash<std::string>()(stack);
    uint32_t number = index.Find(hash, [&](uint32_t known) {
      return table.rows[known - 1].stack == stack;
    });
    if (number == 0) {
      table.rows.push_back({.stack = stack});
      number = static_cast<uint32_t>(table.rows.size());
      index.Add(hash, number);
    }
    StackRow& row = table.rows[number - 1];
    (sample.side == Side::kNew ? row.now : row.before) += value;
  }
  std::ranges::sort(table.rows, {}, &StackRow::stack);
  return table;
}

}  // namespace heapprof
