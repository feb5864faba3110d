// SPDX-License-Identifier: Apache-2.0
//
// Flat dumps: jemalloc up to 3.6, gperftools, tcmalloc.
//
//   heap profile:  3: 5000 [  8: 90000] @ heap_v2/524288
//     2:  4096 [  5: 81920] @ 0x00401030 0x00401020
//     1:   904 [  3:  8080] @ 0x00401050
//
//   MAPPED_LIBRARIES:
//   …
//
// The type after the header's '@' says how counts are scaled (see Scaling). The
// types and rules are jeprof's:
//   …heap…_v2…/R    kV2 with period R; 131072 if R is missing
//   …heap…/R        kV1 with period R/2; 131072 if R is missing
//   heapprofile     kNone
//   other types     kNone; for example "growth"
//   no type         kV1 with period 131072 if the header's two pairs of counts
//                   are equal, as in dumps of old servers; else kNone
#pragma once

#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

inline constexpr std::string_view kFlatStart = "heap profile:";

// Reads a dump that starts with kFlatStart.
Result<Profile> ParseFlat(const DumpSource& source, Diagnostics& diagnostics);

}  // namespace heapprof
