// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// The text of a label in a row: followed by ";" unless it is the end of a
// stack.
struct TextInRow {
  std::string_view text;
  bool is_end = false;
};

// Compares in byte order.
bool IsLess(const TextInRow& a, const TextInRow& b) {
  const size_t common = std::min(a.text.size(), b.text.size());
  const int order = a.text.substr(0, common).compare(b.text.substr(0, common));
  if (order != 0) return order < 0;
  const auto next = [common](const TextInRow& label) {
    if (label.text.size() > common)
      return int{static_cast<unsigned char>(label.text[common])};
    return label.is_end ? -1 : int{';'};
  };
  return next(a) < next(b);
}

// Moves the different ones of `texts`, as rows show them, to `in_order`, in
// byte order of TEXT + ";". `text_of` has the text of each label. Returns the
// index in `in_order` of each label.
std::vector<uint32_t> SortLabels(std::vector<std::string> texts,
                                 std::span<const uint32_t> text_of,
                                 std::vector<std::string>& in_order) {
  for (std::string& text : texts) text = FrameText(std::move(text));
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return IsLess({texts[a]}, {texts[b]});
  });
  std::vector<uint32_t> numbers(texts.size());
  for (const uint32_t text : order) {
    if (in_order.empty() || in_order.back() != texts[text])
      in_order.push_back(std::move(texts[text]));
    numbers[text] = static_cast<uint32_t>(in_order.size() - 1);
  }
  std::vector<uint32_t> of_labels;
  of_labels.reserve(text_of.size());
  for (const uint32_t text : text_of) of_labels.push_back(numbers[text]);
  return of_labels;
}

// Numbers the labels in the order of their texts as part of rows: followed by
// ";", or by nothing at the end of a stack. Then the numbers of two stacks are
// in the order of their rows. No text of a row is made.
class LabelOrder {
 public:
  // `labels` are in byte order of TEXT + ";". `last` are those that end stacks.
  LabelOrder(const std::vector<std::string>& labels, std::vector<uint32_t> last)
      : inside_(labels.size()), at_end_(labels.size()) {
    std::ranges::sort(last, [&labels](uint32_t a, uint32_t b) {
      return IsLess({labels[a], /*is_end=*/true}, {labels[b], /*is_end=*/true});
    });
    label_of_.reserve(labels.size() + last.size());
    auto next = last.begin();
    for (uint32_t label = 0; label < labels.size(); ++label) {
      for (; next != last.end() &&
             IsLess({labels[*next], /*is_end=*/true}, {labels[label]});
           ++next)
        at_end_[*next] = Add(*next);
      inside_[label] = Add(label);
    }
    for (; next != last.end(); ++next) at_end_[*next] = Add(*next);
  }

  // Replaces the labels of a stack, root first, with their numbers.
  void Number(std::span<uint32_t> stack) const {
    if (stack.empty()) return;
    stack.back() = at_end_[stack.back()];
    for (uint32_t& label : stack.first(stack.size() - 1))
      label = inside_[label];
  }
  uint32_t LabelOf(uint32_t number) const { return label_of_[number]; }

 private:
  uint32_t Add(uint32_t label) {
    label_of_.push_back(label);
    return static_cast<uint32_t>(label_of_.size() - 1);
  }

  std::vector<uint32_t> inside_;    // number of a label with ";"
  std::vector<uint32_t> at_end_;    // number of a label without
  std::vector<uint32_t> label_of_;  // by number
};

// The labels at the end of stacks.
std::vector<uint32_t> LastLabels(const MergedStacks& merged) {
  std::vector<bool> is_last;
  std::vector<uint32_t> last;
  for (const StackRow& row : merged.rows) {
    if (row.count == 0) continue;
    const uint32_t label = merged.LabelsOf(row).back();
    if (label >= is_last.size()) is_last.resize(label + size_t{1});
    if (!is_last[label]) last.push_back(label);
    is_last[label] = true;
  }
  return last;
}

// Adds the stacks, in order, to `index`, whose labels are there.
void AddRows(MergedStacks merged, StackIndex& index) {
  const LabelOrder label_order(index.table.labels, LastLabels(merged));
  for (const StackRow& row : merged.rows)
    label_order.Number(std::span(merged.labels).subspan(row.first, row.count));
  merged.Sort();
  for (uint32_t& label : merged.labels) label = label_order.LabelOf(label);
  index.table.frames = std::move(merged.labels);
  index.table.rows = std::move(merged.rows);
  index.row_of = std::move(merged.row_of);
}

}  // namespace

std::string FrameText(std::string label) {
  if (label.empty()) return "??";
  if (!label.contains(';') && IsPrintable(label)) return label;
  std::ranges::replace(label, ';', ':');
  return Printable(label);
}

StackIndex IndexStacks(const Profile& profile, std::span<const StackId> used,
                       const FrameLabels& labels) {
  StackIndex index;
  index.label_of =
      SortLabels(labels.texts(), labels.text_of(), index.table.labels);
  AddRows(MergeStacks(profile, used, {labels, index.label_of}), index);
  return index;
}

StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity) {
  FrameLabels labels(profile,
                     {.granularity = granularity, .names = NameForm::kPlain});
  StackIndex index;
  index.label_of =
      SortLabels(labels.TakeTexts(), labels.text_of(), index.table.labels);
  AddRows(MergeStacks(profile, metric, {labels, index.label_of}), index);
  return std::move(index.table);
}

}  // namespace heapprof
