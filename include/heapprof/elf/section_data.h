// SPDX-License-Identifier: Apache-2.0
//
// The contents of an ELF file's sections, inflated where they are compressed:
// as SHF_COMPRESSED says (zlib, zstd), or in the older way of sections called
// ".zdebug_*". Only what is asked for is inflated, sections side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct SectionData {
  // In the mapped file, or in `inflated`. Empty if there is no such section,
  // or it cannot be read.
  std::span<const uint8_t> bytes;
  std::unique_ptr<uint8_t[]> inflated;
  std::string problem;  // why a section that exists cannot be read
};

// One entry per name, in order. Names are those of plain sections
// (".debug_info"). `image` must outlive the result.
std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs);

}  // namespace heapprof
