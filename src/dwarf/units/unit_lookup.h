// SPDX-License-Identifier: Apache-2.0
//
// Looks up addresses in the units whose ranges hold them. Units are read in
// parallel. The thread of a large unit would still be reading when all other
// threads are done; link-time optimization may even leave a single unit.
// Therefore a large unit is divided into tasks: one for its line program, and
// one for each chunk of its DIEs. A unit counts as large if it has more than
// 128 KiB, and more than half of one thread's share of the bytes of all units
// to be read. It is divided into as many chunks as there are threads, or four
// times as many if its DIEs have DW_AT_sibling. There are at most 16 chunks,
// each of at least 32 KiB. unit_scan.h says where chunks meet and how they are
// joined.
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

// Returns the symbol table, which it loads at the first call. Any thread may
// call it.
using SymbolSource = std::function<const SymbolTable&()>;

struct UnitLookupResult {
  InnermostNodes functions;
  std::vector<LinePosition> rows;  // per address
  const LineProgram* line_program = nullptr;
  std::string problem;
  std::string skipped_problem;  // of the skipped DIEs (see unit_scan.h)
  bool is_unreadable = false;   // none of its DIEs can be read
};

struct UnitLookupRequest {
  uint32_t unit = 0;
  bool with_line_rows = true;
  std::vector<uint64_t> addresses = {};  // sorted
};

// Returns one result per request. The number of threads does not change the
// results. One of the threads calls `symbols` first, so that the symbols are
// loaded while the others read units.
std::vector<UnitLookupResult> LookUpUnits(
    std::span<const UnitLookupRequest> requests, UnitStore& units,
    const ElfImage& binary, unsigned jobs, const SymbolSource& symbols);

}  // namespace heapprof
