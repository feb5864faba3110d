// SPDX-License-Identifier: Apache-2.0
//
// A profile in pprof's format (proto/profile.proto). It contains all names, so
// that its readers do not need the binary. Values are the unbiased estimates,
// truncated to integers.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct PprofOptions {
  Metric default_metric = Metric::kInuseSpace;
  std::vector<std::string> comments = {};
  // Also writes the data from which error bars are computed, so that the
  // profile can be the base of a check. These are, for the new side only:
  //  * the counts of the dump as sample types ("sampled_inuse_space" ...),
  //  * the run of each sample as a label,
  //  * the samples by thread, whose values of all other types are 0.
  bool is_baseline = false;
};

// Serialises the profile and compresses it with gzip. Samples of the base side
// get negative values and the label pprof::base=true, from which pprof knows
// that the profile is a comparison.
Result<std::string> WritePprof(const Profile& profile,
                               const PprofOptions& options);

}  // namespace heapprof
