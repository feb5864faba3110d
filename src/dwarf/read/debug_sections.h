// SPDX-License-Identifier: Apache-2.0
//
// The sections of one debug file that name addresses, inflated, and the
// lookups into those that are mere tables of strings and addresses.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/dwarf/unit_streaming.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/section_data.h"

namespace heapprof {

struct DebugSections {
  std::span<const uint8_t> info;
  std::span<const uint8_t> abbreviations;
  std::span<const uint8_t> line;
  std::span<const uint8_t> strings;
  std::span<const uint8_t> alternate_strings;  // of the alternate file
  std::span<const uint8_t> line_strings;
  std::span<const uint8_t> string_offsets;
  std::span<const uint8_t> addresses;
  std::span<const uint8_t> ranges;       // DWARF 2-4
  std::span<const uint8_t> range_lists;  // DWARF 5
  std::vector<std::string> problems;     // sections that cannot be read

  std::vector<SectionData> owned;
  // Of .debug_info, if that is being inflated; else nullptr.
  InflateStream* info_stream = nullptr;
  uint64_t info_step = 0;  // see UnitStreaming
};

// `debug` must outlive the result.
DebugSections LoadDebugSections(const ElfImage& debug, unsigned jobs);

// The same, but a large .debug_info that is compressed is only begun to be
// inflated.
DebugSections StreamDebugSections(const ElfImage& debug, unsigned jobs,
                                  const UnitStreaming& streaming);

// The same of a .dwo or .dwp file, whose sections are called ".debug_*.dwo".
DebugSections LoadSplitSections(const ElfImage& split);

// What is left of `section` from `offset` on, at most `size` bytes.
std::span<const uint8_t> PartOf(std::span<const uint8_t> section,
                                uint64_t offset, uint64_t size);

// The text at `offset` of a string section, with its NUL and whatever follows;
// empty if there is none. Overlong text is cut: many DIEs may share it.
std::string_view UnboundedStringAt(std::span<const uint8_t> section,
                                   uint64_t offset);
// The same up to its NUL.
std::string_view StringAt(std::span<const uint8_t> section, uint64_t offset);
inline std::string_view UpToNul(std::string_view open) {
  return open.substr(0, open.find('\0'));
}

}  // namespace heapprof
