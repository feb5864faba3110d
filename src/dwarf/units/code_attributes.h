// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a function or an inlined subroutine that say where its code
// is, where it is called, and of which function it is a copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/code_attribute_layout.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/units/function_sink.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

// A numeric attribute value. `form` is 0 if the DIE lacks the attribute.
struct CodeValue {
  uint16_t form = 0;
  uint64_t number = 0;

  bool has_value() const { return form != 0; }
  FormValue value() const { return {.form = form, .number = number}; }
};

struct CodeAttributes {
  std::array<CodeValue, kCodeAttributeCount> values = {};
  // The DIE to which DW_AT_abstract_origin refers, as UnitReader::ReferenceOf()
  // returns it.
  std::optional<uint64_t> abstract_origin = {};

  const CodeValue& operator[](KnownAttribute attribute) const {
    return values[static_cast<size_t>(attribute)];
  }
};

// Reads the attributes at `cursor`, and moves `cursor` past them. Sets the
// origin and the call site of `node` from them. The caller must already have
// set `node.die`.
CodeAttributes ReadCodeAttributes(const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const Abbreviation& abbreviation,
                                  LittleEndianCursor& cursor,
                                  FunctionNode& node);

}  // namespace heapprof
