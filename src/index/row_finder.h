// SPDX-License-Identifier: Apache-2.0
//
// Finds the row of an index that covers an address. Addresses must ascend: each
// search continues from the last row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

struct IndexRow {
  uint64_t start = 0;
  uint32_t node = 0;  // offset in kNodes + 1; 0 = nothing is known here
  bool has_code_file = false;
  uint32_t file = 0;       // unless has_code_file
  uint32_t line_step = 0;  // difference to the start line of the function
  uint32_t column = 0;
};

class RowFinder {
 public:
  // `first_start` is added to the starts of the blocks.
  RowFinder(std::span<const uint8_t> block_starts,
            std::span<const uint8_t> block_offsets,
            std::span<const uint8_t> rows, uint64_t row_count,
            uint64_t first_start);

  // The row at `address`, which must not be lower than in the last call. The
  // row has no node if nothing is known about the address.
  IndexRow Find(uint64_t address);
  // Prefetches the data that Find() will read for `address`, which must not be
  // lower than in the last call.
  void Prefetch(uint64_t address);
  // False after damage was found.
  bool ok() const { return ok_; }

 private:
  uint64_t StartOf(uint64_t block) const;
  uint64_t FindBlock(uint64_t address, uint64_t from) const;
  void EnterBlock(uint64_t block);
  void ReadNext();
  const IndexRow& current() const { return rows_read_[latest_ ^ 1]; }
  const IndexRow& next() const { return rows_read_[latest_]; }

  std::span<const uint8_t> block_starts_;
  std::span<const uint8_t> block_offsets_;
  std::span<const uint8_t> rows_;
  uint64_t row_count_;
  uint64_t first_start_;
  uint64_t block_count_;
  bool ok_ = true;

  uint64_t block_;      // block_count_ before the first call
  uint64_t block_end_;  // address at which the next block starts
  uint64_t fetched_block_;
  uint64_t left_ = 0;  // rows after next() in the block
  LittleEndianCursor cursor_;
  // The last two rows read, in alternating slots: a copy would wait for the row
  // that was just written.
  std::array<IndexRow, 2> rows_read_;
  size_t latest_ = 0;
  bool has_next_ = false;  // next() is in the block
};

}  // namespace heapprof
