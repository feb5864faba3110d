// SPDX-License-Identifier: Apache-2.0
//
// Address ranges of DIEs: DW_AT_low_pc with DW_AT_high_pc, or a list in
// .debug_ranges (DWARF 2-4) or .debug_rnglists (DWARF 5, section 7.25).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_range.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class RangeListReader {
 public:
  // `reader` and `binary` must outlive this. At most `budget` list entries
  // are read in all: DIEs may share one long list, and without a limit a
  // small file keeps us busy for hours.
  RangeListReader(const UnitReader& reader, const ElfImage& binary,
                  uint64_t budget)
      : reader_(reader), binary_(binary), budget_(budget) {}

  // Appends the ranges in the order they are recorded. Linkers leave DIEs
  // of discarded functions behind, with a start at 0, 1, -1 or -2; a range
  // that does not start in an executable PT_LOAD segment is such a tombstone
  // and left out. Returns false if the list is damaged or the budget used up.
  bool ReadList(uint64_t offset, std::vector<AddressRange>& out);
  bool ReadList(const FormValue& ranges, std::vector<AddressRange>& out);
  void ReadPair(uint64_t low_pc, const FormValue& high_pc,
                std::vector<AddressRange>& out);

  // How many list entries may still be read.
  uint64_t budget() const { return budget_; }
  // A file without PT_LOAD segments (an object file) states nothing, so that
  // every address may be code.
  bool IsCode(uint64_t address) const { return binary_.MayBeCode(address); }

 private:
  bool ReadOldList(uint64_t offset, std::vector<AddressRange>& out);
  bool ReadNewList(uint64_t offset, std::vector<AddressRange>& out);
  void Add(uint64_t start, uint64_t end, std::vector<AddressRange>& out) const {
    if (start < end && IsCode(start)) out.push_back({start, end});
  }

  const UnitReader& reader_;
  const ElfImage& binary_;
  uint64_t budget_;
};

}  // namespace heapprof
