// SPDX-License-Identifier: Apache-2.0
//
// jemalloc's threaded dump, unchanged in form since 4.0:
//
//   heap_v2/524288
//     t*: 687: 2471800 [0: 0]              total and threads: header lines
//     t1: 36: 33517 [0: 0] worker one      a name runs to the end of the line
//   @ 0x7f893bca2630 0x5629c550800c        one record per stack, leaf first
//     t*: 95: 575961 [0: 0]                live objects: bytes [accumulated]
//     t0: 95: 575961 [0: 0]                the same per thread
//
//   MAPPED_LIBRARIES:
//   …                                      /proc/PID/maps
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// How the addresses of a record are to be looked up.
enum class FrameAddresses {
  // All follow their call, the leaf included: what jemalloc records.
  kReturnAddresses,
  // Looked up in a symbol list whose keys are the leaf address as recorded
  // and every other address minus one.
  kSymbolizedKeys,
};

// Reads a dump that starts with "heap_v2/". `first_line` is the number of its
// first line in the file, for messages.
Result<Profile> ParseHeapV2(std::string_view text, const std::string& name,
                            size_t first_line, FrameAddresses addresses,
                            Diagnostics& diagnostics);

}  // namespace heapprof
