// SPDX-License-Identifier: Apache-2.0
//
// The contents of an ELF file's sections. Inflates compressed sections: those
// with SHF_COMPRESSED (zlib, zstd) and those of the older form, named
// ".zdebug_*". Inflates only the sections that are asked for, in parallel.
// Joins sections that have the same name. For example, gcc puts each type unit
// of a .dwo file into its own section, and all of these have one name.
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
  // Points into the mapped file, into `inflated` or into `stream`. Empty if
  // there is no such section or if it cannot be read.
  std::span<const uint8_t> bytes;
  std::unique_ptr<uint8_t[]> inflated;
  std::string problem;  // why a section that exists cannot be read
  // Not null if the section is inflated while it is read. Then call
  // stream->WaitFor() before reading any byte of `bytes`; only bytes for which
  // it has returned true may be read.
  std::unique_ptr<InflateStream> stream;
};

// A section that need not be inflated yet when LoadSections() returns.
struct StreamedSection {
  std::string_view name = {};  // empty: no section is streamed
  uint64_t min_size = 0;       // in bytes, inflated; smaller: not streamed
};

// Returns one element per name, in order. The name ".debug_info" also stands
// for the compressed section ".zdebug_info". Uses at most `jobs` threads.
// `image` must outlive the result.
std::vector<SectionData> LoadSections(const ElfImage& image,
                                      std::span<const std::string_view> names,
                                      unsigned jobs,
                                      const StreamedSection& streamed = {});

}  // namespace heapprof
