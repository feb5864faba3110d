// SPDX-License-Identifier: Apache-2.0
//
// A profile as a symbolized file: names in front, a dump behind, as `jeprof
// --raw` writes it. jeprof and heapprof read it without the binary.
#pragma once

#include <string>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct RawReport {
  std::string text;
  // The estimates are no scaled counts of one sampling period (several dumps,
  // an old format): they are made whole, threads are left out.
  bool rounded = false;
};

// Writes the stacks as they are, of the new side. Readers scale the counts of
// a dump, so the estimates become counts again: a "heap_v2/" dump if each is
// what scaling makes of integers, else an unscaled "heap profile:".
//
// A name must be one for its address. Addresses are those of the profile where
// that holds, and made up where it does not: two processes, a frame cut in the
// middle of its inlined calls, a frame without an address. "--" in a name,
// which separates inlined calls, is written "- -".
RawReport WriteRaw(const Profile& profile);

}  // namespace heapprof
