// SPDX-License-Identifier: Apache-2.0
#include "report/pprof_baseline.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/profile/baseline_labels.h"
#include "heapprof/view/recorded_counts.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

struct RecordedType {
  PprofType name;
  SampledCount RecordedCounts::* count;
  uint64_t SampledCount::* value;
  bool is_accumulated;
};
constexpr RecordedType kRecorded[] = {
    {{"sampled_alloc_objects", "count"},
     &RecordedCounts::accumulated,
     &SampledCount::objects,
     true},
    {{"sampled_alloc_space", "bytes"},
     &RecordedCounts::accumulated,
     &SampledCount::bytes,
     true},
    {{"sampled_inuse_objects", "count"},
     &RecordedCounts::current,
     &SampledCount::objects,
     false},
    {{"sampled_inuse_space", "bytes"},
     &RecordedCounts::current,
     &SampledCount::bytes,
     false},
};

bool HasType(const Profile& profile, const RecordedType& type) {
  return type.is_accumulated ? profile.has_accumulated : profile.has_inuse;
}

class BaselineMaker {
 public:
  BaselineMaker(const Profile& profile, std::span<const Metric> types)
      : profile_(profile), types_(types), period_(BaselinePeriod(profile)) {}

  std::vector<PprofSample> Make() && {
    for (const Sample& sample : profile_.samples) Add(sample, true);
    for (const Sample& sample : profile_.thread_samples) Add(sample, false);
    return std::move(samples_);
  }

 private:
  void Add(const Sample& sample, bool has_estimates) {
    if (sample.side == Side::kBase) return;
    PprofSample row = {.sample = &sample};
    size_t position = AddRecorded(sample, row);
    for (size_t i = 0; i < types_.size() && has_estimates; ++i)
      row.values[position++] = whole_[i].Next(sample.values[types_[i]].value);
    if (std::ranges::any_of(row.values, [](int64_t v) { return v != 0; }))
      samples_.push_back(row);
  }

  // Sets the counts of a sample in the dump, or zeros if they are unknown.
  // Returns how many values it has set.
  size_t AddRecorded(const Sample& sample, PprofSample& row) const {
    const RecordedCounts counts =
        RecordedCountsOf(sample.values, period_).value_or(RecordedCounts());
    size_t position = 0;
    for (const RecordedType& type : kRecorded)
      if (HasType(profile_, type))
        row.values[position++] =
            static_cast<int64_t>((counts.*type.count).*type.value);
    return position;
  }

  const Profile& profile_;
  const std::span<const Metric> types_;
  const uint64_t period_;
  WholeValues whole_[kMetricCount];  // by position in types_
  std::vector<PprofSample> samples_;
};

}  // namespace

std::vector<PprofType> RecordedTypes(const Profile& profile) {
  std::vector<PprofType> types;
  for (const RecordedType& type : kRecorded)
    if (HasType(profile, type)) types.push_back(type.name);
  return types;
}

uint64_t BaselinePeriod(const Profile& profile) {
  return RunsOf(profile, Side::kNew).front().sampling_period;
}

std::string ThreadStacksComment(const Profile& profile) {
  std::string comment(kThreadStacksComment);
  for (const InputRun& run : RunsOf(profile, Side::kNew))
    comment += fmt::format(" {}", run.thread_stacks);
  return comment;
}

std::vector<PprofSample> BaselineSamples(const Profile& profile,
                                         std::span<const Metric> types) {
  return BaselineMaker(profile, types).Make();
}

}  // namespace heapprof
