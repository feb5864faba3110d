// SPDX-License-Identifier: Apache-2.0
//
// The modules of a profile: which of them have names, and why the others have
// none. Used for the summary after every report and for `heapprof info`.
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

// The facts about the file of one mapping. Empty strings mean unknown or none.
struct ModuleInfo {
  FileState file_state = FileState::kFound;
  std::string file = {};             // on this machine
  std::string wanted_build_id = {};  // from the profile
  std::string build_id = {};         // of the file
  // The number of return addresses, or 0 if the file has bytes for none of
  // them; and the number of those that follow a call in the file.
  uint32_t return_addresses = 0;
  uint32_t after_call = 0;
  std::string debug_file = {};  // the file with the DWARF; may be `file`
  std::vector<uint16_t> dwarf_versions = {};
  // The places where the file, its debug file or its split debug information
  // was not found.
  std::vector<TriedFile> tried = {};
  std::vector<std::string> problems =
      {};                   // what is damaged or missing, a sentence each
  std::string reason = {};  // why names or lines are missing
  std::vector<Suggestion> suggestions = {};
};

// How many names a module has, and why not all: the word in a table.
enum class ModuleStatus : uint8_t {
  kOk,
  kNoLines,     // functions only
  kSomeNames,   // some addresses have none
  kNoNames,     // no address has one, although the file was found
  kIncomplete,  // debug information is damaged or incomplete
  kMissing,
  kUnreadable,
  kWrongBuild,
  kGenerated,
  kKernel,
  kUnmapped,     // addresses outside the memory map
  kNoAddresses,  // the meaning of the addresses is unknown
};

// "no names"
std::string_view StatusName(ModuleStatus status);

struct ModuleRow {
  std::string path;  // from the memory map; empty: addresses outside the map
  bool deleted = false;
  bool is_main_program = false;
  size_t locations = 0;
  size_t unresolved = 0;
  size_t with_lines = 0;
  size_t stacks = 0;  // stacks whose leaf is in the module
  size_t unresolved_stacks = 0;
  double value = 0;  // of these stacks
  double unresolved_value = 0;
  double percent = 0;           // `value` as a percentage of the total
  double resolved_percent = 0;  // percentage of `value`; 100 if that is 0
  // Percentage of the total in stacks without a name because of this module;
  // see coverage.h.
  double nameless_percent = 0;
  ModuleStatus status = ModuleStatus::kOk;
  ModuleInfo info;
};

// The modules that occur in a stack: sorted by unresolved value, then by value,
// largest first, then in the order of the memory map.
struct ModuleTable {
  std::vector<ModuleRow> rows;
  size_t unresolved = 0;  // number of rows with an unresolved location
  double unresolved_percent = 0;
  // Percentages of the total: stacks without a name, and stacks with a source
  // line.
  double nameless_percent = 0;
  double lined_percent = 0;
  Metric metric = Metric::kInuseSpace;
  bool has_memory_map = true;
};

// `info_by_mapping` has an element for each mapping of the profile.
ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleInfo> info_by_mapping);

}  // namespace heapprof
