// SPDX-License-Identifier: Apache-2.0
//
// The scope around one entry of those that a walk has deferred. To step there
// and jump over what is in front costs less than to read them all.
#pragma once

#include <cstdint>
#include <optional>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/units/function_walk.h"

namespace heapprof {

struct ScopeAround {
  std::optional<uint64_t> scope = {};  // offset in .debug_info; or at the top
};

// What the tree of all scopes in `deferred` says of `entry`, which must be
// there. Nothing if the way is too long, or damaged.
std::optional<ScopeAround> SearchScope(const UnitReader& reader,
                                       const AbbreviationTable& abbreviations,
                                       const DeferredEntries& deferred,
                                       uint64_t entry);

}  // namespace heapprof
