// SPDX-License-Identifier: Apache-2.0
//
// How functions, source files and modules of several builds are matched.
// Compilers name one function in several ways: gcc's debug information, for
// example, has no argument list for a static function that was inlined. A
// comparison by these names would show one function as gone and as new.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives a function, file or module that has different names in the builds of a
// comparison one name. Each report that compares them by name then matches
// them. All builds count, whatever side they are on: three builds on one side
// may name a lambda in three ways. A module that several builds share has the
// same names in each of them.
//
// Functions are candidates if they agree in one of these, tried in this order:
//   - MatchingName(): f(int) and f; a::$_0 and a::{lambda}
//   - LooseMatchingName(): f<int> and f<long>; the two manglings of Rust
//   - the last part of the name and the place of the definition:
//     {unnamed}::grow at a.cc:9 and Type::grow(int) at a.cc:9
// Of the candidates, those are one function
//   - that one build has at the same place, one of them without an argument
//     list: that build inlined some calls
//   - that have or lack an argument list, if only one name has one
//   - that are in some builds only, if no build has two of them: f(int) before,
//     f(long) now
//   - that are in some builds only and are as many in each build, by the order
//     of their lines or, if their numbers differ, at the same place
//   - that have different manglings of Rust, if they are at one place in each
//     build: the older mangling does not name the instances of a function
//   - that are lambdas of one function and not all in all builds: their names
//     do not tell them apart
// All else stays apart, so two functions to which a build gives names of their
// own never become one. The common name is the only name with an argument list,
// or what the candidates agree in.
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
