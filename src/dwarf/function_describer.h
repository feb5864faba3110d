// SPDX-License-Identifier: Apache-2.0
//
// What a function's entry says it is called and where it is declared, along
// its chain of abstract origins and specifications.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dwarf/linkage_rules.h"
#include "dwarf/unit_store.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class FunctionDescriber {
 public:
  // All must outlive the describer. Any thread may use it.
  FunctionDescriber(UnitStore& units, const SymbolTable& symbols)
      : units_(units), symbols_(symbols) {}

  // Describes what was found in a unit that has been scanned. The start
  // address is left 0.
  SourceFunction Describe(uint32_t unit, const FunctionNode& node);

 private:
  // The attributes of one entry that describe it.
  struct Entry {
    uint32_t unit = 0;
    uint16_t tag = 0;
    std::string_view linkage_name = {};
    std::string_view name = {};
    bool external = false;
    uint32_t line = 0;
    std::optional<uint64_t> file = {};
    std::optional<uint64_t> origin = {};  // where the description goes on
  };
  // What the chain of origins says, and where it ends.
  struct Facts {
    NameFacts name;
    uint64_t declaration = 0;
  };

  std::optional<Entry> Read(uint64_t offset);
  Facts Follow(uint32_t unit, const FunctionNode& node,
               SourceFunction& function);
  uint64_t FindEntryAddress(uint32_t unit, std::span<const uint64_t> chain,
                            bool any_unit);
  std::string ScopePrefix(uint64_t declaration);
  std::optional<uint64_t> FindScope(uint64_t entry);
  std::string_view NameOfScope(uint64_t& scope);
  bool IsLambda(uint64_t type);

  UnitStore& units_;
  const SymbolTable& symbols_;
};

}  // namespace heapprof
