// SPDX-License-Identifier: Apache-2.0
//
// Reads the address ranges of DIEs. Leaves out ranges that are not in the code
// of the binary.
#pragma once

#include <cstdint>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/shared/address_range.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class DieRangeReader {
 public:
  // `binary` must outlive the reader.
  explicit DieRangeReader(const ElfImage& binary) : binary_(binary) {}

  // Limits later calls of Read() to `count` range list entries in total.
  // Without this limit, a small file in which many DIEs share one long list
  // could keep us busy for hours.
  void SetBudget(uint64_t count) { budget_ = count; }
  bool exhausted() const { return budget_ == 0; }

  struct Found {
    bool damaged = false;
    // True if the DIE has ranges, even if none of them is code.
    bool has_ranges = false;
  };
  // Replaces `out` with the ranges of `die`, in the recorded order. Leaves out
  // ranges that do not start in an executable PT_LOAD segment, because such
  // ranges belong to discarded functions: linkers keep the DIEs of these
  // functions, and set their start to a tombstone (0, 1, -1 or -2).
  Found Read(Dwarf_Die* die, std::vector<AddressRange>& out);

  // True if code may start at `address`. Always true for a file without PT_LOAD
  // segments (an object file).
  bool IsCode(uint64_t address) const { return binary_.MayBeCode(address); }

 private:
  const ElfImage& binary_;
  uint64_t budget_ = UINT64_MAX;
};

}  // namespace heapprof
