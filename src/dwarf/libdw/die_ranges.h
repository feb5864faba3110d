// SPDX-License-Identifier: Apache-2.0
//
// The address ranges of a DIE that are code of the loaded binary.
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

  // Grants `count` range entries to the following calls. Many DIEs may
  // share one long list; without a limit a small file keeps us busy for
  // hours.
  void SetBudget(uint64_t count) { budget_ = count; }
  bool exhausted() const { return budget_ == 0; }

  struct Found {
    bool damaged = false;
    bool has_ranges = false;  // also true if none of them is code
  };
  // Replaces `out` by the ranges of `die` in the order they are recorded.
  // Linkers leave debug information of discarded functions behind, with a
  // start at 0, 1, -1 or -2; a range that does not start in an executable
  // PT_LOAD segment is such a tombstone and left out.
  Found Read(Dwarf_Die* die, std::vector<AddressRange>& out);

  // True if code may start at `address`. A file without PT_LOAD segments (an
  // object file) states nothing, so every address counts.
  bool IsCode(uint64_t address) const { return binary_.MayBeCode(address); }

 private:
  const ElfImage& binary_;
  uint64_t budget_ = UINT64_MAX;
};

}  // namespace heapprof
