// SPDX-License-Identifier: Apache-2.0
//
// Builds a CodeMap: the answers for all addresses of a file, from which an
// index is made. This is the main header of map/: its input is UnitStores, its
// output a CodeMap.
//
// The files of map/ from the top: this one (joins the units of a file),
// unit_map.h (the rows of one unit: inline ranges laid over its line rows),
// inline_ranges.h (the innermost function at every address of a unit, with a
// worked example), code_boundaries.h (numbers the addresses where the innermost
// function changes), number_map.h (a hash table).
//
// Units are read in parallel, a few at a time. Then, in the order of their
// offsets, each claims the code of its functions that no earlier unit has
// claimed: so each address gets the answer that Resolve() gives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dwarf/map/number_map.h"
#include "dwarf/map/unit_map.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/function_info_reader.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/id_table.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

class CodeMapBuilder {
 public:
  // All must outlive the builder.
  CodeMapBuilder(const ElfImage& binary, const SymbolTable& symbols,
                 unsigned jobs)
      : binary_(binary), symbols_(symbols), jobs_(jobs) {}

  // A unit, and the code for which its answers are wanted, by address.
  struct Source {
    UnitStore* units = nullptr;
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
    // Use its line rows also where it has no function. False for split units:
    // their skeletons have the same line program.
    bool with_rows_outside_functions = true;
  };

  // Adds the functions of `sources`. Where several have functions for the same
  // code, the one that was added first wins. False if a unit cannot be read to
  // the end.
  bool Add(std::span<const Source> sources);
  // The same for all units of a file.
  bool AddUnits(UnitStore& units);
  // Gives the remaining code to symbols, and returns the map. Call last.
  CodeMap Finish();

 private:
  // A function as one unit describes it.
  struct UnitFunction {
    FunctionInfo info;
    uint32_t node = 0;           // whose info it is
    uint32_t origin_number = 0;  // in the unit
    bool is_grouped = false;     // see MapNode::group
  };
  // A unit that has been read but not yet merged into the map.
  struct MappedUnit {
    const Source* source = nullptr;
    UnitMap map;
    std::vector<UnitMapRow> rows;  // of the code that it claimed
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

  MappedUnit ReadUnit(const Source& source) const;
  void ClaimCode(MappedUnit& mapped);
  static void KeepRows(std::span<const UnitMapRow> run,
                       std::span<const AddressRange> claimed,
                       MappedUnit& mapped);
  void ReadFunctions(MappedUnit& mapped) const;
  void FindGroups(MappedUnit& mapped);
  void Merge(MappedUnit& mapped);
  std::vector<uint32_t> MergeNodes(MappedUnit& mapped);
  void MergeRows(const MappedUnit& mapped, std::span<const uint32_t> nodes);
  void DissolveGroups();
  void AddSymbolRows(AddressRange range, uint32_t node);
  // Appends a row without a position.
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
  CodeMap map_;
  IntervalSet claimed_;  // the code of all functions so far
  // In the order of units, then by address.
  std::vector<LineRowRange> rows_outside_functions_;
  std::unordered_map<std::string, uint32_t> files_ = {{"", 0}};
  // Indices into the map's files + 1, by number in the line program; 0 if not
  // known yet.
  using ProgramFiles = std::vector<uint32_t>;
  std::unordered_map<const LineProgram*, ProgramFiles> files_of_programs_;
  // Of the last call of FileOf().
  const LineProgram* last_line_program_ = nullptr;
  ProgramFiles* last_files_ = nullptr;
  IdTable names_;  // indices into the map's names + 1
  // Unbounded names by the position of their text: equal names are usually at
  // the same position.
  NumberMap unbounded_names_;
  std::vector<uint32_t> names_of_unbounded_;  // by their number
  // The first function of each name, by index of the name.
  std::vector<uint32_t> function_of_name_;
  NumberMap other_keys_;          // of the other functions of a name
  std::vector<uint32_t> others_;  // these functions, by number of their key
  const UnitStore* group_units_ = nullptr;  // the store of the last unit
  uint32_t group_count_ = 0;                // of earlier stores
  std::vector<uint32_t> grouped_nodes_;     // by index in the map
  NumberMap groups_;                        // by origin, in that store
};

}  // namespace heapprof
