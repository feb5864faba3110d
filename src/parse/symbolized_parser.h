// SPDX-License-Identifier: Apache-2.0
//
// Symbolized dumps: a list of addresses with their names, followed by a dump in
// one of the two text formats (heap_v2_parser.h, flat_parser.h), as `jeprof
// --raw` writes it:
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
// followed by the address of its symbol in angle brackets. The list contains
// the address of a leaf frame as it is in the dump's records. For any other
// frame, it contains the recorded address minus one.
#pragma once

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

// Reads a symbolized dump. The list of symbols may name addresses that occur in
// no record. These addresses become locations that no stack uses. When inputs
// are merged, they supply names that another symbolized input lacks.
Result<Profile> ParseSymbolized(const DumpSource& source,
                                Diagnostics& diagnostics);

}  // namespace heapprof
