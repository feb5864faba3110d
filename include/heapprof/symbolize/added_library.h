// SPDX-License-Identifier: Apache-2.0
//
// jeprof's --add_lib: a file that the memory map lacks, such as code that was
// placed at fixed addresses by hand.
#pragma once

#include <string>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives the locations outside of any mapping to the ELF file at `path` where
// its code, at the addresses that the file itself states, covers them.
Result<void> MapAddedLibrary(const std::string& path, Profile& profile);

}  // namespace heapprof
