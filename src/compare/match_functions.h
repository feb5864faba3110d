// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions that are the same in several builds although the builds
// name them differently.
//
// Terms:
//   name        what some builds call a function: see NameInBuilds
//   set         names that are known to be of one function: see Matches
//   candidates  names that may be of one function, as they agree in something
//   leftovers   the sets of candidates that lack a build which other candidates
//               have. Only these may be known there by another name.
//
// There are three passes, each of which finds candidates by less:
//   1. MatchingName(): f(int) and f; a::$_0 and a::{lambda}
//   2. LooseMatchingName(): f<int> and f<long>; the two manglings of Rust
//   3. the last part of the name and the place of the definition:
//      {unnamed}::grow at a.cc:9 and Type::grow(int) at a.cc:9, but not
//      f::{lambda}::operator() at a.cc:9 and g::{lambda}::operator() there
//
// Rules say which candidates are one function. Each is a function of
// match_functions.cc. Pass 1 tries these, in this order:
//   single     At most one candidate has an argument list: there are no
//              overloads. "f" in one build is "f(int)" in another one.
//   lambdas    Compilers number the lambdas of a function in different ways,
//              and not all of them say their arguments. If not all lambdas are
//              in all builds, they are one.
//   inlined    A build has "f" and "f(int)" at the same place: it inlined some
//              calls of f(int).
//   leftovers  No build has two of the leftovers: f(char) has become f(long).
//   order      All builds have as many leftovers, in one file: the first one in
//              the file matches the first one, and so on.
//   place      No build has two of the leftovers at one place.
// Passes 2 and 3 try these:
//   instances  A Rust function has one name in the older mangling, and one for
//              each instance in the newer one.
//   leftovers  As in pass 1.
// All other names stay apart. Thus two functions to which one build gives
// different names never become one, except for lambdas and instances.
#pragma once

#include <vector>

#include "compare/build_sets.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives functions that are the same one name. `builds` says which builds have
// each function, by FunctionId.
void MatchFunctions(const std::vector<BuildSet>& builds, Profile& profile);

}  // namespace heapprof
