// SPDX-License-Identifier: Apache-2.0
//
// Builds a CodeMap, which holds the answers for all addresses of a file. An
// index is made from a CodeMap.
//
// This is the main header of map/. Its input is UnitStores, its output a
// CodeMap. The files from the top:
//   code_map_builder.h   joins the units of a file
//   unit_map.h           the rows of one unit: functions and line rows
//   inline_ranges.h      the innermost function at every address of a unit,
//                        with a worked example
//   code_boundaries.h    numbers the addresses where the innermost function
//                        changes
//   number_map.h         a hash table
//
// Units are read in parallel, a batch at a time. Then the units of the batch
// claim code, in the order of their offsets: each unit claims the code of its
// functions that no earlier unit has claimed. So each address gets the answer
// of the first unit with a function there, as in Resolve().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dwarf/map/number_map.h"
#include "dwarf/map/unit_map.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/function_info_reader.h"
#include "dwarf/units/read_budget.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class CodeMapBuilder {
 public:
  // `binary` and `symbols` must outlive the builder.
  CodeMapBuilder(const ElfImage& binary, const SymbolTable& symbols,
                 unsigned jobs);

  // A unit, and the code for which its answers are wanted, sorted by address.
  struct Source {
    UnitStore* units = nullptr;
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
    // Whether to use the unit's line rows also for code without a function.
    // False for split units, because their skeletons have the same line rows.
    bool with_rows_outside_functions = true;
  };

  // Adds the functions of `sources`. If several sources have functions for the
  // same code, the source that was added first wins. Returns false if a unit
  // cannot be read to the end, or if the names of functions are implausibly
  // long.
  bool Add(std::span<const Source> sources);
  // Adds the functions of all units of a file. Returns false as Add() does, and
  // if the line programs are implausibly long.
  bool AddUnits(UnitStore& units);
  // Names the code that no function covers after its symbols, and returns the
  // map. Call last.
  CodeMap Finish();

 private:
  // A function as one unit describes it.
  struct UnitFunction {
    FunctionInfo info;
    uint32_t node = 0;           // the node that `info` was read for
    uint32_t origin_number = 0;  // the number of its origin in the unit
    bool is_grouped = false;     // see MapNode::group
  };
  // A unit that has been read but not yet merged into the map.
  struct MappedUnit {
    const Source* source = nullptr;
    UnitMap map;
    std::vector<UnitMapRow> rows;  // of claimed code, or outside functions
    std::vector<bool> is_used;     // by node
    std::vector<UnitFunction> functions;
    size_t origin_count = 0;
    std::vector<uint32_t> function_of;  // by node
  };
  // A line row, and the code that it covers.
  struct LineRowRange {
    AddressRange range;
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t column = 0;
  };

  std::span<const Source> BatchOf(std::span<const Source> rest) const;
  static bool MakeReadable(std::span<const Source> batch,
                           std::span<const MappedUnit> claimed);
  MappedUnit ReadUnit(const Source& source) const;
  void ClaimCode(MappedUnit& mapped);
  static void KeepRows(std::span<const UnitMapRow> run,
                       std::span<const AddressRange> claimed,
                       MappedUnit& mapped);
  void ReadFunctions(MappedUnit& mapped) const;
  void FindGroups(MappedUnit& mapped);
  void Merge(MappedUnit mapped);
  std::vector<uint32_t> MergeNodes(MappedUnit& mapped);
  void MergeRows(const MappedUnit& mapped, std::span<const uint32_t> nodes);
  void DissolveGroups();
  void AddSymbolRows(AddressRange range, uint32_t node);
  // Appends a row without a source position. The caller may set the position in
  // the returned row.
  MapRow& AppendRow(const AddressRange& range, uint32_t node);

  uint32_t FileOf(const LineProgram* line_program, uint64_t number);
  uint32_t FileOf(std::string file);
  uint32_t NameOf(std::string_view name, std::string* text = nullptr);
  uint32_t NameOf(FunctionInfo& function);
  uint32_t FunctionOf(FunctionInfo& function);
  uint32_t FunctionOf(const MapFunction& function);

  const ElfImage& binary_;
  const SymbolTable& symbols_;
  unsigned jobs_;
  uint64_t most_batch_bytes_;
  // How many bytes of names may still be read.
  mutable ReadBudget name_budget_;
  std::span<const uint8_t> windowed_info_;  // .debug_info, if it has a window
  CodeMap map_;
  IntervalSet claimed_;  // the code of all functions so far
  // Line rows for code that no function of the same unit covers, in the order
  // of units, then by address.
  std::vector<LineRowRange> rows_outside_functions_;
  std::unordered_map<std::string, uint32_t, RandomHash> files_ = {{"", 0}};
  // For each file number of a line program: 1 + the index in the map's files,
  // or 0 if the index is not known yet.
  using ProgramFiles = std::vector<uint32_t>;
  std::unordered_map<const LineProgram*, ProgramFiles> files_of_programs_;
  // The line program of the last call of FileOf(), and its files. This saves
  // lookups, because the next call is usually for the same line program.
  const LineProgram* last_line_program_ = nullptr;
  ProgramFiles* last_files_ = nullptr;
  IdTable names_;  // of the map's names
  // Numbers the unbounded names (see FunctionInfo) by the position of their
  // text in memory. Equal names usually have the same position, so most names
  // are recognized without being read.
  NumberMap unbounded_names_;
  // For each unbounded name, by its number: its index in the map's names.
  std::vector<uint32_t> names_of_unbounded_;
  // For each of the map's names: the first function with this name.
  std::vector<uint32_t> function_of_name_;
  // All other functions: those that share their name with an earlier one.
  // other_keys_ maps the key of such a function, a hash from FunctionOf(), to a
  // number n; others_[n] is the function's index in the map's functions.
  NumberMap other_keys_;
  std::vector<uint32_t> others_;
  const UnitStore* group_units_ = nullptr;  // the store of the last unit
  uint32_t group_count_ = 0;             // number of groups of earlier stores
  std::vector<uint32_t> grouped_nodes_;  // indices of the map's nodes in groups
  NumberMap groups_;  // numbers the origins in group_units_ that have a group
};

}  // namespace heapprof
