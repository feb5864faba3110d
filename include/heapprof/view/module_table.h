// SPDX-License-Identifier: Apache-2.0
//
// The modules of a profile: which have names, and why the others have none.
// The summary after every report and `heapprof info` are made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/tried_file.h"
#include "heapprof/profile/module_file.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// What is known of the file of one mapping. Empty strings: not known, none.
struct ModuleInfo {
  FileState file_state = FileState::kFound;
  std::string file = {};             // on this machine
  std::string wanted_build_id = {};  // as the profile states it
  std::string build_id = {};         // of the file
  // Addresses that were returned to, where the file has code, and those of
  // them that follow a call in it.
  uint32_t return_addresses = 0;
  uint32_t after_call = 0;
  std::string debug_file = {};  // the one with the DWARF, may be `file`
  std::vector<uint16_t> dwarf_versions = {};
  // Places without the file, its debug file or its split debug information.
  std::vector<TriedFile> tried = {};
  std::vector<std::string> problems =
      {};                   // damaged or missing, a sentence each
  std::string reason = {};  // why names are missing, or lines
  std::vector<Suggestion> suggestions = {};
};

// How well a module is named, and if not, why: the word that a table shows.
enum class ModuleStatus : uint8_t {
  kOk,
  kNoLines,     // functions only
  kSomeNames,   // some addresses have none
  kNoNames,     // no address has one, although the file is there
  kIncomplete,  // debug information is damaged or not all there
  kMissing,
  kUnreadable,
  kWrongBuild,
  kGenerated,
  kKernel,
  kUnmapped,     // addresses outside the memory map
  kNoAddresses,  // what the addresses are is not known
};

// "no names"
std::string_view StatusName(ModuleStatus status);

struct ModuleRow {
  std::string path;  // in the memory map; empty: addresses outside the map
  bool deleted = false;
  bool is_main_program = false;
  size_t locations = 0;
  size_t unresolved = 0;
  size_t with_lines = 0;
  size_t stacks = 0;  // whose leaf is in the module
  size_t unresolved_stacks = 0;
  double value = 0;  // of these stacks
  double unresolved_value = 0;
  double percent = 0;           // `value` of the total
  double resolved_percent = 0;  // of `value`; 100 if that is 0
  // Of the total: stacks that have no name because of this module; see
  // coverage.h.
  double nameless_percent = 0;
  ModuleStatus status = ModuleStatus::kOk;
  ModuleInfo info;
};

// The modules that occur in a stack, those with the largest unresolved value
// first, then those with the largest value, then as in the map.
struct ModuleTable {
  std::vector<ModuleRow> rows;
  size_t unresolved = 0;  // rows with an unresolved location
  double unresolved_percent = 0;
  // Of the total: stacks without a name, and stacks with a source line.
  double nameless_percent = 0;
  double lined_percent = 0;
  Metric metric = Metric::kInuseSpace;
  bool has_memory_map = true;
};

// `info_by_mapping` belong to the profile's mappings, by index.
ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleInfo> info_by_mapping);

}  // namespace heapprof
