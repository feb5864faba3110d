// SPDX-License-Identifier: Apache-2.0
//
// Looks up the addresses of one module: in its portable index if there is one,
// else in its index of the cache if there is one, else in the module's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/symbolize/missing_index.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

class OpenIndexes;

struct ModuleLookup {
  const Module* module = nullptr;
  std::string mapped_file = {};          // its name without the folder
  bool is_assumed = false;               // see ModuleLocator::Found
  std::vector<uint64_t> addresses = {};  // call sites, sorted, unique

  ResolvedAddresses answers = {};
  // By address: where the function begins that has no name; 0 if it has one or
  // if that is unknown. Empty if that is so for all.
  std::vector<uint64_t> unnamed_starts = {};
  std::vector<std::string> problems = {};
  SplitFileUse split_files = {};
  // Why the cache cannot be used; empty if it can.
  std::string cache_problem = {};
  bool is_indexed = false;  // an index gave the answers
  // The index to build for later runs, if any.
  std::optional<MissingIndex> missing_index = {};
};

// Normalizes the paths of source files ("./csu/../sysdeps" becomes "sysdeps").
// Files whose paths become equal become one file.
void NormalizePaths(ResolvedAddresses& answers);

// Looks up `lookup.addresses`, and stores the answers and all other results in
// `lookup`. The paths of source files are normalized. Functions without names
// are found by the binary's unwind information. `indexes` may be null; it
// is used only for modules with debug information, which are then read by as
// many threads as it says.
void LookUpModule(ModuleLookup& lookup, OpenIndexes* indexes, unsigned jobs);

}  // namespace heapprof
