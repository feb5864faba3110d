// SPDX-License-Identifier: Apache-2.0
//
// The units of .debug_info and the values of their DIEs' attributes
// (DWARF 5, sections 7.5 and 7.7; versions 2 to 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/shared/address_range.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

// Marks the offset of a DIE in the alternate file, to which dwz moved it.
inline constexpr uint64_t kInAlternate = uint64_t{1} << 63;

// What a skeleton unit says about the unit whose DIEs it lacks.
struct SplitReference {
  std::string_view name = {};  // of the .dwo file
  uint64_t id = 0;
  uint64_t ranges_base = 0;  // DWARF 4
};

struct CompilationUnit {
  uint64_t offset = 0;  // of the header, in .debug_info
  uint64_t root = 0;    // of the root DIE
  uint64_t end = 0;     // past the last byte
  uint64_t abbreviations = 0;
  UnitEncoding encoding = {};
  bool is_compile_unit = false;  // a compile unit: neither partial nor a type

  // Of the root DIE.
  uint16_t language = 0;  // DW_LANG_*
  uint64_t base_address = 0;
  uint64_t string_offsets_base = 0;
  uint64_t address_base = 0;
  uint64_t range_lists_base = 0;
  std::optional<uint64_t> line_program_offset = {};  // in .debug_line
  std::string_view directory = {};
  std::optional<SplitReference> split = {};  // of a skeleton
  uint64_t id = 0;  // of a split unit, which its skeleton has too

  // Why the DIEs of this unit cannot be read; empty if they can.
  std::string problem = {};
};

// An attribute's value as it is recorded. What it means depends on the form.
struct FormValue {
  uint16_t form = 0;  // 0: there is no value
  uint64_t number = 0;
  std::string_view text = {};  // of DW_FORM_string
};

// Gives access to the values of one unit.
class UnitReader {
 public:
  UnitReader(const DebugSections& sections, const CompilationUnit& unit)
      : sections_(sections), unit_(unit) {}

  // Reads the value of an attribute. Blocks are skipped and have no value.
  FormValue Read(const AttributeSpec& spec, LittleEndianCursor& cursor) const {
    const SkipStep step = spec.step;
    // Most are numbers.
    if (step.kind == SkipStep::Kind::kFixed && step.size <= 8)
      return {.form = spec.form,
              .number = cursor.Unsigned(step.size) |
                        static_cast<uint64_t>(int64_t{spec.constant})};
    return ReadOther(spec, cursor);
  }

  std::optional<uint64_t> AddressOf(const FormValue& value) const;
  std::string_view StringOf(const FormValue& value) const {
    return UpToNul(UnboundedStringOf(value));
  }
  // The same, perhaps with its NUL and whatever follows: where a string ends
  // need not be known if it has been met before.
  std::string_view UnboundedStringOf(const FormValue& value) const;
  // The offset of the DIE referred to, in .debug_info; with kInAlternate if
  // that is the alternate file's. Nothing if it is given by a signature.
  std::optional<uint64_t> ReferenceOf(const FormValue& value) const;
  // Where in .debug_ranges or .debug_rnglists the list starts.
  std::optional<uint64_t> RangeListOf(const FormValue& value) const;

  // Where the next sibling of a DIE starts, if its attributes, which end at
  // `cursor`, say so.
  std::optional<uint64_t> SiblingOf(const Abbreviation& abbreviation,
                                    const LittleEndianCursor& cursor) const {
    const uint64_t size = abbreviation.sibling_size;
    if (size == 0 || !cursor.ok()) return std::nullopt;
    const uint64_t value =
        LittleEndianCursor(sections_.info, cursor.offset() - size)
            .Unsigned(size);
    if (value > unit_.end - unit_.offset ||
        unit_.offset + value < cursor.offset())
      return std::nullopt;
    return unit_.offset + value;
  }

  const CompilationUnit& unit() const { return unit_; }
  const DebugSections& sections() const { return sections_; }

 private:
  FormValue ReadOther(const AttributeSpec& spec,
                      LittleEndianCursor& cursor) const;
  FormValue ReadIndirect(LittleEndianCursor& cursor) const;
  std::optional<uint64_t> OffsetAt(std::span<const uint8_t> section,
                                   uint64_t base, uint64_t index,
                                   size_t size) const;

  const DebugSections& sections_;
  const CompilationUnit& unit_;
};

// True for the forms whose value is an address, not a length.
bool IsAddressForm(uint16_t form);

struct UnitList {
  std::vector<CompilationUnit> units;  // by offset
  std::string problem;                 // why there are no more units
  uint64_t end = 0;                    // of the last one
};

// More than any header takes.
inline constexpr uint64_t kMaxUnitHeaderSize = 64;

// Steps from header to header by the lengths they state, as long as units
// start in `part` of .debug_info. The root attributes are not read yet.
UnitList ReadUnitHeaders(const DebugSections& sections,
                         AddressRange part = {0, UINT64_MAX});

// The attributes of the root DIE that say where code is.
struct RootCode {
  std::optional<uint64_t> low_pc = {};
  std::optional<FormValue> high_pc = {};
  std::optional<FormValue> ranges = {};
};

// Fills `unit` from its root DIE. Sets `unit.problem` on failure. Takes the
// bytes of .debug_abbrev that were read from `budget`: units may overlap
// there, and a small file must not keep us busy for hours.
RootCode ReadRootDie(const DebugSections& sections, uint64_t& budget,
                     CompilationUnit& unit);

}  // namespace heapprof
