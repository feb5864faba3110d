// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a portable index that has at most the file name of a mapping
// in common with it may name the mapping's frames. A heap dump contains no
// build id, so where the file itself is missing, only the dump's addresses are
// left as evidence. They must fit better than those that CheckBuild() demands
// of a file, because the path of a file is evidence, too. Wrong names are worse
// than none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heapprof/elf/elf_image.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Says why `image`, made from the index, may not be assumed to be the file of
// `mapping`; nothing if it may. Two things must fit:
//   - the size and the file offset of the mapped code, as far as the profile
//     has them: they are those of the executable PT_LOAD segments, in pages
//   - nearly all return addresses follow a call, and there are at least two, or
//     three if the size of the code is not known. (Two are what most programs
//     have in libc.so.6: the callers of main.) Among less than eight, a quarter
//     may not follow a call; else two and one in a hundred: thread entry points
//     and signal frames. These get no names.
// If the file name is another one, the size must be known, and there must be at
// least eight return addresses.
std::optional<std::string> WhyNotAssumed(
    const ElfImage& image, const Mapping& mapping,
    std::span<const uint64_t> return_addresses, bool has_file_name);

}  // namespace heapprof
