// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/libdw_units.h"

#include <algorithm>
#include <set>

#include <dwarf.h>
#include <fmt/core.h>

#include "dwarf/libdw/die_walker.h"
#include "dwarf/libdw/dwarf_section.h"
#include "dwarf/libdw/libdw_error.h"
#include "dwarf/shared/attribute_specs.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {
namespace {

// Limits the abbreviations that libdw reads. It reads the table of a unit up to
// the code that it looks for, and keeps them. In a valid file, tables do not
// overlap.
class AbbreviationLimit {
 public:
  explicit AbbreviationLimit(std::span<const uint8_t> section)
      : section_(section), left_(kBaseBytes + 2 * section.size()) {}

  // Returns false if the table at `offset` would exceed the limit.
  bool Allows(uint64_t offset) {
    if (offset >= section_.size() || !known_.insert(offset).second) return true;
    LittleEndianCursor cursor(section_, offset);
    while (cursor.offset() - offset <= left_ && cursor.Uleb() != 0) {
      cursor.SkipLeb();  // tag
      cursor.U8();       // whether it has children
      // Like libdw, skips unknown forms, too.
      ForEachAttributeSpec(cursor, [](uint64_t, uint64_t) { return true; });
    }
    const uint64_t size = cursor.offset() - offset;
    if (size > left_) return false;
    left_ -= size;
    return true;
  }

 private:
  static constexpr uint64_t kBaseBytes = 1 << 20;

  std::span<const uint8_t> section_;
  uint64_t left_;
  std::set<uint64_t> known_ = {};  // offsets of tables
};

}  // namespace

LibdwUnit UnitOf(Dwarf_Die root, std::span<const uint8_t> debug_info) {
  const auto* address = static_cast<const uint8_t*>(root.addr);
  const uint8_t* section_end = debug_info.data() + debug_info.size();
  LibdwUnit unit{.root = root};
  if (address < debug_info.data() || address >= section_end) return unit;
  const Dwarf_Off root_offset = dwarf_dieoffset(&root);
  unit.offset = root_offset - dwarf_cuoffset(&root);
  Dwarf_Off next = 0;
  if (dwarf_next_unit(dwarf_cu_getdwarf(root.cu), unit.offset, &next, nullptr,
                      nullptr, nullptr, nullptr, nullptr, nullptr,
                      nullptr) != 0)
    return unit;
  const auto left = static_cast<uint64_t>(section_end - address);
  unit.end = address + std::min<uint64_t>(left, next - root_offset);
  return unit;
}

uint64_t RangeBudget(const LibdwUnit& unit) {
  const auto* root = static_cast<const uint8_t*>(unit.root.addr);
  return RangeBudgetOfUnit(static_cast<uint64_t>(unit.end - root));
}

LibdwUnits::LibdwUnits(Dwarf* dwarf, DieRangeReader& ranges,
                       ProblemLog& problems) {
  const std::span<const uint8_t> debug_info = DwarfSection(dwarf, "debug_info");
  ranges.SetBudget(
      RangeBudgetOfRoots(DwarfSection(dwarf, "debug_ranges").size() +
                         DwarfSection(dwarf, "debug_rnglists").size()));
  AbbreviationLimit limit(DwarfSection(dwarf, "debug_abbrev"));
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  Dwarf_Off abbreviations = 0;
  size_t header_size = 0;
  Dwarf_Half version = 0;
  int result = 0;
  // The loop steps from unit to unit by the length in each header, so a unit of
  // unknown version does not hide the units after it. The last two arguments of
  // dwarf_next_unit() must be null; otherwise it would read .debug_types
  // instead of .debug_info.
  ClearLibdwError();
  while ((result = dwarf_next_unit(dwarf, offset, &next, &header_size, &version,
                                   &abbreviations, nullptr, nullptr, nullptr,
                                   nullptr)) == 0) {
    if (!limit.Allows(abbreviations)) {
      problems.Note(
          fmt::format("implausibly many abbreviations; the units from {:#x} of "
                      ".debug_info on are not read",
                      offset));
      break;
    }
    LibdwUnit unit{.offset = offset};
    ClearLibdwError();
    if (dwarf_offdie(dwarf, offset + header_size, &unit.root) == nullptr ||
        dwarf_tag(&unit.root) == DW_TAG_invalid) {
      problems.Note(
          fmt::format("unit at {:#x} of .debug_info is damaged or has an "
                      "unknown version: {}",
                      offset, TakeLibdwError()));
    } else {
      unit = UnitOf(unit.root, debug_info);
      units_.push_back(unit);
      AddRanges(static_cast<uint32_t>(units_.size() - 1), version, ranges,
                problems);
    }
    if (next > debug_info.size())
      problems.Note(
          fmt::format("unit at {:#x} of .debug_info is cut off", offset));
    offset = next;
    ClearLibdwError();
  }
  if (result < 0)
    problems.Note(
        fmt::format("unit header at {:#x} of .debug_info is damaged; "
                    "it and the units after it are not read: {}",
                    offset, TakeLibdwError()));
  if (ranges.exhausted()) problems.Note(kTooManyRanges);
  ranges_by_unit_.Sort();
}

void LibdwUnits::AddRanges(uint32_t unit, uint16_t version,
                           DieRangeReader& ranges, ProblemLog& problems) {
  Dwarf_Die* root = &units_[unit].root;
  const int tag = dwarf_tag(root);
  if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) return;
  if (tag == DW_TAG_skeleton_unit || dwarf_hasattr(root, DW_AT_GNU_dwo_name))
    problems.Note(
        "debug information in split files (.dwo) is not read; "
        "inlined calls are not shown there");
  std::vector<AddressRange> found;
  ClearLibdwError();
  const DieRangeReader::Found result = ranges.Read(root, found);
  for (const AddressRange& range : found) ranges_by_unit_.Add(range, unit);
  if (result.damaged)
    problems.Note(
        fmt::format("unit at {:#x} of .debug_info: cannot read its "
                    "address ranges: {}",
                    units_[unit].offset, TakeLibdwError()));
  // DWARF 2 has no DW_AT_ranges: the root then has only one of the ranges.
  const bool complete =
      result.has_ranges && (version > 2 || dwarf_hasattr(root, DW_AT_ranges));
  if (result.damaged || !complete) AddFunctionRanges(unit, ranges);
}

void LibdwUnits::AddFunctionRanges(uint32_t unit, DieRangeReader& ranges) {
  std::vector<AddressRange> found;
  const LibdwUnit& at = units_[unit];
  DieWalker walker(at.root, at.end);
  while (walker.Next()) {
    if (walker.tag() != DW_TAG_subprogram) continue;
    ranges.Read(walker.die(), found);
    for (const AddressRange& range : found) ranges_by_unit_.Add(range, unit);
  }
}

}  // namespace heapprof
