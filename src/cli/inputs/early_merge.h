// SPDX-License-Identifier: Apache-2.0
//
// Merges the stacks of dumps while further dumps are read, so that a run on
// many dumps keeps the stacks of few of them in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "heapprof/base/error.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

class EarlyMerge {
 public:
  // `files` are those that will be read, in this order; those from `first_base`
  // are the bases. A few dumps are not merged early, and none is if a file
  // before the bases may be a log, which needs the dumps. `folder_files` are as
  // in LoadedInputs.
  EarlyMerge(const Options& options, const LoadRules& rules,
             std::span<const std::string> files, size_t first_base,
             std::vector<std::string> folder_files);

  // Merges what was added to `inputs` since the last call. Stops at the first
  // dump that cannot be merged before all others are read.
  Result<void> Take(LoadedInputs& inputs);

  // The memory maps of the dumps that were merged.
  std::span<const MergeInput> maps() const { return maps_; }

 private:
  const LoadRules& rules_;
  const bool takes_all_;  // InputMerger::TakeAll()
  bool goes_on_ = false;
  LoadedInputs binaries_;  // has nothing else
  size_t next_ = 0;        // input
  std::vector<MergeInput> maps_;
};

}  // namespace heapprof
