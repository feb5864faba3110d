// SPDX-License-Identifier: Apache-2.0
//
// A profile as a symbolized file: first the names, then a dump, as `jeprof
// --raw` writes it. jeprof and heapprof read it without the binary.
#pragma once

#include <string>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct RawReport {
  std::string text;
  // True if the estimates are not scaled counts of a single sampling period
  // (several dumps, an old format). They are then rounded, and threads are left
  // out.
  bool rounded = false;
};

// Writes the stacks of the new side. Readers scale the counts of a dump, so the
// estimates are converted back to counts: to a "heap_v2/" dump if each estimate
// results from scaling integers, otherwise to an unscaled "heap profile:".
//
// An address can have only one name. The profile's addresses are used where
// they have one name each; others are made up: for two processes, for a frame
// that was cut in the middle of its inlined calls, for a frame without an
// address. "--" in a name is written as "- -", because it separates inlined
// calls.
RawReport WriteRaw(const Profile& profile);

}  // namespace heapprof
