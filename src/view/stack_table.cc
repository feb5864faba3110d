// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// Replaces what would end a frame or a row, and what a terminal might obey.
std::string LabelText(std::string text) {
  if (text.empty()) return "??";
  std::ranges::replace(text, ';', ':');
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return Printable(text);
}

// Compares `a` with `b` in byte order. Each is followed by ";" unless it is the
// end of a stack.
bool IsLess(std::string_view a, bool a_ends, std::string_view b, bool b_ends) {
  const size_t common = std::min(a.size(), b.size());
  const int order = a.substr(0, common).compare(b.substr(0, common));
  if (order != 0) return order < 0;
  const auto next = [common](std::string_view text, bool ends) {
    if (text.size() > common)
      return int{static_cast<unsigned char>(text[common])};
    return ends ? -1 : int{';'};
  };
  return next(a, a_ends) < next(b, b_ends);
}

// Fills `in_order` with the different texts of the labels, in byte order of
// TEXT + ";". Returns the index of each label's text.
std::vector<uint32_t> SortLabels(const FrameLabels& labels,
                                 std::vector<std::string>& in_order) {
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (uint32_t id = 0; id < labels.size(); ++id)
    texts.push_back(LabelText(labels.Text(id)));
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return IsLess(texts[a], false, texts[b], false);
  });
  std::vector<uint32_t> numbers(texts.size());
  for (const uint32_t id : order) {
    if (in_order.empty() || in_order.back() != texts[id])
      in_order.push_back(std::move(texts[id]));
    numbers[id] = static_cast<uint32_t>(in_order.size() - 1);
  }
  return numbers;
}

// Compares rows by their texts. No text is made: labels contain no ";", so the
// first frames that differ decide. Their numbers are in the order of the labels
// with a ";", which is right unless a stack ends there.
class RowOrder {
 public:
  explicit RowOrder(const StackTable& table) : table_(table) {}

  bool operator()(const StackRow& row_a, const StackRow& row_b) const {
    const auto a = table_.FramesOf(row_a), b = table_.FramesOf(row_b);
    const auto [in_a, in_b] = std::ranges::mismatch(a, b);
    if (in_a == a.end() || in_b == b.end()) return a.size() < b.size();
    const bool a_ends = in_a + 1 == a.end(), b_ends = in_b + 1 == b.end();
    return a_ends || b_ends ? IsLess(table_.labels[*in_a], a_ends,
                                     table_.labels[*in_b], b_ends)
                            : *in_a < *in_b;
  }

 private:
  const StackTable& table_;
};

// Adds the stacks, root first and in order, to `index`, whose labels are there.
void AddRows(MergedStacks merged, StackIndex& index) {
  StackTable& table = index.table;
  table.frames = std::move(merged.labels);
  for (const StackRow& row : merged.stacks)
    std::ranges::reverse(std::span(table.frames).subspan(row.first, row.count));
  std::vector<uint32_t> order(merged.stacks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, RowOrder(table), [&](uint32_t i) -> const StackRow& {
    return merged.stacks[i];
  });
  std::vector<uint32_t> places(order.size());
  for (const uint32_t i : order) {
    places[i] = static_cast<uint32_t>(table.rows.size());
    table.rows.push_back(merged.stacks[i]);
  }
  index.row_of = std::move(merged.row_of);
  for (uint32_t& row : index.row_of)
    if (row != kNoRow) row = places[row];
}

}  // namespace

StackIndex IndexStacks(const Profile& profile, std::span<const StackId> used,
                       const FrameLabels& labels) {
  StackIndex index;
  index.label_of = SortLabels(labels, index.table.labels);
  AddRows(MergeStacks(profile, used, labels, index.label_of), index);
  return index;
}

StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity) {
  const FrameLabels labels(
      profile, {.granularity = granularity, .names = NameForm::kPlain});
  StackIndex index;
  index.label_of = SortLabels(labels, index.table.labels);
  AddRows(MergeStacks(profile, metric, labels, index.label_of), index);
  return std::move(index.table);
}

}  // namespace heapprof
