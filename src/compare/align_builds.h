// SPDX-License-Identifier: Apache-2.0
//
// How functions and source files of two builds are matched. Compilers name one
// function in several ways: gcc's debug information, for example, has no
// argument list for a static function that was inlined. A comparison by these
// names would show one function as gone and as new.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives a function or file that has different names in the two builds of a
// comparison one name. Each report that compares them by name then matches
// them. Names in modules that both sides share are kept, and so are names that
// both builds have.
//
// Functions are candidates if MatchingName() is the same. They get one name
//   - if one of them has no argument list and one of them is on one side only:
//     f(int) before, f now
//   - otherwise those that are on one side only, if both sides have some:
//     f(int) before, f(long) now; a::$_0 before, a::{lambda} now
// This is the only name with an argument list or, if there are several,
// MatchingName().
//
// Two files get the path of the new side if each is on one side only and no
// other such file has the same base name.
//
// Sides may be swapped: the same functions are matched. Call this after frames
// are named, and before the sides are subtracted.
void AlignBuilds(Profile& profile);

}  // namespace heapprof
