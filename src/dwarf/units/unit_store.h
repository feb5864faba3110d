// SPDX-License-Identifier: Apache-2.0
//
// All units of a debug file. The abbreviations, line program header and
// scopes of a unit are read when first asked for, and once; any thread may
// ask. Units may share tables, as those that dwz made do.
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
#include "dwarf/shared/unit_claims.h"
#include "dwarf/units/function_walk.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class UnitStore {
 public:
  // Reads all unit headers and roots; while .debug_info is still being inflated
  // none, which is then left to ReadMore(). The sections and the binary must
  // outlive the store. With a skeleton only its split unit is read, which
  // claims all addresses. `jobs` is the number of threads for what takes all
  // units.
  UnitStore(const DebugSections& sections, const ElfImage& binary,
            unsigned jobs, const CompilationUnit* skeleton = nullptr);

  // Reads the headers and roots of some more units, and waits until all their
  // bytes are there. Returns what they claim; nothing if there are no more
  // units, or there is a problem(). No other call may run meanwhile.
  std::optional<UnitClaims> ReadMore();
  // True if ReadMore() has nothing left to read.
  bool is_read() const { return is_read_; }
  // Threads that need not wait for bytes.
  unsigned free_threads() const;

  size_t size() const { return units_.size(); }
  const CompilationUnit& unit(uint32_t index) const { return units_[index]; }
  const UnitReader& reader(uint32_t index) const { return readers_[index]; }
  const UnitClaims& claims() const { return claims_; }
  // The units of the alternate file, which must outlive the store; null if
  // there is none.
  void SetAlternate(UnitStore* units) { alternate_ = units; }
  UnitStore* alternate() const { return alternate_; }
  // Why a unit, and with it code of the file, cannot be read; empty if all
  // headers and roots can. With a problem the store is of no use.
  const std::string& problem() const { return problem_; }
  // True if a unit is the skeleton of one in another file.
  bool HasSplitUnits() const;
  // True if the units list more ranges than a sound file has room for.
  bool has_too_many_ranges() const { return range_budget_ == 0; }

  // The unit that the entry at `offset` of .debug_info is in. Found at once if
  // it is in the unit `guess`.
  std::optional<uint32_t> FindUnit(uint64_t offset, uint32_t guess = 0) const;

  // nullptr if the unit cannot be read; `problem` says why.
  const AbbreviationTable* Abbreviations(uint32_t index, std::string& problem);
  // How many bytes of line programs may be read for one question.
  uint64_t LineBudget() const;
  // False if the line programs of all units are longer than a sound file has
  // room for.
  bool CanReadAllLines() const;
  // Bytes of the unit's line program; 0 if it has none.
  uint64_t LineProgramSize(uint32_t index) const;
  // nullptr if the unit has no readable line program.
  const LineProgram* FindLineProgram(uint32_t index, std::string& problem);
  // The innermost scope around the entry at `offset` of .debug_info, which is
  // in that unit; nothing at the top of it.
  std::optional<uint64_t> FindScope(uint32_t index, uint64_t offset);
  // Supplies what a walk over the unit has found, with its functions.
  void PutScan(uint32_t index, UnitScan scan);

  // Where the first function with code and the abstract origin `origin` is
  // entered, in a unit whose scan was supplied; 0 if there is none.
  uint64_t EntryAddress(uint32_t index, uint64_t origin) const;
  // The same among deferred functions, of which those count that a symbol of
  // `symbols` starts at, in code that no other function of the unit has.
  uint64_t SpareEntryAddress(uint32_t index, uint64_t origin,
                             const SymbolTable& symbols);
  // The names of symbols that start in such code: of all, or of many.
  static constexpr size_t kManySymbols = 64;
  std::span<const std::string_view> SpareSymbols(uint32_t index,
                                                 const SymbolTable& symbols);
  // The same among the functions of all units whose origin is in another one,
  // as link-time optimization and dwz make them. Reads all units.
  uint64_t EntryAddressInAnyUnit(uint64_t origin);

 private:
  // What the steps over entries depend on, and the table's offset.
  using TableKey = std::tuple<uint64_t, uint16_t, uint8_t, uint8_t>;
  struct CachedTable {
    std::once_flag once;
    std::unique_ptr<AbbreviationTable> table;
    std::string problem;
  };
  // What the names of files depend on: the offset of the program, the
  // directory and the base of string offsets of the unit that asks.
  using LineProgramKey =
      std::tuple<uint64_t, std::string_view, uint64_t, TableKey>;
  struct CachedLineProgram {
    std::once_flag once;
    std::optional<LineProgram> table;
    std::string problem;
  };
  // What was found for a unit, so that it need not be looked up again.
  struct UnitTables {
    std::atomic<const AbbreviationTable*> abbreviations = nullptr;
    std::atomic<const LineProgram*> line_program = nullptr;
  };
  struct CachedScan {
    std::once_flag scopes_once;
    ScopeTree scopes;
    std::vector<DeferredEntries> deferred;
    std::once_flag entries_once;
    bool is_whole = false;  // it was supplied, and there was no problem
    std::vector<FunctionEntry> entries;
    std::vector<AddressRange> code;
    std::optional<std::vector<FunctionEntry>> deferred_entries;
    std::once_flag spare_symbols_once;
    std::vector<std::string_view> spare_symbols;
    std::once_flag spare_entries_once;
    std::vector<FunctionEntry> spare_entries;  // of those, the ones that count
  };

  void AddUnits(UnitList list);
  void ReadRoots(size_t first);
  void ReadSplitRoot(const CompilationUnit& skeleton);
  static TableKey KeyOf(const CompilationUnit& unit);
  template <typename Map>
  Map::mapped_type& CachedIn(Map& map, const Map::key_type& key);
  void AddClaims(uint32_t index, const RootCode& code);
  void AddFunctionClaims(uint32_t index);
  std::vector<FunctionEntry> ReadForeignEntries(uint32_t index);
  const CachedScan& ScanOf(uint32_t index);
  void ReadSpareEntries(uint32_t index, const SymbolTable& symbols);
  std::vector<AddressRange> SpareCode(uint32_t index) const;
  std::optional<uint64_t> FindDeferredScope(uint32_t index,
                                            const DeferredEntries& deferred,
                                            uint64_t offset);

  const DebugSections& sections_;
  const ElfImage& binary_;
  unsigned jobs_;
  // By offset. What comes later does not move them: there are references.
  std::deque<CompilationUnit> units_;
  std::deque<UnitReader> readers_;
  std::vector<uint64_t> offsets_;  // of units_
  std::deque<UnitTables> tables_of_units_;
  std::deque<CachedScan> scans_;
  UnitClaims claims_;
  UnitStore* alternate_ = nullptr;
  std::string problem_;
  uint64_t next_offset_ = 0;  // of the first unit not read, in .debug_info
  bool is_read_ = false;

  // What may still be read. Threads that ask at once may each be granted all
  // that is left.
  class Budget {
   public:
    explicit Budget(uint64_t size) : left_(static_cast<int64_t>(size)) {}
    uint64_t left() const {
      return static_cast<uint64_t>(std::max<int64_t>(0, left_));
    }
    bool is_used_up() const { return left_ <= 0; }
    void Add(uint64_t size) { left_ += static_cast<int64_t>(size); }
    void Take(uint64_t size) { left_ -= static_cast<int64_t>(size); }

   private:
    std::atomic<int64_t> left_;
  };

  // Tables may overlap, and lists be shared. These are bytes of .debug_abbrev
  // for tables and for roots, bytes of line program headers, and range list
  // entries for the claims.
  Budget abbreviation_budget_;
  Budget root_budget_;
  Budget line_header_budget_;
  uint64_t range_budget_;

  std::once_flag foreign_entries_once_;
  std::unordered_map<uint64_t, uint64_t> foreign_entries_;  // by origin

  std::mutex scopes_mutex_;
  std::map<uint64_t, ScopeTree> deferred_scopes_;  // by offset

  std::mutex mutex_;  // for the maps
  std::map<TableKey, CachedTable> tables_;
  std::map<LineProgramKey, CachedLineProgram> line_programs_;
};

}  // namespace heapprof
