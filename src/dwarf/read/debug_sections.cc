// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/debug_sections.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/part_of.h"

namespace heapprof {
namespace {

constexpr uint64_t kMaxStringSize = 64 * 1024;

// The sections that are usually the largest come first, so that the threads
// that load the sections finish at about the same time.
using Names = std::array<std::string_view, 10>;
constexpr Names kNames = {
    ".debug_info",     ".debug_line",     ".debug_str",         ".debug_ranges",
    ".debug_abbrev",   ".debug_rnglists", ".debug_str_offsets", ".debug_addr",
    ".debug_line_str", ".debug_types"};

DebugSections Load(const ElfImage& debug, const Names& names, unsigned jobs,
                   const StreamedSection& streamed = {}) {
  DebugSections sections;
  sections.owned = LoadSections(debug, names, jobs, streamed);
  sections.info_stream = sections.owned[0].stream.get();
  const std::array<std::span<const uint8_t>*, kNames.size()> targets = {
      &sections.info,           &sections.line,          &sections.strings,
      &sections.ranges,         &sections.abbreviations, &sections.range_lists,
      &sections.string_offsets, &sections.addresses,     &sections.line_strings,
      &sections.types};
  for (size_t i = 0; i < kNames.size(); ++i) {
    *targets[i] = sections.owned[i].bytes;
    if (!sections.owned[i].problem.empty())
      sections.problems.push_back(std::move(sections.owned[i].problem));
  }
  return sections;
}

}  // namespace

DebugSections LoadDebugSections(const ElfImage& debug, unsigned jobs) {
  return Load(debug, kNames, jobs);
}

DebugSections StreamDebugSections(const ElfImage& debug, unsigned jobs,
                                  const UnitStreaming& streaming) {
  DebugSections sections = Load(
      debug, kNames, jobs, {.name = kNames[0], .min_size = streaming.min_size});
  sections.streaming = streaming;
  return sections;
}

bool InflateInfoAgain(const ElfImage& debug, unsigned jobs,
                      const std::optional<UnitStreaming>& streaming,
                      DebugSections& sections) {
  const uint64_t size = sections.info.size();
  sections.info_stream = nullptr;
  sections.owned[0] = {};
  StreamedSection streamed;
  if (streaming) streamed = {kNames[0], streaming->min_size};
  sections.owned[0] = std::move(
      LoadSections(debug, std::span(kNames).first(1), jobs, streamed)[0]);
  sections.info = sections.owned[0].bytes;
  sections.info_stream = sections.owned[0].stream.get();
  // Another program may have changed the file.
  if (sections.owned[0].problem.empty() && size != 0 &&
      sections.info.size() == size)
    return true;
  sections.info = {};
  return false;
}

DebugSections LoadSplitSections(const ElfImage& split) {
  std::array<std::string, kNames.size()> texts;
  Names names;
  for (size_t i = 0; i < kNames.size(); ++i) {
    texts[i] = std::string(kNames[i]) + ".dwo";
    names[i] = texts[i];
  }
  return Load(split, names, 1);
}

std::string_view UnboundedStringAt(std::span<const uint8_t> section,
                                   uint64_t offset) {
  if (offset >= section.size()) return {};
  const auto rest = PartOf(section, offset, kMaxStringSize);
  return {reinterpret_cast<const char*>(rest.data()), rest.size()};
}

}  // namespace heapprof
