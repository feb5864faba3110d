// SPDX-License-Identifier: Apache-2.0
//
// The engine for files without usable debug information. It takes names from
// the ELF symbol table, and gives each address at most one frame, without a
// line number.
#pragma once

#include <memory>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Makes a resolver. `symbols` must outlive it.
std::unique_ptr<AddressResolver> MakeSymbolResolver(const SymbolTable& symbols);

// Returns the answers of that resolver for every address of `binary`. `symbols`
// must outlive the map.
CodeMap MapSymbols(const ElfImage& binary, const SymbolTable& symbols);

}  // namespace heapprof
