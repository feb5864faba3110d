// SPDX-License-Identifier: Apache-2.0
//
// An index of a package of split debug information (.dwp): which part of each
// section belongs to a unit. The section .debug_cu_index lists the compile
// units, .debug_tu_index the type units. Their layout:
//   header   version, number of columns, number of rows, number of slots
//   slots    a hash table: the unit id in each slot, then the row number in
//            each slot (row numbers start at 1; 0 marks an empty slot)
//   kinds    the DW_SECT_* of each column
//   offsets  for each row and column: where the unit's part of the section is
//   sizes    for each row and column: the size of that part
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "heapprof/base/hash.h"

namespace heapprof {

// The kinds of sections that we need (DW_SECT_*).
enum class PackageSection : uint32_t {
  kInfo = 1,
  kTypes = 2,  // of version 2
  kAbbreviations = 3,
  kStringOffsets = 6,
  kRangeLists = 8  // of version 5
};

class PackageIndex {
 public:
  // A part of a section.
  struct Contribution {
    uint64_t offset = 0;
    uint64_t size = 0;
  };

  // Reads the section. Returns nothing if it is damaged. `section` must outlive
  // the index, which reads the rows only when it is asked for them.
  static std::optional<PackageIndex> Read(std::span<const uint8_t> section);

  bool Contains(uint64_t unit_id) const { return rows_.contains(unit_id); }
  // Returns the ids of all units, or the signatures of all type units, in no
  // order.
  std::vector<uint64_t> UnitIds() const;
  // Returns the unit's part of the section `kind`; empty if it has none. The
  // index must contain the unit.
  Contribution Find(uint64_t unit_id, PackageSection kind) const;

 private:
  std::vector<uint32_t> kinds_;  // of each column
  std::span<const uint8_t> offsets_;
  std::span<const uint8_t> sizes_;
  // By unit id; from 0.
  std::unordered_map<uint64_t, uint32_t, RandomHash> rows_;
};

}  // namespace heapprof
