// SPDX-License-Identifier: Apache-2.0
//
// Distinguishes files that claim to be the same one, in a fraction of the time
// that reading them would take. A build id may be forged or set to a constant
// by the build.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// The file header, the program and section headers, and up to 16 KiB of each
// section: all of a small one, otherwise its first and last 4 KiB and two pages
// in between. The bytes belong to `image`.
std::vector<std::span<const uint8_t>> SampleContent(const ElfImage& image);

}  // namespace heapprof
