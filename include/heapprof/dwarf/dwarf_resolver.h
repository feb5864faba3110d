// SPDX-License-Identifier: Apache-2.0
//
// The fast engine: reads DWARF 2-5 itself, units side by side on several
// threads. What it cannot read (a form, a version or a layout that it does
// not know) it leaves to libdw.
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
// file), `binary` the one whose segments say which addresses are code;
// `symbols` supplies the linkage names that DWARF leaves out. All three must
// outlive the resolver. Answers do not depend on `jobs`, the number of threads.
Result<std::unique_ptr<AddressResolver>> OpenDwarfResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    unsigned jobs, SplitSearch split = {});

struct DwarfOptions {
  unsigned jobs = 1;
  SplitSearch split = {};
  UnitStreaming streaming = {};  // with one job there is none
};

struct FirstAnswers {
  std::unique_ptr<AddressResolver> resolver;
  ResolvedAddresses answers;
};

// Opens a resolver and asks it for `addresses`: the same as the two steps one
// by one, but for the time that it takes. `symbols`, which must be valid as
// long as the resolver, is called when the others have begun, by any thread,
// and more than once.
Result<FirstAnswers> AnswerFromDwarf(
    const ElfImage& debug, const ElfImage& binary,
    const std::function<const SymbolTable&()>& symbols,
    std::span<const uint64_t> addresses, const DwarfOptions& options);

}  // namespace heapprof
