// SPDX-License-Identifier: Apache-2.0
//
// The libdw engine: reads DWARF 2-5 through elfutils. Per compilation unit
// that was hit, one iterative walk over its DIEs builds an interval table of
// functions and inlined calls; the line table is read once.
#pragma once

#include <memory>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// `debug` is the image that holds the DWARF (the binary itself or its debug
// file), `binary` the one whose segments say which addresses are code;
// `symbols` supplies the linkage names that DWARF leaves out. All three must
// outlive the resolver, which must be used by one thread at a time. `alternate`
// is the path of its alternate debug file, empty if there is none: libdw does
// not find those next to a file that it has not opened itself.
Result<std::unique_ptr<AddressResolver>> OpenLibdwResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    const std::string& alternate = {});

}  // namespace heapprof
