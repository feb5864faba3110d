// SPDX-License-Identifier: Apache-2.0
//
// What reports say about the inputs of a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct InputFacts {
  std::string path;
  const InputFormat* format = nullptr;
  Side side = Side::kNew;
  uint64_t sampling_period = 0;  // bytes; 0 = unknown
  int64_t time_seconds = 0;      // since 1970; 0 = unknown
  std::string program = {};      // path; empty if unknown
  std::string build_id = {};     // of the program; empty if unknown
};

// Returns the build id of the program; empty if it is unknown. If the input
// does not contain the build id, it is unknown until the binaries have been
// found.
std::string_view BuildIdOfProgram(const Profile& profile);

// Sets those members of `facts` that can be read from the profile.
void AddFacts(const Profile& profile, InputFacts& facts);

}  // namespace heapprof
