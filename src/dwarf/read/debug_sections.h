// SPDX-License-Identifier: Apache-2.0
//
// Loads and inflates the sections of a debug file that are needed to resolve
// addresses, and looks up strings in them.
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
  std::vector<std::string> problems;     // of sections that cannot be read

  std::vector<SectionData> owned;
  // Inflates .debug_info while it is being read; nullptr if the section is
  // complete.
  InflateStream* info_stream = nullptr;
  uint64_t info_step = 0;  // see UnitStreaming
};

// `debug` must outlive the result.
DebugSections LoadDebugSections(const ElfImage& debug, unsigned jobs);

// The same, but returns while a large compressed .debug_info is still being
// inflated: see info_stream.
DebugSections StreamDebugSections(const ElfImage& debug, unsigned jobs,
                                  const UnitStreaming& streaming);

// The same for a .dwo or .dwp file, whose sections are named ".debug_*.dwo".
DebugSections LoadSplitSections(const ElfImage& split);

// At most `size` bytes of `section` from `offset` on; fewer at its end.
std::span<const uint8_t> PartOf(std::span<const uint8_t> section,
                                uint64_t offset, uint64_t size);

// The string at `offset` of a string section, followed by its NUL and more
// bytes; empty if `offset` is past the end. Overlong text is cut: many DIEs may
// share it.
std::string_view UnboundedStringAt(std::span<const uint8_t> section,
                                   uint64_t offset);
// The same string without its NUL.
std::string_view StringAt(std::span<const uint8_t> section, uint64_t offset);
inline std::string_view UpToNul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

}  // namespace heapprof
