// SPDX-License-Identifier: Apache-2.0
//
// One table of .debug_abbrev: what the DIEs of a unit look like. Besides the
// attributes of each abbreviation it keeps the steps that skip a DIE without
// looking at it, with adjacent steps of fixed size merged: most DIEs of a unit
// are never read.
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

// What the sizes in a unit depend on.
struct UnitEncoding {
  uint16_t version = 0;
  uint8_t address_size = 0;
  uint8_t offset_size = 0;  // 4, or 8 in the 64-bit format

  bool operator==(const UnitEncoding&) const = default;
};

struct SkipStep {
  enum class Kind : uint8_t {
    kFixed,
    kLeb,
    kString,
    kBlock,     // after its size, which takes `size` bytes
    kLebBlock,  // after its size, as LEB128
    kIndirect,  // the form is in the DIE
  };
  Kind kind = Kind::kFixed;
  uint16_t size = 0;
};

// Small: a large file has millions of them.
struct AttributeSpec {
  uint16_t form = 0;  // DW_FORM_*
  KnownAttribute attribute = KnownAttribute::kOther;
  SkipStep step = {};
  // Of a value that takes no bytes (DW_FORM_implicit_const and flag_present).
  // We read lines and numbers of files, and cut what is beyond 32 bits.
  int32_t constant = 0;
};

// The value behind DW_FORM_implicit_const in a table of abbreviations.
int32_t ReadImplicitConst(LittleEndianCursor& cursor);

// How a value of `form` is read. Nothing for a form we do not know.
std::optional<AttributeSpec> MakeAttributeSpec(uint64_t form,
                                               const UnitEncoding& encoding);

// Moves `cursor`, which is after the tag of an abbreviation, to the next
// abbreviation of the table. Returns a form that we do not know, if there is
// one.
std::optional<uint64_t> SkipAttributeSpecs(LittleEndianCursor& cursor);

// Steps over one value.
void SkipValue(SkipStep step, const UnitEncoding& encoding,
               LittleEndianCursor& cursor);

// What the search for functions does with a DIE.
enum class DieKind : uint8_t {
  kOther,
  kScope,     // a namespace or type: part of qualified names
  kFunction,  // a subprogram, which is a scope too
  kInlinedSubroutine,
};

struct Abbreviation {
  uint64_t code = 0;
  uint16_t tag = 0;  // DW_TAG_*; 0 if it is beyond 16 bits
  DieKind kind = DieKind::kOther;
  bool has_children = false;
  bool has_code = false;      // has DW_AT_low_pc or DW_AT_ranges
  bool is_call_site = false;  // what is inside are the values of arguments
  // Bytes of DW_AT_sibling, if it is at the end, as gcc writes it; else 0.
  uint8_t sibling_size = 0;
  uint32_t first_attribute = 0;
  uint32_t attribute_count = 0;
  // DIEs of fixed size have no steps, but that size instead of the first.
  uint32_t first_step = 0;
  uint32_t step_count = 0;
  uint32_t layout = UINT32_MAX;  // see LayoutOf()
};

class AbbreviationTable {
 public:
  // Reads the table at `cursor`, which ends up behind it. `problem` says why
  // a table cannot be used.
  static std::unique_ptr<AbbreviationTable> Read(LittleEndianCursor& cursor,
                                                 const UnitEncoding& encoding,
                                                 std::string& problem);

  // nullptr if there is no such code.
  const Abbreviation* Find(uint64_t code) const {
    // Compilers number from 1 without gaps, though not always in order.
    if (code - 1 < abbreviations_.size() &&
        abbreviations_[code - 1].code == code)
      return &abbreviations_[code - 1];
    return FindSparse(code);
  }
  // True if some DIEs say where their next sibling starts.
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
  // Empty for DIEs of the kind kOther: they are the most frequent, and are only
  // skipped.
  std::span<const AttributeSpec> AttributesOf(const Abbreviation& a) const {
    return std::span(attributes_).subspan(a.first_attribute, a.attribute_count);
  }
  // Of functions with code and inlined subroutines whose DIEs have a fixed size
  // (which is their first_step); nullptr for others.
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
  // Skips DIEs of the kind kOther, from the one that `cursor` is at, as long as
  // they have no children and a small fixed size, and start before `end`.
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

  const Abbreviation* FindSparse(uint64_t code) const;
  bool ReadAbbreviation(LittleEndianCursor& cursor, uint64_t code,
                        const FormSteps& steps, std::string& problem);
  void AddFixedStep(uint32_t& size);
  void AddLayout(Abbreviation& abbreviation);
  void FindLeaves();

  UnitEncoding encoding_;
  std::vector<Abbreviation> abbreviations_;  // by code, which are unique
  std::vector<AttributeSpec> attributes_;
  std::vector<SkipStep> steps_;
  std::vector<CodeAttributeLayout> layouts_;
  // Sizes of the DIEs that SkipLeaves() skips, by their first byte, which is
  // the abbreviation code if that is less than 128. Else 0.
  std::array<uint8_t, 256> leaf_sizes_ = {};
};

}  // namespace heapprof
