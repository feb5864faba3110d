// SPDX-License-Identifier: Apache-2.0
//
// Finds the scope around one DIE that is among skipped DIEs (see unit_scan.h).
// The search jumps over the children of the DIEs before that DIE, which is
// cheaper than reading all the skipped DIEs.
#pragma once

#include <cstdint>
#include <optional>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/units/unit_scan.h"

namespace heapprof {

struct EnclosingScope {
  // Offset in .debug_info; nothing if no scope among the skipped DIEs encloses
  // the DIE.
  std::optional<uint64_t> scope = {};
};

// Finds the innermost scope that encloses the DIE at offset `die`. Searches
// only `skipped`, which must contain that DIE. Returns nothing if too many DIEs
// come before that DIE in `skipped`, or if one of them is damaged.
std::optional<EnclosingScope> SearchScope(
    const UnitReader& reader, const AbbreviationTable& abbreviations,
    const SkippedDies& skipped, uint64_t die);

}  // namespace heapprof
