// SPDX-License-Identifier: Apache-2.0
//
// The fast engine: reads DWARF 2-5 itself, on several threads. It leaves a file
// to libdw if it does not know one of its forms, versions or layouts.
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

// `debug` is the image that holds the DWARF (the binary itself or its debug
// file), `binary` the one whose PT_LOAD segments say which addresses are code;
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

// Opens a resolver and resolves `addresses`, faster than in two steps.
// `symbols` must stay callable as long as the resolver lives. Any thread may
// call it, more than once, after other work has begun.
Result<OpenedAndResolved> OpenAndResolveDwarf(
    const ElfImage& debug, const ElfImage& binary,
    const std::function<const SymbolTable&()>& symbols,
    std::span<const uint64_t> addresses, const DwarfOptions& options);

}  // namespace heapprof
