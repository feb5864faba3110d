// SPDX-License-Identifier: Apache-2.0
//
// The modules of a profile (the program and its libraries): which of them have
// function names, and why the others have none. Used for the summary after
// every report and for `heapprof info`.
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
  std::string file = {};             // its path on this machine
  std::string wanted_build_id = {};  // the build id in the profile
  std::string build_id = {};         // the build id of `file`
  // Two counts that show whether the file fits the profile: the return
  // addresses for which the file has code, and those of them that follow a call
  // instruction. If the file fits, the counts are about equal.
  uint32_t return_addresses = 0;
  uint32_t after_call = 0;
  std::string debug_file = {};  // the file with the DWARF; may be `file`
  // The portable index that names the frames, and whether only its file name
  // and the addresses show that it is of the file that ran.
  std::string index_file = {};
  bool is_assumed = false;
  // `file` is a debug file. It has no code, so no return address shows whether
  // it fits.
  bool is_debug_file = false;
  std::vector<uint16_t> dwarf_versions = {};
  // The paths and servers that were searched in vain for the file, its debug
  // file or its split debug information.
  std::vector<TriedFile> tried = {};
  // What is damaged or missing, a sentence each.
  std::vector<std::string> problems = {};
  std::string reason = {};  // why names or lines are missing
  std::vector<Suggestion> suggestions = {};
};

// Whether the addresses of a module have names and lines and, if not, why.
// Tables show the status as one or two words.
enum class ModuleStatus : uint8_t {
  kOk,
  kNoLines,     // addresses have function names, but no lines
  kSomeNames,   // some addresses have no function name
  kNoNames,     // no address has a function name, although the file was found
  kIncomplete,  // debug information is damaged or incomplete
  kMissing,
  kUnreadable,
  kWrongBuild,
  kGenerated,
  kKernel,
  kUnmapped,     // addresses outside the memory map
  kNoAddresses,  // the meaning of the addresses is unknown
};

// The word for a status in tables, such as "no names".
std::string_view StatusName(ModuleStatus status);

// In percent of the memory. If names are missing or doubtful for less, only
// reports that list everything mention it. Some functions of the system's
// libraries have no symbols: of eight programs with debug information, seven
// lacked names for 0.03 to 0.94 %, mostly in libstdc++.so.6, and Python for
// 1.6 %.
inline constexpr double kNotablePercent = 1;

struct ModuleRow {
  std::string path;  // from the memory map; empty: addresses outside the map
  bool lacks_map = false;  // the profile has no memory map
  bool deleted = false;
  bool is_main_program = false;
  size_t locations = 0;
  size_t unresolved = 0;
  size_t with_lines = 0;
  size_t stacks = 0;  // stacks whose leaf is in the module
  size_t unresolved_stacks = 0;
  double value = 0;  // the sum of the absolute values of `stacks`
  double unresolved_value = 0;
  double percent = 0;  // `value` as a percentage of the total
  // The part of `value` in stacks whose leaf has a name, in percent; 100 if
  // `value` is 0.
  double resolved_percent = 0;
  // ModuleCoverage::nameless_value as a percentage of the total: the stacks
  // that have no name because of this module.
  double nameless_percent = 0;
  ModuleStatus status = ModuleStatus::kOk;
  ModuleInfo info;
};

// True if the file has names, but too many of the return addresses follow no
// call: it may be another build that differs little, or a library may have been
// at its addresses before and been unloaded. Some names are then wrong.
bool HasDoubtfulNames(const ModuleRow& row);

// True if names come from a file of which nothing shows whether it is of the
// build that ran: a debug file, for a profile without build ids.
bool HasUncheckedNames(const ModuleRow& row);

// The modules that occur in a stack. Sorted by unresolved value, then by value,
// both largest first; equal ones are in the order of the memory map.
struct ModuleTable {
  std::vector<ModuleRow> rows;
  size_t unresolved = 0;  // number of rows with an unresolved location
  double unresolved_percent = 0;
  // Percentages of the total: stacks without a name, and stacks with a name
  // whose leaf has a source line.
  double nameless_percent = 0;
  double lined_percent = 0;
  Metric metric = Metric::kInuseSpace;
  bool has_memory_map = true;
};

// `info_by_mapping` has an element for each mapping of the profile. Uses up to
// `jobs` threads.
ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleInfo> info_by_mapping,
                            unsigned jobs = 1);

}  // namespace heapprof
