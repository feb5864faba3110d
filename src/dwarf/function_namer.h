// SPDX-License-Identifier: Apache-2.0
//
// What a function DIE is called and where it is declared.
//
// The linkage name that names a function is the one furthest along its chain
// of abstract origins and specifications: that of the declaration, which all
// its clones share (a constructor's is then the unified C4 form). Without one
// in DWARF (static functions, lambdas) the ELF symbol at the entry of the
// out-of-line copy supplies it; failing that the name is qualified by the
// scopes around the declaration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>

#include "dwarf/scope_table.h"
#include "dwarf/source_files.h"
#include "dwarf/unit_walk.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class FunctionNamer {
 public:
  // All arguments must outlive the namer.
  FunctionNamer(SourceFiles& files, ScopeTables& scopes,
                const SymbolTable& symbols)
      : files_(files), scopes_(scopes), symbols_(symbols) {}

  // Describes the function of `node`. The start address is left 0.
  SourceFunction Describe(const CodeNode& node, const FunctionEntries& entries);

 private:
  // What the chain of origins says, the nearest value of each.
  struct Facts {
    Dwarf_Die declaration = {};  // the end of the chain
    std::string_view linkage_name;
    std::string_view name;
    bool external = false;
    uint64_t entry_address = 0;
  };

  Facts Follow(const CodeNode& node, const FunctionEntries& entries,
               SourceFunction& function);
  std::optional<std::string> FindSymbolName(const Facts& facts) const;

  SourceFiles& files_;
  ScopeTables& scopes_;
  const SymbolTable& symbols_;
};

// The unsigned value of an attribute of `die` itself, if present.
std::optional<uint64_t> NumberAttribute(Dwarf_Die* die, unsigned attribute);

}  // namespace heapprof
