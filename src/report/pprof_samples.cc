// SPDX-License-Identifier: Apache-2.0
#include "report/pprof_samples.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/view/change.h"

namespace heapprof {

std::vector<PprofSample> PprofSampleCollector::Collect() && {
  for (const Sample& sample : profile_.samples) {
    PprofSample rounded = {.sample = &sample};
    if (RoundValues(rounded)) Add(rounded);
  }
  for (size_t type = 0; type < types_.size(); ++type) MatchTotal(type);
  return std::move(samples_);
}

bool PprofSampleCollector::RoundValues(PprofSample& sample) {
  const Side side = sample.sample->side;
  for (size_t type = 0; type < types_.size(); ++type) {
    WholeValues& whole = whole_[side][type];
    const int64_t value = whole.Next(sample.sample->values[types_[type]].value);
    sample.values[type] = side == Side::kBase ? -value : value;
  }
  return std::ranges::any_of(sample.values,
                             [](int64_t value) { return value != 0; });
}

void PprofSampleCollector::Add(const PprofSample& sample) {
  uint64_t hash = sample.sample->thread.value;
  for (const LocationId frame : profile_.StackFrames(sample.sample->stack))
    hash = AddToHash(hash, tables_.IdOf(frame));
  const uint32_t i =
      index_.FindOrAddIndex(hash, samples_.size(), [&](uint32_t known) {
        return AreSame(*samples_[known].sample, *sample.sample);
      });
  if (i == samples_.size()) {
    samples_.push_back(sample);
    return;
  }
  for (size_t type = 0; type < types_.size(); ++type)
    samples_[i].values[type] += sample.values[type];
}

bool PprofSampleCollector::AreSame(const Sample& a, const Sample& b) const {
  const auto id_of = [this](LocationId frame) { return tables_.IdOf(frame); };
  return a.side == b.side && a.thread == b.thread && a.lifetime == b.lifetime &&
         std::ranges::equal(profile_.StackFrames(a.stack),
                            profile_.StackFrames(b.stack), {}, id_of, id_of);
}

// If the input is itself a difference, the sums of its increases and of its
// decreases are rounded separately, so that their difference can be off by one.
// The last sample makes up for that.
void PprofSampleCollector::MatchTotal(size_t type) {
  const Metric metric = types_[type];
  const double total = WholeChange({TotalOf(profile_, Side::kNew)[metric],
                                    TotalOf(profile_, Side::kBase)[metric]});
  double sum = 0;
  for (const PprofSample& sample : samples_)
    sum += static_cast<double>(sample.values[type]);
  const double missing = total - sum;
  if (std::abs(missing) != 1) return;
  for (PprofSample& sample : samples_ | std::views::reverse)
    if (sample.values[type] != 0) {
      sample.values[type] += static_cast<int64_t>(missing);
      return;
    }
}

}  // namespace heapprof
