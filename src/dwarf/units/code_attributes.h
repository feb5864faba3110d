// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a function or inlined call that say where its code is, and
// what it is a copy of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/code_layout.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/units/function_walk.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

// A value that is a number: the form is 0 if there is none.
struct CodeValue {
  uint16_t form = 0;
  uint64_t number = 0;

  bool has_value() const { return form != 0; }
  FormValue value() const { return {.form = form, .number = number}; }
};

struct CodeAttributes {
  std::array<CodeValue, kCodeFieldCount> values = {};
  // Where the origin is in .debug_info, if it is there.
  std::optional<uint64_t> abstract_origin = {};

  const CodeValue& operator[](AttributeField field) const {
    return values[static_cast<size_t>(field)];
  }
};

// Reads the attributes at `cursor`, and moves it behind them. Sets the origin
// of `node`, whose entry is known, and where it is called from.
CodeAttributes ReadCodeAttributes(const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const Abbreviation& abbreviation,
                                  LittleEndianCursor& cursor,
                                  FunctionNode& node);

}  // namespace heapprof
