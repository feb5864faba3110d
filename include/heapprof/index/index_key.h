// SPDX-License-Identifier: Apache-2.0
//
// Identifies the files from which an index was made: a file with a build id by
// the build id, its size and a sample of its content, because a build can set
// any build id; another file by its whole content. The key also records whether
// the alternate file, to which dwz moved DIEs, is missing.
//
// IndexCache::Find() looks for the file IndexKey::file_name, whose name
// contains a hash of these identities, of kIndexVersion and of the demangler.
// So the index of a binary that was rebuilt is not found: the new binary has
// another file name. The old index stays in the cache until it is the oldest
// one.
//
// Files with split debug information (.dwo, .dwp) are not part of the key,
// because they are not known until the skeleton units of the binary are read.
// An index records these files separately. It is valid as long as they have the
// same sizes and times, and each unit is in the same place.
#pragma once

#include <string>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct IndexKey {
  std::string text;       // a line for each file; see kKey in index_format.h
  std::string file_name;  // of the index in the cache directory
  std::string label;      // path of the binary, for people
  // See AddressResolver::IdentifySplitFiles(). Needed only to write an index.
  std::string split_files = {};
};

// `debug` is the image with the debug information, which may be `binary`;
// `alternate` is the file to which dwz moved DIEs, or null.
IndexKey IndexKeyOf(const ElfImage& binary, const ElfImage& debug,
                    const ElfImage* alternate);

}  // namespace heapprof
