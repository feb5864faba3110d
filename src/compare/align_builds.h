// SPDX-License-Identifier: Apache-2.0
//
// Matches the functions, source files and modules of several builds. Compilers
// name one function in several ways: gcc's debug information, for example, has
// no argument list for a static function that was inlined. A comparison by
// these names would show one function as gone and as new.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives a function, file or module that has different names in the builds of a
// comparison one name. Each report that compares them by name then matches
// them. All builds count, whatever side they are on: three builds on one side
// may name a lambda in three ways. A module that several builds share has the
// same names in each of them.
//
// Functions are matched as match_functions.h says.
//
// Files with different paths are one file if each path is in some builds only
// and no build has two that end alike: in the longest such end, at least the
// file name. So are modules, whose version (".so.1.2") counts last. They get
// the path of the new side.
//
// The order of sides and inputs does not matter, except for these paths. Call
// this after frames are named.
void AlignBuilds(Profile& profile);

}  // namespace heapprof
