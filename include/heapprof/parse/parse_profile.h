// SPDX-License-Identifier: Apache-2.0
//
// Any profile that heapprof reads, from its bytes. The format is recognised by
// content. Values are unbiased per record line while reading, since a merged
// stack can no longer be.
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
  kSymbolized,  // "--- symbol" file around a dump
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
// True for what can be given as DUMP, read by this version or not.
bool IsProfile(InputFormat format);
// What a format is called in a message: "a gperftools CPU profile".
std::string_view DescribeFormat(InputFormat format);
// Fails if `head`, the first bytes of a compressed file, begins neither a
// profile nor what may precede one.
Result<void> CheckPackedHead(std::string_view head, std::string_view packing);
// Which programs write it, as far as the form tells: "jemalloc 4.0 or later".
// Empty if it tells nothing.
std::string_view ProducersOf(InputFormat format);

struct ParseOptions {
  // Of the process, for a dump whose own map is missing or cut.
  const MemoryMap* maps = nullptr;
  // For pprof profiles that state no sampling period; bytes, 0 = not known.
  uint64_t sample_period = 0;
};

// Reads a profile. `name` stands for the input in messages. Damage that
// leaves something to analyse is noted in `diagnostics`; an input that cannot
// be used is an error.
Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics,
                             const ParseOptions& options = {});

// The memory map in `bytes`, which are a dump or a copy of /proc/PID/maps.
Result<MemoryMap> ParseMaps(std::string_view bytes, const std::string& name,
                            Diagnostics& diagnostics);

}  // namespace heapprof
