// SPDX-License-Identifier: Apache-2.0
//
// The contents of an ELF file's sections, inflated if they are compressed: with
// SHF_COMPRESSED (zlib, zstd) or in the older form of sections named
// ".zdebug_*". Only requested sections are inflated, in parallel. Several
// sections of one name, such as gcc's type units in .dwo files, are read as
// one.
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
  // Points into the mapped file or `inflated`. Empty if there is no such
  // section or if it cannot be read.
  std::span<const uint8_t> bytes;
  std::unique_ptr<uint8_t[]> inflated;
  std::string problem;  // why a section that exists cannot be read
  // Tells which bytes of a section that is being inflated are available.
  std::unique_ptr<InflateStream> stream;
};

// A section whose inflation may still be running when LoadSections() returns.
struct StreamedSection {
  std::string_view name = {};  // empty: none
  uint64_t min_size = 0;       // a smaller inflated size: no streaming
};

// Returns one element per name, in order. Names are those of uncompressed
// sections (".debug_info"). `image` must outlive the result.
std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs,
                                      const StreamedSection& streamed = {});

}  // namespace heapprof
