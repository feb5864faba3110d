// SPDX-License-Identifier: Apache-2.0
#include "view/sequence_order.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heapprof {
namespace {

using Sequence = std::span<const uint32_t>;

class Sorter {
 public:
  explicit Sorter(std::span<const Sequence> sequences)
      : sequences_(sequences), items_(sequences.size()) {
    for (uint32_t i = 0; i < items_.size(); ++i) items_[i].index = i;
  }

  std::vector<uint32_t> Sort() && {
    // Not recursive: sequences may be long.
    groups_.push_back({0, items_.size(), 0});
    while (!groups_.empty()) {
      const Group group = groups_.back();
      groups_.pop_back();
      SortGroup(group);
    }
    std::vector<uint32_t> order;
    order.reserve(items_.size());
    for (const Item& item : items_) order.push_back(item.index);
    return order;
  }

 private:
  struct Item {
    // The number that decides in the current group, plus one; 0 for a sequence
    // that ends before it.
    uint64_t key = 0;
    uint32_t index = 0;
  };
  // Sequences that have the first `depth` numbers in common.
  struct Group {
    size_t begin = 0;  // in items_
    size_t end = 0;
    size_t depth = 0;
    bool has_keys = false;  // the items have their keys for this depth
  };

  Sequence At(size_t item) const { return sequences_[items_[item].index]; }

  size_t CommonLength(const Group& group) const {
    Sequence common = At(group.begin);
    for (size_t i = group.begin + 1;
         i < group.end && common.size() > group.depth; ++i)
      common = common.first(LengthInCommon(common, At(i), group.depth));
    return std::max(common.size(), group.depth);
  }

  static size_t LengthInCommon(Sequence a, Sequence b, size_t from) {
    const size_t end = std::min(a.size(), b.size());
    while (from < end && a[from] == b[from]) ++from;
    return from;
  }

  void SetKeys(const Group& group) {
    for (size_t i = group.begin; i < group.end; ++i) {
      const Sequence sequence = At(i);
      items_[i].key = group.depth < sequence.size()
                          ? uint64_t{sequence[group.depth]} + 1
                          : 0;
    }
  }

  // Splits a group by the key of one of its sequences: those with a lower key,
  // the same, and a higher one.
  void SortGroup(Group group) {
    constexpr size_t kSmall = 8;
    if (group.end - group.begin <= kSmall) return SortSmall(group);
    if (!group.has_keys) {
      group.depth = CommonLength(group);
      group.has_keys = true;
      SetKeys(group);
    }
    const uint64_t pivot = PivotOf(group);
    size_t lower = group.begin, higher = group.end;
    for (size_t i = lower; i < higher;) {
      if (items_[i].key < pivot)
        std::swap(items_[i++], items_[lower++]);
      else if (items_[i].key > pivot)
        std::swap(items_[i], items_[--higher]);
      else
        ++i;
    }
    groups_.push_back({group.begin, lower, group.depth, true});
    groups_.push_back({higher, group.end, group.depth, true});
    if (pivot != 0)
      groups_.push_back({lower, higher, group.depth + 1});
    else
      std::ranges::sort(Items(lower, higher), {}, &Item::index);
  }

  // The middle one of three keys.
  uint64_t PivotOf(const Group& group) const {
    const uint64_t a = items_[group.begin].key;
    const uint64_t b = items_[group.begin + (group.end - group.begin) / 2].key;
    const uint64_t c = items_[group.end - 1].key;
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  }

  void SortSmall(const Group& group) {
    std::ranges::sort(Items(group.begin, group.end), [&](const Item& a,
                                                         const Item& b) {
      const Sequence in_a = sequences_[a.index], in_b = sequences_[b.index];
      const size_t at = LengthInCommon(in_a, in_b, group.depth);
      if (at < in_a.size() && at < in_b.size()) return in_a[at] < in_b[at];
      return std::pair(in_a.size(), a.index) < std::pair(in_b.size(), b.index);
    });
  }

  std::span<Item> Items(size_t begin, size_t end) {
    return std::span(items_).subspan(begin, end - begin);
  }

  std::span<const Sequence> sequences_;
  std::vector<Item> items_;
  std::vector<Group> groups_;  // to be sorted
};

}  // namespace

std::vector<uint32_t> OrderOf(std::span<const Sequence> sequences) {
  return Sorter(sequences).Sort();
}

}  // namespace heapprof
