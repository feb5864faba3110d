// SPDX-License-Identifier: Apache-2.0
//
// One table of .debug_abbrev: the layout of the DIEs of a unit. Most DIEs are
// only skipped. So besides the attributes of each abbreviation, the table keeps
// the steps that skip a DIE with that abbreviation. Adjacent steps of fixed
// size are merged.
//
// A DW_FORM that SkipStepOf() in abbreviations.cc does not list has an unknown
// size: a DIE with such an attribute cannot even be skipped. One such form
// anywhere in a table makes Read() refuse the whole table ("unknown form
// 0x99"), even if no DIE uses it. What happens to a unit with such a table:
// - If the form is in the abbreviation of the root DIE or before it, or if the
//   root DIE does not say where the unit's code is, UnitStore::problem() is
//   set, and libdw reads the whole file.
// - Otherwise the form is found when an address is looked up in the unit. libdw
//   then answers all addresses of that Resolve() call, and MapCode() returns no
//   map.
// - A unit in a .dwo or .dwp file is ignored.
//
// With DW_FORM_indirect, the DIE itself names the form. If that form is
// unknown, the following DIEs of the unit are not read ("its DIEs are cut
// off").
//
// To add a form, extend SkipStepOf(), and UnitReader (compilation_unit.h) if
// the form is an address, a string, a reference or a range list.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/code_attribute_layout.h"
#include "dwarf/read/known_attribute.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

// The properties of a unit that determine the sizes of its attribute values.
struct UnitEncoding {
  uint16_t version = 0;
  uint8_t address_size = 0;
  uint8_t offset_size = 0;  // 4, or 8 in the 64-bit format

  bool operator==(const UnitEncoding&) const = default;
};

// The form in which clang's -minimize-addr-in-v5=Form writes addresses: the
// index of an address as LEB128, then what to add to it in four bytes.
// UnitReader returns expressions with this meaning in this form, too.
inline constexpr uint16_t kFormAddressAndOffset = 0x2001;

struct SkipStep {
  enum class Kind : uint8_t {
    kFixed,
    kLeb,
    kLebAndFixed,  // a LEB128, then `size` bytes
    kString,
    kBlock,     // a length of `size` bytes, then a block of that length
    kLebBlock,  // a length as LEB128, then a block of that length
    kIndirect,  // a form as LEB128, then a value of that form
  };
  Kind kind = Kind::kFixed;
  uint16_t size = 0;
};

// An attribute of an abbreviation. Kept small, because a large file has
// millions of these.
struct AttributeSpec {
  uint16_t form = 0;  // DW_FORM_*
  KnownAttribute attribute = KnownAttribute::kOther;
  SkipStep step = {};
  // The attribute's value, if it takes no bytes in the DIE: with
  // DW_FORM_implicit_const and DW_FORM_flag_present. 32 bits suffice, because
  // only line and file numbers are needed.
  int32_t constant = 0;
};

// Reads the value that follows DW_FORM_implicit_const in .debug_abbrev. Values
// that do not fit into 32 bits are clamped.
int32_t ReadImplicitConst(LittleEndianCursor& cursor);

// Returns what is needed to read a value of `form`: its AttributeSpec, with
// KnownAttribute::kOther. Returns nothing for an unknown form.
std::optional<AttributeSpec> MakeAttributeSpec(uint64_t form,
                                               const UnitEncoding& encoding);

// Returns the layout of DIEs with `attributes`. Returns nothing unless all of
// them have a fixed size and start in the first 64 KiB of the DIE.
std::optional<CodeAttributeLayout> MakeCodeAttributeLayout(
    std::span<const AttributeSpec> attributes);

// Moves `cursor` past the attributes of an abbreviation, to the next
// abbreviation. If an attribute has an unknown form, stops there and returns
// the form.
std::optional<uint64_t> SkipAttributeSpecs(LittleEndianCursor& cursor);

// True if some DIE may refer to a DIE in another unit of its file, according to
// the forms in the whole section .debug_abbrev. Link-time optimization and
// -fdebug-types-section make such DIEs. Not reliable for a damaged file.
bool MayReferToOtherUnits(std::span<const uint8_t> section);

void SkipValue(SkipStep step, const UnitEncoding& encoding,
               LittleEndianCursor& cursor);

// How the search for functions treats a DIE.
enum class DieKind : uint8_t {
  kOther,
  kScope,     // a namespace or type: part of qualified names
  kFunction,  // a subprogram; also a scope
  kInlinedSubroutine,
};

struct Abbreviation {
  uint64_t code = 0;
  uint16_t tag = 0;  // DW_TAG_*; 0 if it does not fit into 16 bits
  DieKind kind = DieKind::kOther;
  bool has_children = false;
  bool has_code = false;        // has DW_AT_low_pc or DW_AT_ranges
  bool is_call_site = false;    // a call site; its children describe arguments
  bool is_declaration = false;  // always has DW_AT_declaration, as a set flag
  // The size in bytes of the value of DW_AT_sibling. 0 unless DW_AT_sibling is
  // the last attribute, as gcc writes it, and has a fixed size.
  uint8_t sibling_size = 0;
  uint32_t first_attribute = 0;
  uint32_t attribute_count = 0;
  // The steps that skip the DIE: `step_count` of them, from index `first_step`
  // on. If the DIE has a fixed size, `step_count` is 0, and `first_step` is the
  // size of the DIE without the abbreviation code.
  uint32_t first_step = 0;
  uint32_t step_count = 0;
  uint32_t layout = UINT32_MAX;  // see LayoutOf()
};

class AbbreviationTable {
 public:
  // Reads the table at `cursor` and moves `cursor` past it. Returns nullptr if
  // the table cannot be used, and sets `problem` to the reason.
  static std::unique_ptr<AbbreviationTable> Read(LittleEndianCursor& cursor,
                                                 const UnitEncoding& encoding,
                                                 std::string& problem);

  // Returns nullptr for an unknown code.
  const Abbreviation* Find(uint64_t code) const {
    // Compilers number abbreviations from 1 without gaps. The table is sorted
    // by code, so the index is then the code - 1.
    if (code - 1 < abbreviations_.size() &&
        abbreviations_[code - 1].code == code)
      return &abbreviations_[code - 1];
    return FindSparse(code);
  }
  // True if some DIEs have DW_AT_sibling, which says where the next sibling
  // starts.
  bool has_siblings() const {
    return std::ranges::any_of(abbreviations_, [](const Abbreviation& a) {
      return a.sibling_size != 0;
    });
  }
  // False if no DIE is a function with code.
  bool has_functions_with_code() const {
    return std::ranges::any_of(abbreviations_, [](const Abbreviation& a) {
      return a.kind == DieKind::kFunction && a.has_code;
    });
  }
  // Returns the attributes of an abbreviation. Empty for DieKind::kOther,
  // because DIEs of this kind, which are the most frequent, are only skipped.
  std::span<const AttributeSpec> AttributesOf(const Abbreviation& a) const {
    return std::span(attributes_).subspan(a.first_attribute, a.attribute_count);
  }
  // Returns where the attributes that describe code are in a DIE. nullptr
  // unless the DIE has a fixed size and is an inlined subroutine or a function
  // with code.
  const CodeAttributeLayout* LayoutOf(const Abbreviation& abbreviation) const {
    return abbreviation.layout < layouts_.size()
               ? &layouts_[abbreviation.layout]
               : nullptr;
  }
  // Moves `cursor` from the end of a DIE's abbreviation code to the next DIE.
  void Skip(const Abbreviation& abbreviation,
            LittleEndianCursor& cursor) const {
    if (abbreviation.step_count == 0)
      return cursor.Skip(abbreviation.first_step);
    const SkipStep* step = steps_.data() + abbreviation.first_step;
    for (uint32_t i = 0; i < abbreviation.step_count; ++i, ++step) {
      if (step->kind == SkipStep::Kind::kFixed) {
        cursor.Skip(step->size);
      } else {
        SkipValue(*step, encoding_, cursor);
      }
    }
  }
  // Moves `cursor` from the end of a DIE's attributes to the end of its
  // children, one DIE after the other. Returns false if they are damaged.
  bool SkipChildren(LittleEndianCursor& cursor) const;
  // Skips DIEs and null entries from `cursor` on, at all levels, until `depth`
  // levels are closed. May stop before that, at a DIE that takes longer to
  // skip, and always stops before a function with code. Returns how many levels
  // are still open.
  uint64_t SkipQuickly(LittleEndianCursor& cursor, uint64_t depth) const;
  // Skips DIEs from `cursor` on, as long as they are of DieKind::kOther, have
  // no children and a small fixed size, and start before `end`.
  void SkipLeaves(LittleEndianCursor& cursor, uint64_t end) const {
    LittleEndianCursor at = cursor;
    while (at.offset() < end) {
      const size_t size = leaf_sizes_[at.Peek()];
      if (size == 0 || size > at.remaining()) break;
      at.Skip(size);
    }
    cursor = at;
  }

 private:
  class FormSteps;

  // How SkipQuickly() skips a DIE. `size` is the size of the DIE, or of the DIE
  // without its only block. Then `length_at` is where the length of the block
  // is, as one byte; or, with a mask of 0, where a LEB128 of one byte is.
  struct alignas(8) Stride {
    uint8_t size = 0;         // 0: SkipQuickly() stops at the DIE
    uint8_t length_at = 0;    // from the start of the DIE; 0: none
    uint8_t length_mask = 0;  // of the bits of the length
    uint8_t long_mask = 0;    // of the bit that is set in a longer LEB128
    int8_t levels = 0;        // how many levels the DIE opens
  };

  const Abbreviation* FindSparse(uint64_t code) const;
  bool ReadAbbreviation(LittleEndianCursor& cursor, uint64_t code,
                        const FormSteps& steps, std::string& problem);
  bool ReadAttributes(LittleEndianCursor& cursor, const FormSteps& steps,
                      Abbreviation& abbreviation, std::string& problem);
  void MergeSteps(Abbreviation& abbreviation);
  void AddFixedStep(uint32_t& size);
  void AddLayout(Abbreviation& abbreviation);
  void FindLeaves();
  void FindStrides();
  Stride StrideOf(const Abbreviation& abbreviation) const;

  UnitEncoding encoding_;
  std::vector<Abbreviation> abbreviations_;  // sorted by code, each code once
  std::vector<AttributeSpec> attributes_;
  std::vector<SkipStep> steps_;
  std::vector<CodeAttributeLayout> layouts_;
  // For each value of a DIE's first byte: the size of the DIE if SkipLeaves()
  // skips it, else 0. A first byte less than 128 is the whole abbreviation
  // code.
  std::array<uint8_t, 256> leaf_sizes_ = {};
  std::array<Stride, 256> strides_ = {};  // by the first byte, too
};

}  // namespace heapprof
