// SPDX-License-Identifier: Apache-2.0
//
// A profile in pprof's format (proto/profile.proto). It contains all names, so
// that its readers do not need the binary. Values are the unbiased estimates as
// integers. Cut-off fractions are carried on, so that the samples add up to the
// total that other reports show.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct PprofOptions {
  Metric default_metric = Metric::kInuseSpace;
  // The sample types to write; empty: all that the profile has. The profile
  // must have all of them.
  std::vector<Metric> types = {};
  // Gives each sample a numeric label "bytes" with the mean size of its
  // objects, if their number is among the sample types.
  bool size_labels = false;
  std::vector<std::string> comments = {};
  // Further labels of each sample: names and values.
  std::vector<std::pair<std::string, std::string>> labels = {};
  // Writes a baseline for later checks: only the new side of a comparison, with
  // the data from which error bars are computed:
  //  * the counts of the dump as sample types ("sampled_inuse_space" ...),
  //  * if there are several dumps, the index of each sample's dump as a label,
  //  * the samples of single threads; they have only the counts of the dump,
  //    and 0 as estimates, so that readers do not count them twice.
  bool is_baseline = false;
};

// Writes the profile without compressing it. Samples with the same frames and
// labels become one. If the profile is a comparison, samples of the base get
// negative values and the label pprof::base=true, which tells pprof so. Samples
// of a thread get the labels "thread", its name or else its uid, and, if it has
// a name, "thread_uid".
Result<void> WritePprof(const Profile& profile, const PprofOptions& options,
                        ByteSink& out);

}  // namespace heapprof
