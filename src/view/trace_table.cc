// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trace_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "heapprof/view/merged_stacks.h"

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
  MergedStacks merged =
      MergeStacks(profile, metric, {labels, ranks, StackOrder::kLeafFirst});
  table.frames = std::move(merged.labels);
  for (const StackRow& stack : merged.rows)
    if (const double value = stack.change(); value != 0)
      table.traces.push_back({stack.first, stack.count, value});
  std::ranges::sort(table.traces, [&table](const Trace& a, const Trace& b) {
    const double size_a = std::abs(a.value), size_b = std::abs(b.value);
    return size_a != size_b ? size_a > size_b
                            : std::ranges::lexicographical_compare(
                                  table.FramesOf(a), table.FramesOf(b));
  });
  return table;
}

}  // namespace heapprof
