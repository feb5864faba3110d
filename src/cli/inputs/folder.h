// SPDX-License-Identifier: Apache-2.0
//
// Finds the usable files in a folder on the command line.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/parse/parse_profile.h"

namespace heapprof {

struct FolderContents {
  std::vector<std::string> elf_files;  // binaries and debug files
  std::vector<std::string> profiles;
  // Named *.heap, but nothing that can be read, such as empty files.
  std::vector<std::string> broken;
};

// Returns of which kind the file is, from its first bytes.
InputKind KindOfFile(const std::string& path);

// Returns the files in the folder `path` and in its subfolder ".debug", sorted.
// Their first bytes tell ELF files from profiles; only compressed dumps and
// pprof profiles are recognised by their names. Other subfolders are not
// searched.
Result<FolderContents> ReadFolder(const std::string& path);

}  // namespace heapprof
