// SPDX-License-Identifier: Apache-2.0
//
// Reads the address ranges of DIEs: DW_AT_low_pc with DW_AT_high_pc, or a range
// list in .debug_ranges (DWARF 2-4) or .debug_rnglists (DWARF 5, section 7.25).
#pragma once

#include <cstdint>
#include <vector>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_range.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class RangeListReader {
 public:
  // `reader` and `binary` must outlive this object. All calls together read at
  // most `budget` list entries. Without this limit, a small file in which many
  // DIEs share one long list could keep us busy for hours.
  RangeListReader(const UnitReader& reader, const ElfImage& binary,
                  uint64_t budget)
      : reader_(reader), binary_(binary), budget_(budget) {}

  // The three functions below append ranges to `out`, in the recorded order.
  // They leave out ranges that do not start in an executable PT_LOAD segment,
  // because such ranges belong to discarded functions: linkers keep the DIEs of
  // these functions, and set their start to a tombstone (0, 1, -1 or -2).
  // ReadList() returns false if the list is damaged or the budget is used up.
  bool ReadList(uint64_t offset, std::vector<AddressRange>& out);
  bool ReadList(const FormValue& ranges, std::vector<AddressRange>& out);
  void ReadPair(uint64_t low_pc, const FormValue& high_pc,
                std::vector<AddressRange>& out);

  // The number of list entries that may still be read.
  uint64_t budget() const { return budget_; }
  // True if code may start at `address`. Always true for a file without PT_LOAD
  // segments (an object file).
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
