// SPDX-License-Identifier: Apache-2.0
//
// The objects of single samples, as the dumps of their runs count them.
#pragma once

#include <cmath>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct ObjectsInRun {
  double objects = 0;
  double bytes = 0;
  double period = 0;  // 0 = unknown
};

class ObjectsOfSamples {
 public:
  ObjectsOfSamples(const Profile& profile, Metric metric)
      : runs_{RunsOf(profile, Side::kNew), RunsOf(profile, Side::kBase)},
        is_mean_(profile.is_mean_of_runs),
        objects_(ObjectsOf(metric)),
        bytes_(BytesOf(metric)) {}

  ObjectsInRun Of(const Sample& sample) const {
    const auto& runs = runs_[sample.side];
    const double scale = is_mean_ ? static_cast<double>(runs.size()) : 1;
    return {
        scale * std::abs(sample.values[objects_].value),
        scale * std::abs(sample.values[bytes_].value),
        static_cast<double>(runs[RunOf(sample, runs.size())].sampling_period)};
  }

 private:
  const Sides<std::vector<InputRun>> runs_;
  const bool is_mean_;
  const Metric objects_;
  const Metric bytes_;
};

}  // namespace heapprof
