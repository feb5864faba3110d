// SPDX-License-Identifier: Apache-2.0
//
// The two sides of a comparison, merged as the command line merges them.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {

inline Profile BothSides(Profile now, Profile base) {
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(now), Side::kNew});
  inputs.push_back({std::move(base), Side::kBase});
  return Merge(std::move(inputs));
}

inline Profile BothSides(std::string_view now, std::string_view base) {
  return BothSides(ProfileOf(now), ProfileOf(base));
}

}  // namespace heapprof
