// SPDX-License-Identifier: Apache-2.0
//
// The fast engine: our own reader of DWARF 2-5, which uses several threads. If
// a file has a form, a version or a layout that this engine does not know, it
// passes the file on to the libdw engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/split_search.h"
#include "heapprof/dwarf/unit_streaming.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Opens a resolver. `debug` holds the DWARF; it is the binary itself or its
// debug file. The PT_LOAD segments of `binary` say which addresses are code.
// `symbols` supplies the linkage names that DWARF leaves out. All three must
// outlive the resolver. The number of threads, `jobs`, does not change the
// answers.
Result<std::unique_ptr<AddressResolver>> OpenDwarfResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    unsigned jobs, SplitSearch split = {});

struct DwarfOptions {
  unsigned jobs = 1;
  SplitSearch split = {};
  UnitStreaming streaming = {};  // not used with one job
};

struct OpenedAndResolved {
  std::unique_ptr<AddressResolver> resolver;
  ResolvedAddresses answers;
};

// Opens a resolver and resolves `addresses`. This is faster than two separate
// calls, because addresses are looked up while .debug_info is still being
// inflated. `symbols` returns the symbol table. The resolver may call it at any
// time in its life, from any thread and more than once.
Result<OpenedAndResolved> OpenAndResolveDwarf(
    const ElfImage& debug, const ElfImage& binary,
    const std::function<const SymbolTable&()>& symbols,
    std::span<const uint64_t> addresses, const DwarfOptions& options);

}  // namespace heapprof
