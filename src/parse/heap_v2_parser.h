// SPDX-License-Identifier: Apache-2.0
//
// jemalloc's dump with counts per thread. Its form has not changed since 4.0:
//
//   heap_v2/524288                         the sampling period in bytes
//     t*: 687: 2471800 [0: 0]              header line: the total of the dump
//     t1: 36: 33517 [0: 0] worker one      header line: a thread and its name
//   @ 0x7f893bca2630 0x5629c550800c        one record per stack, leaf first
//     t*: 95: 575961 [0: 0]                live objects: bytes [accumulated]
//     t0: 95: 575961 [0: 0]                the part of one thread
//
//   MAPPED_LIBRARIES:
//   …                                      /proc/PID/maps
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "parse/dump_reader.h"

namespace heapprof {

inline constexpr std::string_view kHeapV2Start = "heap_v2/";

// Returns the sampling period if `line` is the header, "heap_v2/524288".
std::optional<uint64_t> HeapV2Period(std::string_view line);

// Reads a dump that starts with kHeapV2Start.
Result<Profile> ParseHeapV2(const DumpSource& source, Diagnostics& diagnostics);

}  // namespace heapprof
