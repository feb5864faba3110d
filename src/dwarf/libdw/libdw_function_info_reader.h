// SPDX-License-Identifier: Apache-2.0
//
// Reads the name and the declaration of a function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <elfutils/libdw.h>

#include "dwarf/libdw/scope_table.h"
#include "dwarf/libdw/source_files.h"
#include "dwarf/libdw/unit_walk.h"
#include "dwarf/shared/function_naming.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

struct LibdwFunctionInfo {
  FunctionName name;  // valid while the file is open
  std::string file;   // of the declaration
  uint32_t start_line = 0;
};

class LibdwFunctionInfoReader {
 public:
  // All arguments must outlive the reader.
  LibdwFunctionInfoReader(SourceFiles& files, ScopeTables& scopes,
                          const SymbolTable& symbols)
      : files_(files), scopes_(scopes), symbols_(symbols) {}

  // `entry_pcs` must hold the entry PCs from all units that were walked.
  LibdwFunctionInfo Read(const LibdwFunctionNode& node,
                         const EntryPcs& entry_pcs);

 private:
  // What was found along a function's chain of abstract origins and
  // specifications: the attributes that determine its name, and the DIE at the
  // end of the chain.
  struct OriginChain {
    NameAttributes name;
    Dwarf_Die declaration = {};
  };

  OriginChain Follow(const LibdwFunctionNode& node, const EntryPcs& entry_pcs,
                     LibdwFunctionInfo& info);
  // Sets the place of a member that has none to the place of its class.
  void SetPlaceOfClass(Dwarf_Die member, LibdwFunctionInfo& info);

  SourceFiles& files_;
  ScopeTables& scopes_;
  const SymbolTable& symbols_;
};

// Returns the unsigned value of an attribute of `die`; nothing if `die` itself
// lacks the attribute.
std::optional<uint64_t> NumberAttribute(Dwarf_Die* die, unsigned attribute);

}  // namespace heapprof
