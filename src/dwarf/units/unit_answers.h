// SPDX-License-Identifier: Apache-2.0
//
// What units know about the addresses they claim. Units are read side by side.
// One that would keep a thread busy when all others are done (link-time
// optimization may leave only one) is read in parts: its line table, and
// stretches of its entries.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/unit_claims.h"
#include "dwarf/units/owner_walk.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Loads the symbols when it is first called. Any thread may call it.
using SymbolSource = std::function<const SymbolTable&()>;

struct UnitAnswer {
  FunctionWalk walk;
  std::vector<LinePosition> rows;
  const LineProgram* line_program = nullptr;
  std::string problem;
  std::string deferred_problem;  // of the deferred DIEs
  bool declined = false;         // its entries cannot be read at all
};

// A unit to be asked.
struct UnitQuestion {
  uint32_t unit = 0;
  bool with_line_rows = true;
  std::vector<uint64_t> addresses = {};  // sorted
};

// One answer per question; one of the threads calls `symbols` first. The number
// of threads does not change them.
std::vector<UnitAnswer> AskUnits(std::span<const UnitQuestion> questions,
                                 UnitStore& units, const ElfImage& binary,
                                 unsigned jobs, const SymbolSource& symbols);

}  // namespace heapprof
