// SPDX-License-Identifier: Apache-2.0
//
// What an index is of: every file whose contents its answers come from, by
// build id, size and a sample of its content, since the build may set the id. A
// file without a build id is known by all of its content. That the file is
// missing which dwz moved entries to is part of the key, too.
//
// Which files hold split debug information (.dwo, .dwp) is not known until the
// binary's skeleton units are read. The index is found without, and answers if
// it is of the same split files: of the same size and times, and with the same
// units in the same places. They are no part of its name.
#pragma once

#include <string>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct IndexKey {
  std::string text;       // a line for each file
  std::string file_name;  // of the index, in a directory of indexes
  std::string label;      // path of the binary, for people
  // Of the split files, see AddressResolver::FindSplitFiles(). Needed only for
  // an index that is to be written.
  std::string split_files = {};
};

// `debug` is the image with the debug information, which may be `binary`;
// `alternate` the file that dwz moved entries of it to, or null.
IndexKey IndexKeyOf(const ElfImage& binary, const ElfImage& debug,
                    const ElfImage* alternate);

}  // namespace heapprof
