// SPDX-License-Identifier: Apache-2.0
//
// Collects the facts about files that `heapprof info` reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/info.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

// Returns the facts about each mapping's file, indexed by mapping. `with_dwarf`
// also reads the DWARF versions, which is slow; only `info` with --json or
// --verbose shows them.
std::vector<ModuleInfo> ModuleInfosOf(const Profile& profile,
                                      const Symbolizer& symbolizer,
                                      bool with_dwarf);

// Returns the modules of `profile` without DWARF versions.
ModuleTable ModulesOf(const Profile& profile, const Symbolizer& symbolizer,
                      const Options& options);

DumpInfo DumpInfoOf(std::string_view path, const InputFormat& format,
                    std::vector<std::string> unused_files);

}  // namespace heapprof
