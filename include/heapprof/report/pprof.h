// SPDX-License-Identifier: Apache-2.0
//
// A profile in pprof's format (proto/profile.proto). It is complete: no reader
// needs the binary. Values are the unbiased estimates, truncated to integers.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct PprofOptions {
  Metric default_metric = Metric::kInuseSpace;
  std::vector<std::string> comments = {};
};

// Serialises and compresses the profile. Samples of the base side are negated
// and labelled pprof::base=true, which pprof shows as a comparison.
Result<std::string> WritePprof(const Profile& profile,
                               const PprofOptions& options);

}  // namespace heapprof
