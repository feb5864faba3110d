// SPDX-License-Identifier: Apache-2.0
//
// Sorts the arguments by content and reads the profiles among them.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

struct LoadedInputs {
  std::string first_dump;  // path of the first profile
  const InputFormat* first_format = nullptr;
  std::vector<MergeInput> profiles;  // the new side comes first
  std::vector<std::string> binaries;
  std::vector<std::string> folder_files;  // ELF files in folders
  std::vector<LocationId>
      addresses;  // for --symbols, in the order of its input
};

Result<LoadedInputs> LoadInputs(const Options& options,
                                Diagnostics& diagnostics);

}  // namespace heapprof
