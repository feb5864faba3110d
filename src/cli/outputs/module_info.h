// SPDX-License-Identifier: Apache-2.0
//
// Collects what `heapprof info` says about files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/info.h"

namespace heapprof {

// Indexed by mapping. `with_dwarf` also reads the DWARF versions, which takes
// time and which only `info` with details shows.
std::vector<ModuleInfo> ModuleInfosOf(const Profile& profile,
                                      const Symbolizer& symbolizer,
                                      bool with_dwarf);

DumpInfo DumpInfoOf(std::string_view path, const InputFormat& format,
                    std::vector<std::string> unused_files);

}  // namespace heapprof
