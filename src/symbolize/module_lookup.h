// SPDX-License-Identifier: Apache-2.0
//
// The answers for the addresses of one module: from its index if the cache has
// one, else from the module's files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/symbolize/module.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

struct ModuleLookup {
  const Module* module = nullptr;
  std::vector<uint64_t> addresses = {};  // call sites, sorted, unique

  ResolvedAddresses answers = {};
  std::vector<std::string> problems = {};
  SplitFileUse split_files = {};
  std::string cache_problem = {};  // why the cache is of no use, or empty
  // The index that later runs could have; or nothing.
  std::optional<MissingIndex> missing_index = {};
};

// Rewrites the paths of source files as people write them ("./csu/../sysdeps"
// becomes "sysdeps"); two spellings become one file.
void NormalizePaths(ResolvedAddresses& answers);

// Fills `lookup`, with normal paths. `cache` may be null.
void LookUpModule(ModuleLookup& lookup, const IndexCache* cache, unsigned jobs);

}  // namespace heapprof
