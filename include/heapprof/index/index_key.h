// SPDX-License-Identifier: Apache-2.0
//
// Identifies the files from which an index was made. A file without a build id
// is identified by its whole content. A file with a build id is identified by
// the build id, its size and a sample of its content; the build id alone is not
// enough, because a build can set any build id. The key also records whether
// the alternate file, to which dwz moved DIEs, is missing.
//
// IndexCache::Find() looks for the file IndexKey::file_name. That name contains
// a hash of these identities, of kIndexVersion and of the demangler's version.
// So a binary that was rebuilt gets an index file with another name, and the
// index of the old binary is no longer found. The old index is removed when the
// cache is too large and the old index is the least recently used one.
//
// Files with split debug information (.dwo, .dwp) are not part of the key,
// because they are not known until the skeleton units of the binary are read.
// An index records these files separately. It is valid as long as these files
// keep their sizes and times, and each unit is found at the same place in the
// same file.
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

// Returns the key of the index for `binary`. `debug` is the image with the
// debug information, which may be `binary`; `alternate` is the file to which
// dwz moved DIEs, or null.
IndexKey IndexKeyOf(const ElfImage& binary, const ElfImage& debug,
                    const ElfImage* alternate);

}  // namespace heapprof
