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
// followed by the address of its symbol in angle brackets. In the list of
// symbols, the address of a leaf is as recorded in the dump; every other
// address is one less than recorded.
#pragma once

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

// The list of symbols may name addresses that occur in no record. These stay in
// the profile as locations outside any stack, because other inputs may have
// such addresses without names.
Result<Profile> ParseSymbolized(const DumpSource& source,
                                Diagnostics& diagnostics);

}  // namespace heapprof
