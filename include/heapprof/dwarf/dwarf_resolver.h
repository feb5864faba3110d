// SPDX-License-Identifier: Apache-2.0
//
// The fast engine: reads DWARF 2-5 itself, units side by side on several
// threads. What it cannot read (a form, a version or a layout that it does
// not know, shared debug files) it leaves to libdw.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Where the other files are that hold parts of the debug information.
struct SplitSearch {
  // Packages (.dwp), best first.
  std::vector<std::string> packages = {};
  // The paths at which a .dwo file may be, best first, given the directory of
  // compilation and the name that are recorded for it. May be null.
  std::function<std::vector<std::string>(std::string_view directory,
                                         std::string_view name)>
      candidates = {};
  // The path of the file that dwz moved entries to; empty if it is nowhere.
  // May be null.
  std::function<std::string(const AlternateLink&)> alternate = {};
};

// `debug` is the image that holds the DWARF (the binary itself or its debug
// file), `binary` the one whose segments say which addresses are code;
// `symbols` supplies the linkage names that DWARF leaves out. All three must
// outlive the resolver. Answers do not depend on `jobs`, the number of threads.
Result<std::unique_ptr<AddressResolver>> OpenDwarfResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    unsigned jobs, SplitSearch split = {});

}  // namespace heapprof
