// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trace_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace heapprof {

std::vector<Trace> MakeTraces(const Profile& profile, Metric metric,
                              const LabelOptions& options) {
  const FrameLabels labels(profile, options);
  std::map<std::vector<uint32_t>, double> values;
  for (const Sample& sample : profile.samples)
    if (const double value = sample.values[metric].value; value != 0)
      values[labels.OfStack(profile.StackFrames(sample.stack))] += value;
  std::vector<Trace> traces;
  for (const auto& [ids, value] : values) {
    if (value == 0) continue;
    Trace trace = {.frames = {}, .value = value};
    for (const uint32_t id : ids) trace.frames.push_back(labels.Text(id));
    traces.push_back(std::move(trace));
  }
  std::ranges::sort(traces, [](const Trace& a, const Trace& b) {
    const double size_a = std::abs(a.value), size_b = std::abs(b.value);
    return size_a != size_b ? size_a > size_b : a.frames < b.frames;
  });
  return traces;
}

}  // namespace heapprof
