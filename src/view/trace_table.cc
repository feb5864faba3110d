// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trace_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "heapprof/view/merged_stacks.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

// Returns the rank of each label in byte order, and appends the labels to
// `in_order` in this order.
std::vector<uint32_t> RanksOf(const FrameLabels& labels,
                              std::vector<std::string>& in_order) {
  std::vector<uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](uint32_t id) -> const std::string& {
    return labels.Text(id);
  });
  std::vector<uint32_t> ranks(order.size());
  for (const uint32_t id : order) {
    ranks[id] = static_cast<uint32_t>(in_order.size());
    in_order.push_back(labels.Text(id));
  }
  return ranks;
}

}  // namespace

TraceTable MakeTraces(const Profile& profile, Metric metric,
                      const LabelOptions& options) {
  const FrameLabels labels(profile, options);
  TraceTable table;
  const std::vector<uint32_t> ranks = RanksOf(labels, table.labels);
  table.is_own.resize(ranks.size());
  for (uint32_t id = 0; id < ranks.size(); ++id)
    table.is_own[ranks[id]] = labels.IsOwn(id);
  MergedStacks merged =
      MergeStacks(profile, metric, {labels, ranks, StackOrder::kLeafFirst});
  table.frames = std::move(merged.labels);
  const auto frames_of = [&table](const StackRow& row) {
    return std::span(table.frames).subspan(row.first, row.count);
  };
  std::ranges::sort(merged.rows, [&](const StackRow& a, const StackRow& b) {
    const double size_a = std::abs(a.change()), size_b = std::abs(b.change());
    return size_a != size_b ? size_a > size_b
                            : std::ranges::lexicographical_compare(
                                  frames_of(a), frames_of(b));
  });
  for (const StackRow& row : merged.rows)
    table.traces.push_back({row.first, row.count, row.change()});
  RoundSides(
      merged.rows.size(), [&](size_t row) { return merged.rows[row].values; },
      [&](size_t row, const Sides<int64_t>& whole) {
        table.traces[row].whole = whole.now - whole.base;
      });
  std::erase_if(table.traces,
                [](const Trace& trace) { return trace.value == 0; });
  return table;
}

}  // namespace heapprof
