// SPDX-License-Identifier: Apache-2.0
//
// Reads any supported profile. The format is recognised by content. Values are
// unbiased while each record line is read, because merged stacks can no longer
// be unbiased.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

enum class InputFormat {
  kHeapV2,      // jemalloc >= 4.0
  kSymbolized,  // a dump with a "--- symbol" section
  kFlatHeap,    // "heap profile:" of jemalloc <= 3.6, gperftools, tcmalloc
  kPprof,       // google's profile.proto
  kJson,        // jemalloc's prof_log, prof_recent or statistics
  kCpuProfile,  // gperftools CPU profile
  kContention,  // lock contention profile
  kElf,         // a program, a library or a debug file
  kCoreFile,    // the memory of a process, as ELF
  kEmpty,
  kUnknown,
};

InputFormat DetectFormat(std::string_view bytes);
// True for profiles, whether this version can read them or not.
bool IsProfile(InputFormat format);
// The name of a format for messages: "a gperftools CPU profile".
std::string_view DescribeFormat(InputFormat format);
// Fails if `head`, the first inflated bytes of a compressed file, cannot be the
// start of a profile.
Result<void> CheckPackedHead(std::string_view head, std::string_view packing);
// The programs that write this format: "jemalloc 4.0 or later". Empty if
// unknown.
std::string_view ProducersOf(InputFormat format);

struct ParseOptions {
  // The memory map of the process, for a dump whose own map is missing or
  // truncated.
  const MemoryMap* maps = nullptr;
  // For pprof profiles that do not state a sampling period; in bytes, 0 =
  // unknown.
  uint64_t sample_period = 0;
};

// Reads a profile. `name` is the input's name in messages. If the input is
// damaged but something can be analysed, the damage is noted in `diagnostics`;
// otherwise the result is an error.
Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics,
                             const ParseOptions& options = {});

// The memory map in `bytes`: a dump or a copy of /proc/PID/maps.
Result<MemoryMap> ParseMaps(std::string_view bytes, const std::string& name,
                            Diagnostics& diagnostics);

}  // namespace heapprof
