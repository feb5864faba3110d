// SPDX-License-Identifier: Apache-2.0
//
// What an index is of: every file whose contents its answers come from, by
// build id and size. A file without a build id is known by its content.
#pragma once

#include <string>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct IndexKey {
  std::string text;       // a line for each file
  std::string file_name;  // of the index, in a directory of indexes
  std::string label;      // path of the binary, for people
};

// `debug` is the image with the debug information, which may be `binary`.
IndexKey IndexKeyOf(const ElfImage& binary, const ElfImage& debug);

}  // namespace heapprof
