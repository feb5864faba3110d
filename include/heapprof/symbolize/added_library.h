// SPDX-License-Identifier: Apache-2.0
//
// Adds a file that is missing from the memory map: code that was loaded at
// fixed addresses by hand (jeprof's --add_lib), or a program whose dump has no
// map at all.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Adds a mapping of the ELF file at `path`. It gets all locations that are in
// the code of the file but in no other mapping. The file must have been loaded
// at the addresses that its program headers state.
Result<void> MapAddedLibrary(const std::string& path, Profile& profile);

// Like MapAddedLibrary(), but for a file whose first page was loaded at
// `load_base`. Returns the number of locations that were assigned to the file.
Result<size_t> MapAtLoadBase(const std::string& path, uint64_t load_base,
                             Profile& profile);

}  // namespace heapprof
