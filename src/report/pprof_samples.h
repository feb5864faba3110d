// SPDX-License-Identifier: Apache-2.0
//
// The samples of a pprof profile, with whole values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/whole_values.h"
#include "report/pprof_tables.h"

namespace heapprof {

struct PprofSample {
  const Sample* sample = nullptr;  // has its stack and what labels say
  // By position of the sample type. Those of the base are negative. A baseline
  // has two types for each metric.
  std::array<int64_t, 2 * kMetricCount> values = {};
};

// Rounds the values of samples, leaves out samples without value, and adds up
// samples that have the same locations and labels.
class PprofSampleCollector {
 public:
  // All must outlive this object. `types` are the sample types.
  PprofSampleCollector(const Profile& profile, std::span<const Metric> types,
                       PprofTableWriter& tables)
      : profile_(profile), types_(types), tables_(tables) {}

  // Returns the samples in the order of the profile. Their values add up to the
  // WholeChange() of the profile's total.
  std::vector<PprofSample> Collect() &&;

 private:
  // Returns false if all values are 0.
  bool RoundValues(PprofSample& sample);
  void Add(const PprofSample& sample);
  bool AreSame(const Sample& a, const Sample& b) const;
  void MatchTotal(size_t type);

  const Profile& profile_;
  const std::span<const Metric> types_;
  PprofTableWriter& tables_;
  // By position of the type.
  Sides<std::array<WholeValues, kMetricCount>> whole_ = {};
  std::vector<PprofSample> samples_;
  IdTable index_;  // of `samples_`
};

}  // namespace heapprof
