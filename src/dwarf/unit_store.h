// SPDX-License-Identifier: Apache-2.0
//
// All units of a debug file. The abbreviations, line program header and
// scopes of a unit are read when first asked for, and once; any thread may
// ask.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dwarf/abbreviations.h"
#include "dwarf/compilation_unit.h"
#include "dwarf/debug_sections.h"
#include "dwarf/function_walk.h"
#include "dwarf/line_table.h"
#include "dwarf/unit_claims.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class UnitStore {
 public:
  // Reads all unit headers and roots. Both arguments must outlive the store.
  UnitStore(const DebugSections& sections, const ElfImage& binary);

  size_t size() const { return units_.size(); }
  const CompilationUnit& unit(uint32_t index) const { return units_[index]; }
  const UnitReader& reader(uint32_t index) const { return readers_[index]; }
  const UnitClaims& claims() const { return claims_; }
  // What was wrong with headers and roots.
  const std::vector<std::string>& problems() const { return problems_; }
  // True if code of the file may be described by units that we cannot read.
  bool has_unreadable_units() const { return has_unreadable_units_; }

  // The unit that the entry at `offset` of .debug_info is in.
  std::optional<uint32_t> FindUnit(uint64_t offset) const;

  // nullptr if the unit cannot be read; `problem` says why.
  const AbbreviationTable* Abbreviations(uint32_t index, std::string& problem);
  uint64_t line_section_size() const { return sections_.line.size(); }
  // Bytes of the unit's line program; 0 if it has none.
  uint64_t LineProgramSize(uint32_t index) const;
  // nullptr if the unit has no readable line program.
  const LineTable* Lines(uint32_t index, std::string& problem);
  const std::vector<ScopeEntry>& Scopes(uint32_t index);
  // Supplies the scopes of a unit that was walked for another reason. Not to
  // be called while other threads ask.
  void PutScopes(uint32_t index, std::vector<ScopeEntry> scopes);

 private:
  using TableKey = std::tuple<uint64_t, uint16_t, uint8_t, uint8_t>;
  struct CachedTable {
    std::unique_ptr<AbbreviationTable> table;
    std::string problem;
  };
  struct Parts {
    std::once_flag lines_once;
    std::optional<LineTable> lines;
    std::string lines_problem;
    std::once_flag scopes_once;
    std::vector<ScopeEntry> scopes;
  };

  void AddClaims(uint32_t index, const RootCode& code);
  void AddFunctionClaims(uint32_t index);

  const DebugSections& sections_;
  const ElfImage& binary_;
  std::vector<CompilationUnit> units_;  // by offset
  std::vector<UnitReader> readers_;
  std::deque<Parts> parts_;
  UnitClaims claims_;
  std::vector<std::string> problems_;
  bool has_unreadable_units_ = false;

  std::mutex tables_mutex_;
  std::map<TableKey, CachedTable> tables_;
  uint64_t abbreviation_budget_;  // bytes that may still be read
};

}  // namespace heapprof
