// SPDX-License-Identifier: Apache-2.0
//
// Finds the scope around one DIE in skipped DIEs. Stepping to that DIE, past
// the children of the DIEs before it, is cheaper than reading all skipped DIEs.
#pragma once

#include <cstdint>
#include <optional>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/units/unit_scan.h"

namespace heapprof {

struct EnclosingScope {
  // Offset in .debug_info; nothing at the top of the unit.
  std::optional<uint64_t> scope = {};
};

// The innermost scope in `skipped` around the DIE at offset `die`, which must
// be there. Nothing if too many DIEs are before it, or they are damaged.
std::optional<EnclosingScope> SearchScope(
    const UnitReader& reader, const AbbreviationTable& abbreviations,
    const SkippedDies& skipped, uint64_t die);

}  // namespace heapprof
