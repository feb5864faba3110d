// SPDX-License-Identifier: Apache-2.0
//
// Reads a function's name and declaration from its DIE, and from the DIEs on
// its chain of abstract origins and specifications.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dwarf/shared/function_naming.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// The data for a SourceFunction, as read from the DIEs: the end of the linkage
// name is not yet known, and the file is still a number, not a path. The string
// views are valid while the files are open.
struct FunctionInfo {
  // Text that starts with the linkage name and continues after the name's NUL;
  // empty if `name` is set. The NUL is searched for later, because many units
  // may describe the same function and one search is enough for all of them.
  std::string_view unbounded_name = {};
  FunctionName name = {};
  // The place of the declaration; of a lambda's operator, gcc says only the
  // place of its class. `file` is a file number of `line_program`, which may be
  // null.
  const LineProgram* line_program = nullptr;
  uint64_t file = 0;
  uint32_t start_line = 0;

  void FindNameEnd();  // sets `name` from `unbounded_name`
};

class FunctionInfoReader {
 public:
  // All arguments must outlive the reader. Any thread may use it.
  FunctionInfoReader(UnitStore& units, const SymbolTable& symbols)
      : units_(units), symbols_(symbols) {}

  // Reads the info of a node of `unit`. The store must already have the scan of
  // that unit. The text of the linkage name is only prefetched, so that the
  // caller can work on other functions until the text is in the CPU's cache.
  // Call Recheck() before using the info.
  FunctionInfo Read(uint32_t unit, const FunctionNode& node) {
    return ReadInfo(unit, node, /*checks_names=*/false);
  }
  // Reads the info again if the linkage name turns out to be empty or one that
  // cannot be demangled, because then the function must be named in another
  // way.
  void Recheck(uint32_t unit, const FunctionNode& node, FunctionInfo& function);
  // Prefetches the data that Read() will read.
  void Prefetch(uint32_t unit, const FunctionNode& node) const;

 private:
  // The section, the unit and the offset of a DIE. All other code identifies a
  // DIE by a single number: the offset combined with kInAlternate, as
  // UnitReader::ReferenceOf() returns it, or with kInTypeUnits.
  struct DieLocation {
    UnitStore* units = nullptr;
    uint32_t unit = 0;
    uint64_t offset = 0;  // in the section of `units`
    uint64_t mark = 0;    // kInAlternate, kInTypeUnits or 0

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
  // The attributes of one DIE on the chain of a function.
  struct DieInfo {
    DieLocation location = {};
    uint16_t tag = 0;
    std::string_view linkage_name = {};  // continues after the name's NUL
    std::optional<FormValue> name = {};
    bool external = false;
    uint32_t line = 0;
    std::optional<uint64_t> file = {};
    std::optional<uint64_t> origin = {};     // the next DIE of the chain
    std::optional<uint64_t> signature = {};  // of a type in a unit of its own
  };
  // What was found along a function's chain of abstract origins and
  // specifications: the attributes that determine its name, and the last DIE.
  struct OriginChain {
    NameAttributes name;       // its linkage name continues after the NUL
    uint64_t declaration = 0;  // the last DIE
  };

  // Finds the file and the unit of a DIE. The search is fastest if the DIE is
  // in the unit `near`.
  std::optional<DieLocation> Find(uint64_t die, uint32_t near = 0) const;
  std::optional<DieInfo> ReadDie(uint64_t at, uint32_t near = 0) const;
  std::string_view NameOf(const DieInfo& info) const;
  FunctionInfo ReadInfo(uint32_t unit, const FunctionNode& node,
                        bool checks_names);
  OriginChain Follow(uint32_t unit, const FunctionNode& node, bool checks_names,
                     FunctionInfo& function);
  void SetFile(const DieInfo& info, FunctionInfo& function);
  void SetPlaceOfClass(uint64_t member, FunctionInfo& function);
  void AddNames(const DieInfo& info, bool checks_names,
                NameAttributes& name) const;
  bool MayBeInUncoveredCode(uint32_t unit, std::string_view name);
  uint64_t FindEntryPc(uint32_t unit, std::string_view name,
                       std::span<const uint64_t> chain, bool any_unit);
  std::string ScopePrefix(uint64_t declaration);
  std::optional<uint64_t> FindScope(uint64_t die);
  ScopeName NameOfScope(uint64_t& scope);
  std::optional<uint64_t> DescribedType(uint64_t die,
                                        const DieInfo& info) const;
  bool IsLambda(uint64_t type);

  UnitStore& units_;
  const SymbolTable& symbols_;
};

}  // namespace heapprof
