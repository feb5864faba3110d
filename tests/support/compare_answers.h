// SPDX-License-Identifier: Apache-2.0
//
// All ways to resolve an address must agree: alone or with others, with one
// thread or several, while .debug_info is being inflated or after that, from
// the debug information or from its index.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// The frames of the address with this index, one per line.
std::string DescribeAnswer(const ResolvedAddresses& answer, size_t address);

struct ComparedAnswers {
  std::string disagreement;  // empty if all agree
  bool has_index = false;
};

// Resolves `addresses` (sorted, unique) in every way.
ComparedAnswers CompareAnswers(const ElfImage& image,
                               const SymbolTable& symbols,
                               const SplitSearch& split,
                               std::span<const uint64_t> addresses);

}  // namespace heapprof
