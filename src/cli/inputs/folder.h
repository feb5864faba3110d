// SPDX-License-Identifier: Apache-2.0
//
// Finds the usable files in a folder on the command line.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

struct FolderContents {
  std::vector<std::string> elf_files;  // binaries and debug files
  std::vector<std::string> profiles;
};

// Returns the files in `path` and in its ".debug", told apart by their first
// bytes (compressed dumps and pprof profiles by their names) and sorted. Other
// folders inside are not searched.
Result<FolderContents> ReadFolder(const std::string& path);

}  // namespace heapprof
