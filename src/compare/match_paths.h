// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>

#include "compare/build_sets.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

enum class PathKind { kSourceFile, kModule };

// Returns the path that replaces each path that another build has under another
// name: the one of `preferred`, or else the first. AlignBuilds() says which
// paths are the same file.
std::unordered_map<StringId, StringId> MatchPaths(
    const StringTable& strings, const std::map<StringId, BuildSet>& builds,
    const BuildSet& preferred, PathKind kind);

}  // namespace heapprof
