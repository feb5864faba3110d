// SPDX-License-Identifier: Apache-2.0
//
// Builds a CodeMap from the units of a file. Units are read side by side, a
// few at a time; then they take possession of their code in the order of their
// offsets, so that each address gets the answer that Resolve() gives.
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
#include "dwarf/units/function_describer.h"
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

  // A unit and the code that it is asked for, by address.
  struct Source {
    UnitStore* units = nullptr;
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
    // Take its lines also where it has no function. Not of split units: their
    // skeletons have the same line program.
    bool with_rows = true;
  };

  // Adds the functions of `sources`, which come behind those of earlier ones
  // where they claim the same code. False if some cannot be read whole.
  bool Add(std::span<const Source> sources);
  // The same of all units of a file.
  bool AddUnits(UnitStore& units);
  // Call last: gives the rest of the code to symbols.
  CodeMap Finish();

 private:
  // A function as one unit describes it.
  struct Description {
    FunctionDescription function;
    uint32_t node = 0;           // that is described
    uint32_t origin_number = 0;  // in the part
    bool is_grouped = false;     // its origin may be described in several ways
  };
  // A unit on its way into the map.
  struct Part {
    const Source* source = nullptr;
    UnitMap map;
    std::vector<UnitSegment> segments;  // those that it possesses
    std::vector<bool> is_used;          // by node
    std::vector<Description> descriptions;
    size_t origin_count = 0;
    std::vector<uint32_t> description_of;  // by node
  };
  // A line row where no function is.
  struct RowSegment {
    AddressRange range;
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t column = 0;
  };

  Part ReadPart(const Source& source) const;
  void Possess(Part& part);
  static void KeepPieces(std::span<const UnitSegment> stretch,
                         std::span<const AddressRange> pieces, Part& part);
  void Describe(Part& part) const;
  void FindGroups(Part& part);
  void Merge(Part& part);
  std::vector<uint32_t> MergeNodes(Part& part);
  void MergeSegments(const Part& part, std::span<const uint32_t> nodes);
  void DissolveGroups();
  void AddSymbolPiece(AddressRange piece, uint32_t node);
  // What it adds has no position yet.
  MapSegment& AppendSegment(const AddressRange& range, uint32_t node);

  uint32_t FileOf(const LineProgram* line_program, uint64_t number);
  uint32_t FileOf(std::string file);
  uint32_t NameOf(std::string_view name, std::string* text = nullptr);
  uint32_t NameOf(FunctionDescription& function);
  uint32_t FunctionOf(FunctionDescription& function);
  uint32_t FunctionOf(const MapFunction& function);

  const ElfImage& binary_;
  const SymbolTable& symbols_;
  unsigned jobs_;
  CodeMap map_;
  IntervalSet possessed_;         // by functions
  std::vector<RowSegment> rows_;  // in the order of units, then by address
  std::unordered_map<std::string, uint32_t> files_ = {{"", 0}};
  // Indices into the map's files + 1, by number in the table; 0 if not known.
  using TableFiles = std::vector<uint32_t>;
  std::unordered_map<const LineProgram*, TableFiles> files_of_tables_;
  const LineProgram* last_line_program_ =
      nullptr;  // that FileOf() was asked for
  TableFiles* last_files_ = nullptr;
  IdTable names_;  // indices into the map's names + 1
  // Open names by where they start, which is as a rule one place.
  NumberMap open_names_;
  std::vector<uint32_t> names_at_;          // by number of the place
  std::vector<uint32_t> function_of_name_;  // the first, by index of the name
  NumberMap other_keys_;                    // of the other functions
  std::vector<uint32_t> others_;            // by number of the key
  const UnitStore* group_units_ = nullptr;  // the store of the last part
  uint32_t group_count_ = 0;                // of earlier stores
  std::vector<uint32_t> grouped_nodes_;     // by index in the map
  NumberMap groups_;                        // by origin, of that store
};

}  // namespace heapprof
