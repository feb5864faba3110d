// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/merge.h"

#include <utility>

#include "transform/merger.h"

namespace heapprof {

Profile Merge(std::vector<MergeInput> inputs) {
  if (inputs.size() == 1 && inputs[0].side == Side::kNew &&
      !inputs[0].profile.is_symbolized)
    return std::move(inputs[0].profile);
  Merger merger;
  for (const MergeInput& input : inputs)
    if (input.profile.is_symbolized) merger.LearnNames(input.profile);
  merger.Reserve(inputs);
  for (MergeInput& input : inputs) {
    merger.Add(input);
    input.profile = {};  // large profiles need not be in memory twice
  }
  return std::move(merger).Finish();
}

}  // namespace heapprof
