// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Notes that a dump holds next to nothing because the program had freed its
// memory, and what to look at instead. `dump` is the path of the first dump
// that `profile` was made from.
void NoteFreedMemory(const Profile& profile, std::string_view dump,
                     const Options& options, Diagnostics& diagnostics);

}  // namespace heapprof
