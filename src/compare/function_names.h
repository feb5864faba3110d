// SPDX-License-Identifier: Apache-2.0
//
// The names that the builds of a comparison give their functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/build_sets.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Where a function is defined: the file name and the line.
using Place = std::pair<std::string_view, uint32_t>;

// What some builds call a function. A name without an argument list may be that
// of several overloads. Therefore such a name is a NameInBuilds of its own at
// each place, while one with an argument list may have several places: the
// lines that it had in the builds.
struct NameInBuilds {
  std::string text;      // NormalizeName()
  std::string matching;  // MatchingName()
  bool has_arguments = false;
  std::set<Place> places;  // in the strings of the profile; empty if unknown
  bool is_rust = false;
  bool has_instances = false;  // mangled as Rust does now: names the instance
  BuildSet builds;             // that have this name
  std::vector<FunctionId> functions;
};

// Returns the names of all functions that have a name and that a build uses.
// `builds` says which ones do, by FunctionId.
std::vector<NameInBuilds> CollectNames(const std::vector<BuildSet>& builds,
                                       const Profile& profile);

}  // namespace heapprof
