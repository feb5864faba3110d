// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trace_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

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
  std::map<std::vector<uint32_t>, double> values;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[metric].value;
    if (value == 0) continue;
    auto frames = labels.OfStack(profile.StackFrames(sample.stack));
    for (uint32_t& label : frames) label = ranks[label];
    values[std::move(frames)] += value;
  }
  while (!values.empty()) {
    auto entry = values.extract(values.begin());
    if (entry.mapped() != 0)
      table.traces.push_back({std::move(entry.key()), entry.mapped()});
  }
  std::ranges::stable_sort(table.traces, std::greater(),
                           [](const Trace& t) { return std::abs(t.value); });
  return table;
}

}  // namespace heapprof
