// SPDX-License-Identifier: Apache-2.0
//
// The units of .debug_info and the attribute values of their DIEs (DWARF 5,
// sections 7.5 and 7.7; versions 2 to 5).
//
// This is the main header of read/. Its input is the debug sections of an ELF
// file; its output is units, attribute values, address ranges and line rows.
// The code in read/ decodes bytes on demand and keeps no tree of DIEs, because
// units/ and map/ decide which DIEs to read. The files in the order in which a
// unit is read:
//   debug_sections.h          loads the sections
//   compilation_unit.h        unit headers, root DIEs, and UnitReader for the
//                             attribute values of all other DIEs
//   abbreviations.h           the layout of DIEs, how to skip them, and the
//                             effect of an unknown form
//   known_attribute.h, code_attribute_layout.h
//                             fast access to the attributes of functions
//   range_list.h              DW_AT_ranges
//   line_program.h            the source positions of addresses
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

// This bit of a DIE's offset says that the DIE is in the alternate file, to
// which dwz has moved it.
inline constexpr uint64_t kInAlternate = uint64_t{1} << 63;
// This bit says that the DIE is in a type unit outside of the .debug_info that
// is read (see type_units.h).
inline constexpr uint64_t kInTypeUnits = uint64_t{1} << 62;

// Names the split unit that holds the DIEs of a skeleton unit.
struct SplitReference {
  std::string_view name = {};  // of the .dwo file
  uint64_t ranges_base = 0;    // DW_AT_GNU_ranges_base (DWARF 4)
};

struct CompilationUnit {
  uint64_t offset = 0;  // of the header, in .debug_info
  uint64_t root = 0;    // of the root DIE
  uint64_t end = 0;     // past the last byte
  uint64_t abbreviations = 0;
  UnitEncoding encoding = {};
  bool is_compile_unit = false;  // neither a partial unit nor a type unit

  // The following fields are read from the root DIE.
  uint16_t language = 0;  // DW_LANG_*
  uint64_t base_address = 0;
  uint64_t string_offsets_base = 0;
  uint64_t address_base = 0;
  uint64_t range_lists_base = 0;
  std::optional<uint64_t> line_program_offset = {};  // in .debug_line
  std::string_view directory = {};
  std::optional<SplitReference> split = {};  // only of a skeleton unit
  // Equal in a split unit and its skeleton; in a type unit, the signature of
  // the type.
  uint64_t id = 0;
  uint64_t type = 0;  // the DIE of a type unit's type; 0 in other units

  // Why the DIEs of this unit cannot be read; empty if they can be read.
  std::string problem = {};
};

// An attribute's value as recorded. Its meaning depends on the form.
struct FormValue {
  uint16_t form = 0;  // 0: no value
  uint64_t number = 0;
  std::string_view text = {};  // of DW_FORM_string
};

// Reads attribute values of one unit, and looks up the addresses, strings and
// references that they stand for.
class UnitReader {
 public:
  UnitReader(const DebugSections& sections, const CompilationUnit& unit)
      : sections_(sections), unit_(unit) {}

  // Reads the value of an attribute. Skips blocks, whose content is not needed.
  FormValue Read(const AttributeSpec& spec, LittleEndianCursor& cursor) const {
    const SkipStep step = spec.step;
    // Most values are numbers of fixed size.
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
  // Like StringOf(), but does not search for the end of the string: the result
  // may go on with the string's NUL and the bytes after it. This saves time if
  // the caller recognizes the string by its position in memory.
  std::string_view UnboundedStringOf(const FormValue& value) const;
  // Returns the offset of the referenced DIE in .debug_info, with kInAlternate
  // if the DIE is in the alternate file. Returns nothing for a reference by
  // type signature, or one that is not a valid offset in the unit.
  std::optional<uint64_t> ReferenceOf(const FormValue& value) const;
  // Returns the offset, in .debug_ranges or .debug_rnglists, of the range list
  // to which `value` refers.
  std::optional<uint64_t> RangeListOf(const FormValue& value) const;

  // Returns the offset of a DIE's next sibling, if the DIE has a usable
  // DW_AT_sibling. `cursor` must be at the end of the DIE's attributes.
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

// True if a value of `form` is an address. This tells the two meanings of
// DW_AT_high_pc apart: with any other form, it is a size.
bool IsAddressForm(uint16_t form);

struct UnitList {
  std::vector<CompilationUnit> units;  // by offset
  std::string problem;                 // why later units cannot be found
  uint64_t end = 0;                    // of the last unit
};

// Reads how many bytes of a unit or line program follow, and sets
// UnitEncoding::offset_size.
uint64_t ReadInitialLength(LittleEndianCursor& cursor, uint8_t& offset_size);

// Larger than any unit header.
inline constexpr uint64_t kMaxUnitHeaderSize = 64;

// Reads the headers of the units that start in `part` of .debug_info. The first
// byte of `part` must start a unit; the length in each header leads to the next
// unit. Does not read the root DIEs.
UnitList ReadUnitHeaders(const DebugSections& sections,
                         AddressRange part = {0, UINT64_MAX});

// Reads the fields that only units of .debug_types have in their headers. The
// `info` of `sections` must be that section.
void ReadTypeHeader(const DebugSections& sections, CompilationUnit& unit);

// Sets the bases that apply if the root DIE of a DWARF 5 unit has no attributes
// for them. In that case, each section has a single table, and the base is the
// offset right after the header of that table.
void SetDefaultBases(CompilationUnit& unit);

// The attributes of the root DIE that tell where the unit's code is.
struct RootCode {
  std::optional<uint64_t> low_pc = {};
  std::optional<FormValue> high_pc = {};
  std::optional<FormValue> ranges = {};
};

// Fills `unit` from its root DIE, and returns the attributes that tell where
// the unit's code is. Sets `unit.problem` on failure. Subtracts the number of
// bytes read in .debug_abbrev from `budget`. Without this budget, a small file
// in which many units share one long table could keep us busy for hours.
RootCode ReadRootDie(const DebugSections& sections, uint64_t& budget,
                     CompilationUnit& unit);

}  // namespace heapprof
