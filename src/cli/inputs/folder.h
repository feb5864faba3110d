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

// The files in `path` and in its ".debug", told apart by their first bytes
// (compressed ones by their names) and sorted. Folders inside are not searched.
Result<FolderContents> ReadFolder(const std::string& path);

}  // namespace heapprof
