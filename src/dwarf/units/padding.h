// SPDX-License-Identifier: Apache-2.0
//
// Padding is the code of a unit from the end of a function to the next line row
// or symbol: usually bytes that align the next function. The last line row of a
// function also covers the padding after the function, while the next function
// has a line row and a symbol of its own.
//
// Padding belongs to no function. Other code without a function may belong to a
// function that only the skipped DIEs (see unit_scan.h) describe, so they must
// be read. Recognizing padding often makes this unnecessary, which saves much
// time, because the skipped DIEs are most of a C++ unit.
//
// Whether code is padding must not depend on which addresses are looked up: a
// lookup of a few addresses must give the same answers as an index, which is
// made for all code.
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

// Returns the end of the padding at the start of `range`. If there is no
// padding at its start, returns the start of `range`. No function may cover
// code in `range`. The last function before `range` ends at `code_end`. `rows`
// are the line rows around `range`, sorted by address.
uint64_t PaddingEnd(uint64_t code_end, const AddressRange& range,
                    std::span<const LineSpan> rows, const SymbolTable& symbols);

// Returns PaddingEnd() for each of `ranges`, which must be sorted by address.
// `code` is the code of all functions of the unit that are not in skipped DIEs
// (see unit_scan.h). `line_program` may be null.
std::vector<uint64_t> FindPadding(std::span<const AddressRange> ranges,
                                  std::span<const AddressRange> code,
                                  const LineProgram* line_program,
                                  const ElfImage& binary,
                                  const SymbolTable& symbols);

// FindPadding() with its last three arguments bound, which are the same for a
// whole unit.
using PaddingSearch = std::function<std::vector<uint64_t>(
    std::span<const AddressRange> ranges, std::span<const AddressRange> code)>;

}  // namespace heapprof
