// SPDX-License-Identifier: Apache-2.0
//
// A file that the memory map lacks: code that was placed at fixed addresses by
// hand (jeprof's --add_lib), or a program whose dump has no map at all.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives the locations outside of any mapping to the ELF file at `path` where
// its code, at the addresses that the file itself states, covers them.
Result<void> MapAddedLibrary(const std::string& path, Profile& profile);

// The same for a file whose first page was at `load_base`. Returns how many
// locations are in its code then.
Result<size_t> MapAtLoadBase(const std::string& path, uint64_t load_base,
                             Profile& profile);

}  // namespace heapprof
