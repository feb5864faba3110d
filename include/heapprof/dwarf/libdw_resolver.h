// SPDX-License-Identifier: Apache-2.0
//
// The libdw engine: reads DWARF 2-5 through elfutils. For each unit whose
// ranges hold an address to resolve, it visits all DIEs once to find functions
// and inlined subroutines, and reads the line table once.
#pragma once

#include <memory>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Opens a resolver. `debug` holds the DWARF; it is the binary itself or its
// debug file. The PT_LOAD segments of `binary` say which addresses are code.
// `symbols` supplies the linkage names that DWARF leaves out. All three must
// outlive the resolver, which only one thread may use at a time. `alternate` is
// the path of the alternate debug file, to which dwz has moved DIEs; empty if
// there is none. The path is needed because libdw searches for the alternate
// file only if it has opened the debug file itself.
Result<std::unique_ptr<AddressResolver>> OpenLibdwResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    const std::string& alternate = {});

}  // namespace heapprof
