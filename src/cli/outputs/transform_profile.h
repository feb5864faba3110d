// SPDX-License-Identifier: Apache-2.0
//
// Prepares a profile as the options say, with messages for the user.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/own_code.h"

namespace heapprof {

// When a profile has nothing to show.
enum class NothingToShow : uint8_t {
  kNoChange,  // no stack has changed or, without a base, has a value
  kNoValue,   // also in a comparison: `check` judges equal sides like others
};

// See PreparedStacks.
struct TransformedStacks {
  std::vector<FilterEffect> effects;
  std::optional<OwnCode> own_code;  // nothing if no output shows it
};

// Calls PrepareProfile(). Other facts that the user should know go to
// `diagnostics`.
Result<TransformedStacks> TransformProfile(Profile& profile,
                                           const Options& options,
                                           NothingToShow nothing,
                                           Diagnostics& diagnostics);

}  // namespace heapprof
