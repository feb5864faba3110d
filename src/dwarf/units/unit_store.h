// SPDX-License-Identifier: Apache-2.0
//
// All units of a debug file. The abbreviations, the line program header and the
// scopes of a unit are read on first use, and only once; any thread may use
// them. Units may share tables: dwz makes such files.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/read/line_program.h"
#include "dwarf/shared/unit_ranges.h"
#include "dwarf/units/read_budget.h"
#include "dwarf/units/unit_scan.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class UnitStore {
 public:
  // Reads all unit headers and root DIEs. If .debug_info is still being
  // inflated, reads none of them: call ReadMore(). The sections and the binary
  // must outlive the store. With a skeleton, only its split unit is read, and
  // its range is all addresses. `jobs` is the number of threads for work on all
  // units.
  UnitStore(const DebugSections& sections, const ElfImage& binary,
            unsigned jobs, const CompilationUnit* skeleton = nullptr);

  // Waits until some more units are inflated, and reads their headers and root
  // DIEs. Returns their ranges; nothing if there are no more units, or there is
  // a problem(). No other call may run meanwhile.
  std::optional<UnitRanges> ReadMore();
  // True if ReadMore() has nothing left to read.
  bool is_read() const { return is_read_; }
  // The number of threads that are not busy inflating.
  unsigned free_threads() const;

  size_t size() const { return units_.size(); }
  const CompilationUnit& unit(uint32_t index) const { return units_[index]; }
  const UnitReader& reader(uint32_t index) const { return readers_[index]; }
  const UnitRanges& ranges() const { return ranges_; }
  // The units of the alternate file, which must outlive this store; null if
  // there is none.
  void SetAlternate(UnitStore* units) { alternate_ = units; }
  UnitStore* alternate() const { return alternate_; }
  // Why the code of a unit cannot be found; empty if that of all units can.
  // With a problem, the store is unusable.
  const std::string& problem() const { return problem_; }
  // True if a unit is the skeleton of a unit in another file.
  bool HasSplitUnits() const;
  // True if the units list more ranges than any valid file.
  bool has_too_many_ranges() const { return range_budget_ == 0; }

  // The unit of the DIE at `offset` of .debug_info. Fastest if that is `guess`.
  std::optional<uint32_t> FindUnit(uint64_t offset, uint32_t guess = 0) const;

  // nullptr if the unit cannot be read; `problem` says why.
  const AbbreviationTable* Abbreviations(uint32_t index, std::string& problem);
  // How many bytes of line programs may be read for one Resolution.
  uint64_t LineBudget() const;
  // False if the line programs of all units are longer than in any valid file.
  bool CanReadAllLines() const;
  // Size of the unit's line program in bytes; 0 if it has none.
  uint64_t LineProgramSize(uint32_t index) const;
  // nullptr if the unit has no readable line program.
  const LineProgram* FindLineProgram(uint32_t index, std::string& problem);
  // The innermost scope around the DIE at `offset` of .debug_info, which must
  // be in that unit; nothing at the top of the unit.
  std::optional<uint64_t> FindScope(uint32_t index, uint64_t offset);
  // Stores the scan of a unit.
  void PutScan(uint32_t index, UnitScan scan);

  // The entry PC of the first function with code and the abstract origin
  // `origin`, in a unit whose scan was stored; 0 if there is none. Ignores
  // functions in skipped DIEs.
  uint64_t EntryPcOf(uint32_t index, uint64_t origin) const;
  // The same for functions in skipped DIEs. Ignores those whose entry PC is in
  // code of another function of the unit, or has no symbol of `symbols`.
  uint64_t SkippedEntryPc(uint32_t index, uint64_t origin,
                          const SymbolTable& symbols);
  // The names of the symbols, at most kManySymbols, that start in code of the
  // unit that no function outside of skipped DIEs covers.
  static constexpr size_t kManySymbols = 64;
  std::span<const std::string_view> SymbolsInUncoveredCode(
      uint32_t index, const SymbolTable& symbols);
  // The entry PC of the first function, in any unit, whose abstract origin
  // `origin` is in another unit than the function. Link-time optimization and
  // dwz make such functions. Reads all units.
  uint64_t EntryPcInAnyUnit(uint64_t origin);

 private:
  // The offset of the table, and the encoding, which determines the sizes of
  // DIEs.
  using TableKey = std::tuple<uint64_t, uint16_t, uint8_t, uint8_t>;
  struct CachedTable {
    std::once_flag once;
    std::unique_ptr<AbbreviationTable> table;
    std::string problem;
  };
  // All that determines file names: the offset of the line program, and the
  // directory, the string offsets base and the encoding of the unit.
  using LineProgramKey =
      std::tuple<uint64_t, std::string_view, uint64_t, TableKey>;
  struct CachedLineProgram {
    std::once_flag once;
    std::optional<LineProgram> table;
    std::string problem;
  };
  // A unit's tables, once they are known: saves a lookup in the maps.
  struct UnitTables {
    std::atomic<const AbbreviationTable*> abbreviations = nullptr;
    std::atomic<const LineProgram*> line_program = nullptr;
  };
  struct CachedScan {
    std::once_flag scopes_once;
    ScopeTree scopes;
    std::vector<SkippedDies> skipped;
    std::once_flag entry_pcs_once;
    bool is_complete = false;  // it was stored, and had no problem
    std::vector<EntryPc> entry_pcs;
    std::vector<AddressRange> code;
    std::optional<std::vector<EntryPc>> skipped_entry_pcs;
    std::once_flag symbols_in_uncovered_code_once;
    std::vector<std::string_view> symbols_in_uncovered_code;
    std::once_flag uncovered_entry_pcs_once;
    std::vector<EntryPc> uncovered_entry_pcs;  // see SkippedEntryPc()
  };

  void AddUnits(UnitList list);
  void ReadRoots(size_t first);
  void ReadSplitRoot(const CompilationUnit& skeleton);
  static TableKey KeyOf(const CompilationUnit& unit);
  template <typename Map>
  Map::mapped_type& CachedIn(Map& map, const Map::key_type& key);
  void AddRanges(uint32_t index, const RootCode& code);
  void AddFunctionRanges(uint32_t index);
  std::vector<EntryPc> ReadForeignEntryPcs(uint32_t index);
  const CachedScan& ScanOf(uint32_t index);
  void ReadUncoveredEntryPcs(uint32_t index, const SymbolTable& symbols);
  std::vector<AddressRange> UncoveredCode(uint32_t index) const;
  std::optional<uint64_t> FindScopeInSkipped(uint32_t index,
                                             const SkippedDies& skipped,
                                             uint64_t offset);

  const DebugSections& sections_;
  const ElfImage& binary_;
  unsigned jobs_;
  // By offset. Deques, because references to elements must survive the adding
  // of units.
  std::deque<CompilationUnit> units_;
  std::deque<UnitReader> readers_;
  std::vector<uint64_t> offsets_;  // of units_
  std::deque<UnitTables> tables_of_units_;
  std::deque<CachedScan> scans_;
  UnitRanges ranges_;
  UnitStore* alternate_ = nullptr;
  std::string problem_;
  uint64_t next_offset_ = 0;  // of the next unit to read, in .debug_info
  bool is_read_ = false;

  // Tables may overlap, and units may share lists: without limits, a small file
  // could keep us busy for hours. These budgets limit the bytes of
  // .debug_abbrev read for tables and for root DIEs, the bytes of line program
  // headers, and the range list entries read for the ranges of units.
  ReadBudget abbreviation_budget_;
  ReadBudget root_budget_;
  ReadBudget line_header_budget_;
  uint64_t range_budget_;

  std::once_flag foreign_entry_pcs_once_;
  std::unordered_map<uint64_t, uint64_t> foreign_entry_pcs_;  // by origin

  std::mutex scopes_mutex_;
  std::map<uint64_t, ScopeTree> skipped_scopes_;  // by offset

  std::mutex mutex_;  // for the maps
  std::map<TableKey, CachedTable> tables_;
  std::map<LineProgramKey, CachedLineProgram> line_programs_;
};

}  // namespace heapprof
