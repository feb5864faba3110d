// SPDX-License-Identifier: Apache-2.0
//
// The engine of last resort: names from the ELF symbol table, one frame per
// address, no lines.
#pragma once

#include <memory>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// `symbols` must outlive the resolver.
std::unique_ptr<AddressResolver> MakeSymbolResolver(const SymbolTable& symbols);

}  // namespace heapprof
