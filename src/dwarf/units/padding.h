// SPDX-License-Identifier: Apache-2.0
//
// Code of a unit behind a function, where nothing starts: as a rule the bytes
// that align the next function. The last row of a function goes on until the
// next function starts, with a row of its own and, if there are symbols, one of
// those.
//
// Padding belongs to no function. Which function has the rest is not known
// until the deferred DIEs are read, and these are most of a C++ unit. Whether
// code is padding must not depend on what else is asked: an index answers for
// all code, a report for a few addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/address_range.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Where the padding ends that `range` starts with; its start if there is none.
// No function is in `range`; the last one before it ends at `code_end`. `rows`
// are those around `range`, by address.
uint64_t PaddingEnd(uint64_t code_end, const AddressRange& range,
                    std::span<const LineSpan> rows, const SymbolTable& symbols);

// The same of several ranges, by address. `code` is that of all functions of
// the unit that are not deferred; `line_program` may be null.
std::vector<uint64_t> FindPadding(std::span<const AddressRange> ranges,
                                  std::span<const AddressRange> code,
                                  const LineProgram* line_program,
                                  const ElfImage& binary,
                                  const SymbolTable& symbols);

// FindPadding() for one unit.
using PaddingSearch = std::function<std::vector<uint64_t>(
    std::span<const AddressRange> ranges, std::span<const AddressRange> code)>;

}  // namespace heapprof
