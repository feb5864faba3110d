// SPDX-License-Identifier: Apache-2.0
//
// The names by which users know a function: patterns match any of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"

namespace heapprof {

// Returns all forms in which reports show a function, each once: the full name
// and the short one, with and without what --names drops.
std::vector<std::string> ShownNames(std::string_view demangled);

// Returns whether `regex` matches any of the ShownNames() of a function. Fails
// if that takes too long.
Result<bool> MatchesShownName(const Regex& regex, std::string_view full_name);

}  // namespace heapprof
