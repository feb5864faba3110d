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
  // Writes a baseline for later checks: only the new side of a comparison, with
  // the data from which error bars are computed:
  //  * the counts of the dump as sample types ("sampled_inuse_space" ...),
  //  * if there are several dumps, the index of each sample's dump as a label,
  //  * the samples of single threads; they have only the counts of the dump,
  //    and 0 as estimates, so that readers do not count them twice.
  bool is_baseline = false;
};

// Serialises the profile and compresses it with gzip. If the profile is a
// comparison, samples of the base get negative values and the label
// pprof::base=true, which tells pprof so.
Result<std::string> WritePprof(const Profile& profile,
                               const PprofOptions& options);

}  // namespace heapprof
