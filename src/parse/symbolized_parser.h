// SPDX-License-Identifier: Apache-2.0
//
// A dump of either form with its names in front, as `jeprof --raw` writes it:
//
//   --- symbol
//   binary=/opt/demo/server
//   0x0000000000401100 main<0000000000401080>
//   0x0000000000401200 outer()--inlined()
//   ---
//   --- heap
//   heap_v2/524288
//   …
//
// An address may carry a chain of inlined calls, outermost first, and each
// name the address of its symbol in angle brackets. Keys are adjusted: the
// leaf address as recorded, any other minus one.
#pragma once

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

// Names of addresses that no record has stay in the profile, as locations
// outside any stack: they serve other files of the run.
Result<Profile> ParseSymbolized(const DumpSource& source,
                                Diagnostics& diagnostics);

}  // namespace heapprof
