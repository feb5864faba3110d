// SPDX-License-Identifier: Apache-2.0
//
// Padding: the code of a unit from the end of a function to where something
// else starts, usually the bytes that align the next function. A function's
// last line row extends to the next function, which has a row of its own and,
// if there are symbols, a symbol.
//
// Padding belongs to no function. To find the function of any other uncovered
// code, the skipped DIEs must be read, and these are most of a C++ unit.
// Whether code is padding must not depend on which addresses are looked up: an
// index answers for all code, a report for a few addresses.
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

// The end of the padding that `range` starts with; the start of `range` if
// there is none. No function is in `range`; the last one before it ends at
// `code_end`. `rows` are the line rows around `range`, by address.
uint64_t PaddingEnd(uint64_t code_end, const AddressRange& range,
                    std::span<const LineSpan> rows, const SymbolTable& symbols);

// The same for several ranges, by address. `code` is the code of all functions
// of the unit outside of skipped DIEs; `line_program` may be null.
std::vector<uint64_t> FindPadding(std::span<const AddressRange> ranges,
                                  std::span<const AddressRange> code,
                                  const LineProgram* line_program,
                                  const ElfImage& binary,
                                  const SymbolTable& symbols);

// FindPadding() for one unit.
using PaddingSearch = std::function<std::vector<uint64_t>(
    std::span<const AddressRange> ranges, std::span<const AddressRange> code)>;

}  // namespace heapprof
