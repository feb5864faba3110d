// SPDX-License-Identifier: Apache-2.0
//
// Loads and inflates the sections of a debug file that are needed to resolve
// addresses, and looks up strings in them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
  std::span<const uint8_t> types;  // .debug_types, of DWARF 4
  std::span<const uint8_t> abbreviations;
  std::span<const uint8_t> line;
  std::span<const uint8_t> strings;
  std::span<const uint8_t> alternate_strings;  // of the alternate file
  std::span<const uint8_t> line_strings;
  std::span<const uint8_t> string_offsets;
  std::span<const uint8_t> addresses;
  std::span<const uint8_t> ranges;       // DWARF 2-4
  std::span<const uint8_t> range_lists;  // DWARF 5
  // A message for each section that cannot be read.
  std::vector<std::string> problems;

  std::vector<SectionData> owned;
  // Inflates .debug_info while it is being read; nullptr if the section is
  // complete.
  InflateStream* info_stream = nullptr;
  UnitStreaming streaming = {};  // not used without `info_stream`
};

// Loads the sections of `debug`. `debug` must outlive the result.
DebugSections LoadDebugSections(const ElfImage& debug, unsigned jobs);

// Like LoadDebugSections(), but a large compressed .debug_info is inflated
// while it is read. In that case, `info_stream` is set.
DebugSections StreamDebugSections(const ElfImage& debug, unsigned jobs,
                                  const UnitStreaming& streaming);

// Inflates .debug_info again, after parts of it were discarded; with
// `streaming` while it is read. The result is at another place in memory.
// Returns false if it fails; it then fails each time.
bool InflateInfoAgain(const ElfImage& debug, unsigned jobs,
                      const std::optional<UnitStreaming>& streaming,
                      DebugSections& sections);

// Loads the sections of a .dwo or .dwp file, which are named ".debug_*.dwo".
DebugSections LoadSplitSections(const ElfImage& split);

// Returns the bytes of a string section from `offset` on: the string there, its
// NUL and the bytes after it. Empty if `offset` is past the end of the section.
// The length is limited to 64 KiB, because a malicious file may have many DIEs
// that refer to the same huge string, which is scanned again for each DIE.
std::string_view UnboundedStringAt(std::span<const uint8_t> section,
                                   uint64_t offset);
// True if `text` is inside of `section`, as with DW_FORM_string.
inline bool IsPartOf(std::string_view text, std::span<const uint8_t> section) {
  const auto* start = reinterpret_cast<const uint8_t*>(text.data());
  return std::less_equal()(section.data(), start) &&
         std::less()(start, section.data() + section.size());
}
inline std::string_view UpToNul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

}  // namespace heapprof
