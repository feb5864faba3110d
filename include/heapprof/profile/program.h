// SPDX-License-Identifier: Apache-2.0
//
// Which mappings are the program's. A parser sets Profile::main_binary: to the
// path that the input names as the program's, or to the file that FindProgram()
// takes for it. All others ask IsOfProgram().
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns the index of the program among the files of a process. `paths` are
// those of the files with code, in the order of the memory map; one that is
// empty is not a file. The program is the first file that is not named like a
// library: with 'ulimit -s unlimited', all libraries are before it, and ld.so
// is if it was told to start the program. Returns the first file if all are
// named like libraries; nothing if there are no files.
std::optional<size_t> FindProgram(std::span<const std::string_view> paths);

// True if the mapping is of the program or, in a merged profile, of one of the
// programs. Several mappings may be: one for each PT_LOAD segment, or for each
// of two files that had the path one after the other.
bool IsOfProgram(const Profile& profile, const Mapping& mapping);

// Returns the first mapping of the program; none if the profile has none.
MappingId FirstProgramMapping(const Profile& profile);

}  // namespace heapprof
