// SPDX-License-Identifier: Apache-2.0
//
// Answers addresses from the units of one store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "dwarf/problem_log.h"
#include "dwarf/unit_store.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Loads the symbols when it is first called. Any thread may call it.
using SymbolSource = std::function<const SymbolTable&()>;

struct ResolutionOptions {
  unsigned jobs = 1;
  // Answer from the symbol table where no function is.
  bool with_symbols = true;
};

// Nothing if a unit that claims an address cannot be read. The symbols are
// loaded beside the units.
std::optional<ResolvedAddresses> ResolveInUnits(
    std::span<const uint64_t> addresses, UnitStore& units,
    const ElfImage& binary, const SymbolSource& symbols,
    const ResolutionOptions& options, ProblemLog& problems);

}  // namespace heapprof
