// SPDX-License-Identifier: Apache-2.0
//
// What reports say about the inputs of a run.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"
#include "heapprof/report/input_facts.h"

namespace heapprof {

// Returns the name of a format, such as "jemalloc heap dump".
std::string_view FormatName(const InputFormat& format);

// Says what is known of an input before its profile is read.
InputFacts FactsOf(std::string path, const InputFormat& format, Side side);

// Returns the build id of the program; empty if it is unknown. If the input
// does not contain the build id, it is unknown until the binaries have been
// found.
std::string_view BuildIdOfProgram(const Profile& profile);

// Sets those members of `facts` that can be read from the profile.
void AddFacts(const Profile& profile, InputFacts& facts);

}  // namespace heapprof
