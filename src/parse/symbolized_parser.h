// SPDX-License-Identifier: Apache-2.0
//
// A dump in either text format with its names before it, as `jeprof --raw`
// writes it:
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
// An address may have a chain of inlined calls, outermost first. A name may be
// followed by the address of its symbol in angle brackets. Keys are adjusted:
// the leaf address as recorded, every other address minus one.
#pragma once

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

// Names of addresses that occur in no record stay in the profile, as locations
// outside any stack: they can name addresses of other inputs.
Result<Profile> ParseSymbolized(const DumpSource& source,
                                Diagnostics& diagnostics);

}  // namespace heapprof
