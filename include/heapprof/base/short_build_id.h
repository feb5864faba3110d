// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// Returns the part of a build id that messages show: 12 digits, as Linux
// abbreviates commits. That two of 10 000 builds have them in common has a
// probability of 2e-7.
constexpr std::string_view ShortBuildId(std::string_view build_id) {
  constexpr size_t kDigits = 12;
  return build_id.substr(0, kDigits);
}

}  // namespace heapprof
