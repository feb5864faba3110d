// SPDX-License-Identifier: Apache-2.0
//
// Reads one profile as the options say.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/io/input_file.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/parse/parse_options.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/perf_map.h"

namespace heapprof {

// Opens a profile. An argument that is no file but the address of a server gets
// an error that says so.
Result<InputFile> OpenProfile(const std::string& path);

// Reads the memory map in the file `path`; returns an empty map if `path` is
// empty.
Result<MemoryMap> LoadMaps(const std::string& path, Diagnostics& diagnostics);

// True if samples of an input are missing or wrong. Without a memory map, only
// names are missing.
bool LosesSamples(WarningKind kind);
bool HasLostSamples(const Diagnostics& diagnostics);

// True if a report shows nothing but sums of samples: no threads, and no
// errors, which depend on threads and runs.
bool ShowsOnlySums(const Options& options);

class ProfileLoader {
 public:
  // Reads the files of --maps and --perf-map.
  static Result<ProfileLoader> Make(const Options& options,
                                    Diagnostics& diagnostics);

  // True if --maps gives the memory map.
  bool has_maps() const { return has_maps_; }

  // Reads a large dump on up to `jobs` threads.
  Result<Profile> Load(const InputFile& file, Diagnostics& diagnostics,
                       unsigned jobs) const;
  // Uses `maps` instead of that of --maps.
  Result<Profile> LoadWith(const MemoryMap* maps, const InputFile& file,
                           Diagnostics& diagnostics, unsigned jobs) const;

 private:
  ParseOptions parse_;
  bool has_maps_ = false;
  MemoryMap maps_;
  std::vector<PerfMap> perf_maps_;  // names of JIT-compiled functions
};

}  // namespace heapprof
