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

// Maps the locations outside any mapping to the ELF file at `path` if its code
// covers them. The file must have been loaded at its own addresses.
Result<void> MapAddedLibrary(const std::string& path, Profile& profile);

// The same for a file whose first page was loaded at `load_base`. Returns how
// many locations are in its code.
Result<size_t> MapAtLoadBase(const std::string& path, uint64_t load_base,
                             Profile& profile);

}  // namespace heapprof
