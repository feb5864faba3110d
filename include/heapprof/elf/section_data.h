// SPDX-License-Identifier: Apache-2.0
//
// The contents of an ELF file's sections, inflated where they are compressed:
// as SHF_COMPRESSED says (zlib, zstd), or in the older way of sections called
// ".zdebug_*". Only what is asked for is inflated, sections side by side. What
// is in several sections of one name, as gcc's type units in .dwo files are, is
// read as one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/elf_image.h"
#include "heapprof/io/inflate_stream.h"

namespace heapprof {

struct SectionData {
  // In the mapped file, or in `inflated`. Empty if there is no such section,
  // or it cannot be read.
  std::span<const uint8_t> bytes;
  std::unique_ptr<uint8_t[]> inflated;
  std::string problem;  // why a section that exists cannot be read
  // Of a section that is being inflated: it says which bytes are there.
  std::unique_ptr<InflateStream> stream;
};

// A section that is only begun to be inflated if it is large.
struct StreamedSection {
  std::string_view name = {};  // empty: none
  uint64_t min_size = 0;       // of a large one, inflated
};

// One entry per name, in order. Names are those of plain sections
// (".debug_info"). `image` must outlive the result.
std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs,
                                      const StreamedSection& streamed = {});

}  // namespace heapprof
