// SPDX-License-Identifier: Apache-2.0
//
// All units of a debug file. The abbreviation table, the line program header
// and the scopes (namespaces, types and functions) of a unit are read on first
// use, and only once. Any thread may use them. Several units may share an
// abbreviation table, as in files that dwz has made.
//
// A large compressed .debug_info can be read with a window: units are read as
// soon as they are inflated, and the memory of their DIEs is freed as soon as
// they are no longer needed. What the store keeps of each unit (its header,
// root DIE and scan) does not refer to that memory. A window works only if no
// DIE refers to another unit.
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
#include "heapprof/base/hash.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class TypeUnits;

class UnitStore {
 public:
  // Reads all unit headers and root DIEs. If .debug_info is still being
  // inflated, reads nothing; ReadMore() then reads the units. The sections and
  // the binary must outlive the store. If `skeleton` is given, the store uses
  // only the split unit of that skeleton, and finds this unit for every
  // address. `jobs` is the number of threads for work on all units.
  UnitStore(const DebugSections& sections, const ElfImage& binary,
            unsigned jobs, const CompilationUnit* skeleton = nullptr);

  // A store of these type units, which have no code. Does not read their root
  // DIEs.
  UnitStore(const DebugSections& sections, const ElfImage& binary,
            unsigned jobs, UnitList types);

  // Waits until some more units are inflated, and reads their headers and root
  // DIEs. Returns the ranges of these units. Returns nothing if there are no
  // more units, or if there is a problem(). No other function of this object
  // may run at the same time.
  std::optional<UnitRanges> ReadMore();
  // True if ReadMore() has nothing left to read.
  bool is_read() const { return is_read_; }
  // The number of threads that are not busy inflating.
  unsigned free_threads() const;

  // True if DIEs should be discarded once they are no longer needed.
  bool has_window() const { return has_window_; }
  // Discards the DIEs of all units read so far.
  void DiscardRead();
  // Discards the DIEs of the units before `first`, and waits for those up to
  // `last`. Returns false if they will never come. Has no effect without a
  // window.
  bool MoveWindow(uint32_t first, uint32_t last);
  // False if there is a window that does not cover all DIEs. If it does not
  // move any more, .debug_info must be inflated again before DIEs are read.
  bool has_all_dies() const {
    return readable_.start == 0 && readable_.end == UINT64_MAX;
  }
  // Call after .debug_info has been inflated again, or while that happens.
  void StartAgain();
  // True if a DIE was needed that was outside of the window, or if units refer
  // to each other. Then the results that were read with this window are wrong.
  bool has_missed_dies() const { return has_missed_dies_; }
  // Call this if a DIE refers to another unit.
  void NoteForeignDie() {
    if (!has_all_dies()) has_missed_dies_ = true;
  }

  const DebugSections& sections() const { return sections_; }
  size_t size() const { return units_.size(); }
  const CompilationUnit& unit(uint32_t index) const { return units_[index]; }
  const UnitReader& reader(uint32_t index) const { return readers_[index]; }
  const UnitRanges& ranges() const { return ranges_; }
  // The units of the alternate file, to which dwz has moved DIEs that several
  // files share; null if there is none. They must outlive this store.
  void SetAlternate(UnitStore* units) { alternate_ = units; }
  UnitStore* alternate() const { return alternate_; }
  // The type units that are not in .debug_info; null if there are none. They
  // must outlive this store.
  void SetTypeUnits(TypeUnits* units) { type_units_ = units; }
  UnitStore* type_units() const;
  // Says why the code of some unit cannot be found; empty if there is no such
  // unit. A store with a problem is unusable.
  const std::string& problem() const { return problem_; }
  // True if a unit is the skeleton of a unit in another file.
  bool HasSplitUnits() const;
  // True if the units list more ranges than any valid file.
  bool has_too_many_ranges() const { return range_budget_.is_used_up(); }

  // Returns the unit of the DIE at `offset` of .debug_info. The search is
  // fastest if that unit is `guess`.
  std::optional<uint32_t> FindUnit(uint64_t offset, uint32_t guess = 0) const;

  // Returns the DIE of the type with this signature, from its type unit: an
  // offset, with kInTypeUnits if it is one of type_units(). All units must have
  // been read.
  std::optional<uint64_t> FindType(uint64_t signature);

  // Returns the abbreviation table of a unit. nullptr if the unit cannot be
  // read; `problem` then says why.
  const AbbreviationTable* Abbreviations(uint32_t index, std::string& problem);
  // Returns how many bytes of line programs a Resolution (resolution.h) may
  // read.
  uint64_t LineBudget() const;
  // False if the line programs of all compile units together are longer than in
  // any valid file. Others have no code, and may all refer to one program.
  bool CanReadAllLines() const;
  // Returns the size of the unit's line program in bytes; 0 if it has none.
  uint64_t LineProgramSize(uint32_t index) const;
  // Returns the line program of a unit; nullptr if the unit has no readable
  // line program.
  const LineProgram* FindLineProgram(uint32_t index, std::string& problem);
  // Returns the innermost scope around the DIE at `offset` of .debug_info;
  // nothing if no scope encloses the DIE. The DIE must be in the unit.
  std::optional<uint64_t> FindScope(uint32_t index, uint64_t offset);
  // Stores the scan of a unit, for the functions below and for FindScope().
  void PutScan(uint32_t index, UnitScan scan);

  // Returns the entry PC of the unit's first function that has code and the
  // abstract origin `origin` (the offset of a DIE); 0 if there is none. The
  // scan of the unit must have been stored. Ignores functions in skipped DIEs
  // (see unit_scan.h).
  uint64_t EntryPcOf(uint32_t index, uint64_t origin) const;
  // Like EntryPcOf(), but for functions in skipped DIEs. Ignores functions
  // whose entry PC has no symbol in `symbols`, or is in the code of a function
  // outside of skipped DIEs.
  uint64_t SkippedEntryPc(uint32_t index, uint64_t origin,
                          const SymbolTable& symbols);
  // Returns the names of the symbols that start in uncovered code of the unit:
  // code that no function outside of skipped DIEs covers. Stops after
  // kManySymbols names.
  static constexpr size_t kManySymbols = 64;
  std::span<const std::string_view> SymbolsInUncoveredCode(
      uint32_t index, const SymbolTable& symbols);
  // Returns the entry PC of the first function, in any unit, whose abstract
  // origin is the DIE `origin` in a different unit; 0 if there is none.
  // Link-time optimization and dwz make such functions. Reads all units.
  uint64_t EntryPcInAnyUnit(uint64_t origin);

 private:
  // Identifies an abbreviation table: its offset, and the unit's version,
  // address size and offset size, which determine the sizes of DIEs.
  using TableKey = std::tuple<uint64_t, uint16_t, uint8_t, uint8_t>;
  struct CachedTable {
    std::once_flag once;
    std::unique_ptr<AbbreviationTable> table;
    std::string problem;
  };
  // Everything that determines the file names of a line program: its offset,
  // and the directory, the string offsets base and the TableKey of the unit.
  using LineProgramKey =
      std::tuple<uint64_t, std::string_view, uint64_t, TableKey>;
  struct CachedLineProgram {
    std::once_flag once;
    std::optional<LineProgram> table;
    std::string problem;
  };
  // The tables of a unit, once they are known. This saves a lookup in the maps.
  struct UnitTables {
    std::atomic<const AbbreviationTable*> abbreviations = nullptr;
    std::atomic<const LineProgram*> line_program = nullptr;
  };
  struct CachedScan {
    std::once_flag scopes_once;
    ScopeTree scopes;
    std::vector<SkippedDies> skipped;
    std::once_flag entry_pcs_once;
    bool is_complete = false;  // a scan without problems was stored
    std::vector<EntryPc> entry_pcs;
    std::vector<AddressRange> code;
    std::optional<std::vector<EntryPc>> skipped_entry_pcs;
    std::once_flag symbols_in_uncovered_code_once;
    std::vector<std::string_view> symbols_in_uncovered_code;
    std::once_flag uncovered_entry_pcs_once;
    std::vector<EntryPc> uncovered_entry_pcs;  // see SkippedEntryPc()
  };

  // Where the code of a unit is.
  struct UnitCode {
    std::vector<AddressRange> ranges = {};
    std::string problem = {};  // why that is not known
  };

  void AddUnits(UnitList list);
  void ReadRoots(size_t first);
  bool FitWindow(size_t first);
  std::string_view Keep(std::string_view text);
  void ReadSplitRoot(const CompilationUnit& skeleton);
  static TableKey KeyOf(const CompilationUnit& unit);
  template <typename Map>
  Map::mapped_type& CachedIn(Map& map, const Map::key_type& key);
  UnitCode ReadRoot(uint32_t index);
  UnitCode CodeOf(uint32_t index, const RootCode& root);
  void AddFunctionRanges(uint32_t index, UnitCode& code);
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
  // Sorted by offset. They are deques, because references to elements must stay
  // valid when units are added.
  std::deque<CompilationUnit> units_;
  std::deque<UnitReader> readers_;
  std::vector<uint64_t> offsets_;  // of units_
  std::deque<UnitTables> tables_of_units_;
  std::deque<CachedScan> scans_;
  UnitRanges ranges_;
  UnitStore* alternate_ = nullptr;
  TypeUnits* type_units_ = nullptr;
  std::string problem_;
  uint64_t next_offset_ = 0;  // of the next unit to read, in .debug_info
  bool is_read_ = false;
  bool has_window_ = false;
  AddressRange readable_ = {0, UINT64_MAX};  // the window, in .debug_info
  mutable std::atomic<bool> has_missed_dies_ = false;
  std::deque<std::string> kept_texts_;

  // In a malicious file, tables may overlap, and many units may share one list.
  // Without limits, a small file of this kind could take hours to read. What
  // each budget limits:
  //   abbreviation_budget_  bytes of .debug_abbrev read for tables
  //   root_budget_          bytes of .debug_abbrev read for root DIEs
  //   line_header_budget_   bytes of line program headers
  //   range_budget_         range list entries read for the ranges of units
  ReadBudget abbreviation_budget_;
  ReadBudget root_budget_;
  ReadBudget line_header_budget_;
  ReadBudget range_budget_;

  std::once_flag foreign_entry_pcs_once_;
  std::unordered_map<uint64_t, uint64_t, RandomHash>
      foreign_entry_pcs_;  // by origin

  std::once_flag types_once_;
  std::unordered_map<uint64_t, uint64_t, RandomHash> types_;  // by signature

  std::mutex scopes_mutex_;
  // By the offset of the first skipped DIE.
  std::map<uint64_t, ScopeTree> skipped_scopes_;

  std::mutex mutex_;  // for tables_ and line_programs_
  std::map<TableKey, CachedTable> tables_;
  std::map<LineProgramKey, CachedLineProgram> line_programs_;
};

}  // namespace heapprof
