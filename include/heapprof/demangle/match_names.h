// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"

namespace heapprof {

// Returns whether `regex` matches any of the ShownNames() of a function. Fails
// if that takes too long.
Result<bool> MatchesShownName(const Regex& regex, std::string_view full_name);

}  // namespace heapprof
