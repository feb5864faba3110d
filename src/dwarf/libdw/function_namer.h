// SPDX-License-Identifier: Apache-2.0
//
// What a function DIE is called and where it is declared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <elfutils/libdw.h>

#include "dwarf/libdw/scope_table.h"
#include "dwarf/libdw/source_files.h"
#include "dwarf/libdw/unit_walk.h"
#include "dwarf/shared/linkage_rules.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class FunctionNamer {
 public:
  // All arguments must outlive the namer.
  FunctionNamer(SourceFiles& files, ScopeTables& scopes,
                const SymbolTable& symbols)
      : files_(files), scopes_(scopes), symbols_(symbols) {}

  struct Description {
    FunctionName name;  // valid while the file is open
    std::string file;   // where it is declared
    uint32_t start_line = 0;
  };
  // Describes the function of `node`.
  Description Describe(const CodeNode& node, const FunctionEntries& entries);

 private:
  // What the chain of origins says, and where it ends.
  struct Facts {
    NameFacts name;
    Dwarf_Die declaration = {};
  };

  Facts Follow(const CodeNode& node, const FunctionEntries& entries,
               Description& description);

  SourceFiles& files_;
  ScopeTables& scopes_;
  const SymbolTable& symbols_;
};

// The unsigned value of an attribute of `die` itself, if present.
std::optional<uint64_t> NumberAttribute(Dwarf_Die* die, unsigned attribute);

}  // namespace heapprof
