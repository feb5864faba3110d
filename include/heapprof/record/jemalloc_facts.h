// SPDX-License-Identifier: Apache-2.0
//
// What a file tells about the jemalloc in it. A program may be stripped, so
// this goes by jemalloc's strings, which it needs itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

// The environment variable with the settings of a jemalloc that takes the place
// of malloc(). One that was built with a prefix for its functions reads another
// variable, whose name has the prefix, too.
inline constexpr std::string_view kMallocConf = "MALLOC_CONF";

// How a jemalloc finds the callers of an allocation.
enum class Unwinder : uint8_t { kUnknown, kLibgcc, kLibunwind };

struct JemallocFacts {
  // The environment variables that it reads: kMallocConf, "_RJEM_MALLOC_CONF".
  std::vector<std::string> variables;
  bool has_profiler = false;   // it was built with --enable-prof
  bool names_threads = false;  // it knows prof_sys_thread_name (5.3)
  bool keeps_recent = false;   // it knows prof_recent_alloc_max (5.3)
  bool has_symbols = false;    // its functions can be found
  std::string version = {};    // "5.3.0"; empty if unknown
  Unwinder unwinder = Unwinder::kUnknown;

  bool Reads(std::string_view variable) const {
    return std::ranges::find(variables, variable) != variables.end();
  }
  bool ReplacesMalloc() const { return Reads(kMallocConf); }
};

// Returns what the names of its functions and variables begin with: "_rjem_" if
// it reads _RJEM_MALLOC_CONF, and nothing if it reads MALLOC_CONF.
std::string NamePrefix(const JemallocFacts& jemalloc);

// Returns nothing if the ELF file with these bytes contains no jemalloc.
std::optional<JemallocFacts> FindJemallocIn(std::string_view bytes);

struct JemallocLibrary {
  std::string path;
  JemallocFacts facts;
};

// Returns the first libjemalloc.so.2 in `folders` that has a profiler and is
// for this kind of processor. The error says what to install.
Result<JemallocLibrary> FindJemallocLibrary(
    std::span<const std::string> folders);

// Reads the library at `path`. Fails if it is no jemalloc with a profiler.
Result<JemallocLibrary> ReadJemallocLibrary(const std::string& path);

// Returns where libraries usually are. `library_path` is LD_LIBRARY_PATH.
std::vector<std::string> LibraryFolders(std::string_view library_path);

}  // namespace heapprof
