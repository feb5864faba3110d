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

#include "dwarf/shared/linkage_rules.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// A SourceFunction whose texts are not put together yet. They are valid while
// the files are open.
struct FunctionDescription {
  // The linkage name with its NUL and whatever follows, or empty if `name` is
  // known. Many functions are described in several units, and where a name ends
  // need be found only once.
  std::string_view open_name = {};
  FunctionName name = {};
  // Where it is declared: the number of a file in `line_program`, which may be
  // null.
  const LineProgram* line_program = nullptr;
  uint64_t file = 0;
  uint32_t start_line = 0;

  void EndName();  // makes `name` known
};

class FunctionDescriber {
 public:
  // All must outlive the describer. Any thread may use it.
  FunctionDescriber(UnitStore& units, const SymbolTable& symbols)
      : units_(units), symbols_(symbols) {}

  // Describes what was found in a unit that has been scanned. An open name is
  // not looked at yet, only fetched: call Check() when that may be done.
  FunctionDescription Describe(uint32_t unit, const FunctionNode& node) {
    return Describe(unit, node, /*checks_names=*/false);
  }
  // Takes back an open name that turns out to be empty, which counts as none.
  void Check(uint32_t unit, const FunctionNode& node,
             FunctionDescription& function) {
    if (function.open_name.starts_with('\0'))
      function = Describe(unit, node, /*checks_names=*/true);
  }
  // Says that Describe() is going to be asked.
  void Prefetch(uint32_t unit, const FunctionNode& node) const;

 private:
  // Where an entry is. Entries are known by what UnitReader::ReferenceOf()
  // gives for them.
  struct Place {
    UnitStore* units = nullptr;  // of this file or the alternate one
    uint32_t unit = 0;
    uint64_t offset = 0;  // in .debug_info
    uint64_t mark = 0;    // kInAlternate if it is there

    const UnitReader& reader() const { return units->reader(unit); }
    LittleEndianCursor Cursor() const {
      return LittleEndianCursor(
          reader().sections().info.first(reader().unit().end), offset);
    }
    const AbbreviationTable* Abbreviations() const {
      std::string problem;
      return units->Abbreviations(unit, problem);
    }
  };
  // The attributes of one entry that describe it.
  struct Entry {
    Place place = {};
    uint16_t tag = 0;
    std::string_view linkage_name = {};  // open
    std::optional<FormValue> name = {};
    bool external = false;
    uint32_t line = 0;
    std::optional<uint64_t> file = {};
    std::optional<uint64_t> origin = {};  // where the description goes on
  };
  // What the chain of origins says, and where it ends.
  struct Facts {
    NameFacts name;  // its linkage name is open
    uint64_t declaration = 0;
  };

  // The entry is as a rule in the unit `near`.
  std::optional<Place> Find(uint64_t entry, uint32_t near = 0) const;
  std::optional<Entry> Read(uint64_t at, uint32_t near = 0) const;
  std::string_view NameOf(const Entry& entry) const;
  FunctionDescription Describe(uint32_t unit, const FunctionNode& node,
                               bool checks_names);
  Facts Follow(uint32_t unit, const FunctionNode& node, bool checks_names,
               FunctionDescription& function);
  bool MaySpareCodeName(uint32_t unit, std::string_view name);
  uint64_t FindEntryAddress(uint32_t unit, std::string_view name,
                            std::span<const uint64_t> chain, bool any_unit);
  std::string ScopePrefix(uint64_t declaration);
  std::optional<uint64_t> FindScope(uint64_t entry);
  std::string_view NameOfScope(uint64_t& scope);
  bool IsLambda(uint64_t type);

  UnitStore& units_;
  const SymbolTable& symbols_;
};

}  // namespace heapprof
