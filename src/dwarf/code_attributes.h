// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a function or inlined call that say where its code is, and
// what it is a copy of.
#pragma once

#include <cstdint>
#include <optional>

#include "dwarf/abbreviations.h"
#include "dwarf/compilation_unit.h"
#include "dwarf/function_walk.h"
#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

struct CodeAttributes {
  std::optional<FormValue> low_pc;
  std::optional<FormValue> high_pc;
  std::optional<FormValue> ranges;
  std::optional<FormValue> entry_pc;
  std::optional<uint64_t> abstract_origin;
  std::optional<uint64_t> specification;
};

// Reads the attributes at `cursor`, and moves it behind them. Sets the origin
// of `node`, whose entry is known, and where it is called from.
CodeAttributes ReadCodeAttributes(const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const Abbreviation& abbreviation,
                                  LittleEndianCursor& cursor,
                                  FunctionNode& node);

}  // namespace heapprof
