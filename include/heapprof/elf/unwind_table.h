// SPDX-License-Identifier: Apache-2.0
//
// Where functions begin according to the unwind information in .eh_frame.
// Unlike symbols, it stays in stripped programs, because exceptions and
// backtraces need it. It has a frame description entry (FDE) for each function:
//
//   .eh_frame_hdr   start of function | address of its FDE    sorted by start
//   .eh_frame       CIE: how the FDEs that refer to it encode addresses
//                   FDE: start of function, size, how to unwind
//
// A part that the compiler moved away, such as f.cold, has an FDE of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

class UnwindTable {
 public:
  // Start and exclusive end of a function.
  using AddressRange = std::pair<uint64_t, uint64_t>;

  UnwindTable() = default;
  // Makes a table of functions that are already known; sorted.
  explicit UnwindTable(std::vector<AddressRange> functions)
      : ranges_(std::move(functions)) {}
  // `image` must outlive the table. If it has no usable .eh_frame_hdr, as most
  // static programs, reads all of .eh_frame.
  explicit UnwindTable(const ElfImage& image);

  // Returns the first address of the function that `address` is in. Returns
  // nothing if no FDE covers the address, or if what the file says makes no
  // sense.
  std::optional<uint64_t> FindStart(uint64_t address) const;
  // Returns the functions that FindStart() finds, sorted.
  std::vector<AddressRange> Functions() const;

 private:
  bool ReadHeader(uint64_t address);
  void ReadEntries();
  // Returns what may cover `address`: the FDE that starts last before it.
  std::optional<AddressRange> Candidate(uint64_t address) const;
  size_t row_count() const;
  // The start of the function in a row, and the address of its FDE.
  std::pair<uint64_t, uint64_t> Row(size_t row) const;
  // What the FDE of a row covers; nothing if that begins elsewhere.
  std::optional<AddressRange> RangeOfRow(size_t row) const;

  const ElfImage* image_ = nullptr;
  // .eh_frame, and its file address.
  std::span<const uint8_t> entries_;
  uint64_t entries_start_ = 0;
  // The rows of .eh_frame_hdr, and the address to which they are relative.
  std::span<const uint8_t> rows_;
  uint64_t base_ = 0;
  std::vector<AddressRange> ranges_;  // if there are no rows; sorted
};

}  // namespace heapprof
