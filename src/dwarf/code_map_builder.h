// SPDX-License-Identifier: Apache-2.0
//
// Builds a CodeMap from the units of a file. Units are read side by side, a
// few at a time; then they take possession of their code in the order of their
// offsets, so that each address gets the answer that Resolve() gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dwarf/function_describer.h"
#include "dwarf/interval_set.h"
#include "dwarf/unit_map.h"
#include "dwarf/unit_store.h"
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

  // Adds the functions of all units, which come behind those of earlier calls
  // where they claim the same code. False if some cannot be read whole.
  bool AddUnits(UnitStore& units);
  // Call last: gives the rest of the code to symbols.
  CodeMap Finish();

 private:
  // A function as one unit describes it.
  struct Description {
    SourceFunction function;
    uint64_t origin = 0;
    bool is_grouped = false;  // its origin is described in several ways
  };
  // A unit on its way into the map.
  struct Part {
    uint32_t unit = 0;
    UnitMap map;
    std::vector<UnitSegment> segments;  // those that it possesses
    std::vector<bool> is_used;          // by node
    std::vector<Description> descriptions;
    std::vector<uint32_t> description_of;  // by node
    std::vector<std::string> files;
    std::unordered_map<uint64_t, uint32_t> file_of;  // by number, in `files`
  };
  // A line row where no function is.
  struct RowSegment {
    AddressRange range;
    uint32_t file = 0;
    uint32_t line = 0;
    uint32_t column = 0;
  };

  bool ReadPart(UnitStore& units, std::span<const AddressRange> claimed,
                Part& part) const;
  void Possess(Part& part);
  void KeepPieces(std::span<const UnitSegment> stretch,
                  std::span<const AddressRange> pieces, Part& part);
  void Describe(UnitStore& units, FunctionDescriber& describer,
                Part& part) const;
  static void FindGroups(const UnitStore& units, Part& part);
  void Merge(const Part& part);
  void AddSegments(const Part& part, std::span<const uint32_t> nodes,
                   std::span<const uint32_t> files);
  void AddRows(const Part& part, std::span<const uint32_t> files);
  void AddSymbolPiece(AddressRange piece, uint32_t node);
  void AppendSegment(const AddressRange& range, const MapSegment& segment);

  uint32_t FileOf(const std::string& file);
  uint32_t FunctionOf(const SourceFunction& function);
  uint32_t GroupOf(uint64_t origin);

  const ElfImage& binary_;
  const SymbolTable& symbols_;
  unsigned jobs_;
  CodeMap map_;
  IntervalSet possessed_;         // by functions
  std::vector<RowSegment> rows_;  // in the order of units, then by address
  std::unordered_map<std::string, uint32_t> files_;
  std::unordered_map<std::string, uint32_t> functions_;
  uint32_t group_count_ = 0;
  std::unordered_map<uint64_t, uint32_t> groups_;  // by origin, of one store
};

}  // namespace heapprof
