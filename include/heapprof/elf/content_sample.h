// SPDX-License-Identifier: Apache-2.0
//
// A sample of a file's bytes, to tell apart files that have the same build id:
// a build can set any build id, so equal build ids do not prove that files are
// equal. Reading the sample takes a fraction of the time that reading the whole
// file would take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Returns the ELF header, the program and section headers, and up to 16 KiB of
// each section: all of a small section; of a larger one, the first and last 4
// KiB and two pages in between. The spans point into `image`.
std::vector<std::span<const uint8_t>> SampleContent(const ElfImage& image);

}  // namespace heapprof
