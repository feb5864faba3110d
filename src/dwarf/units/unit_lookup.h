// SPDX-License-Identifier: Apache-2.0
//
// Looks up addresses in the units whose ranges hold them. Units are read in
// parallel. A unit so large that one thread would still read it when all others
// are done (link-time optimization may leave a single unit) is divided into
// tasks: one for its line program, and one for each chunk of its DIEs. Too
// large is more than half of a thread's share of all bytes, and more than 128
// KiB. unit_scan.h says where chunks meet and how they are joined.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/unit_ranges.h"
#include "dwarf/units/innermost_search.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Loads the symbols when it is first called. Any thread may call it.
using SymbolSource = std::function<const SymbolTable&()>;

struct UnitLookupResult {
  InnermostNodes functions;
  std::vector<LinePosition> rows;  // per address
  const LineProgram* line_program = nullptr;
  std::string problem;
  std::string skipped_problem;  // of the skipped DIEs
  bool is_unreadable = false;   // none of its DIEs can be read
};

struct UnitLookupRequest {
  uint32_t unit = 0;
  bool with_line_rows = true;
  std::vector<uint64_t> addresses = {};  // sorted
};

// Returns one result per request. The number of threads does not change them.
// One of the threads calls `symbols` first.
std::vector<UnitLookupResult> LookUpUnits(
    std::span<const UnitLookupRequest> requests, UnitStore& units,
    const ElfImage& binary, unsigned jobs, const SymbolSource& symbols);

}  // namespace heapprof
