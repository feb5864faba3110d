// SPDX-License-Identifier: Apache-2.0
//
// Finds the row of an index that covers an address; index_format.h explains
// rows and blocks. Addresses must ascend, because each search continues from
// the row that the last search found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "heapprof/base/little_endian_cursor.h"

namespace heapprof {

struct IndexRow {
  uint64_t start = 0;
  uint32_t node = 0;  // number of a node; 0 = nothing is known here
  bool has_code_file = false;
  uint32_t file = 0;       // not set if has_code_file
  uint32_t line_step = 0;  // line minus the start line of the function
  uint32_t column = 0;
};

class RowFinder {
 public:
  // `first_start` is the address of the first row. The starts of the blocks are
  // relative to it.
  RowFinder(std::span<const uint8_t> block_starts,
            std::span<const uint8_t> block_offsets,
            std::span<const uint8_t> rows, uint64_t row_count,
            uint64_t first_start);

  // Returns the row that covers `address`, which must not be lower than in the
  // last call. The row has no node if nothing is known about the address.
  IndexRow Find(uint64_t address);
  // Prefetches the data that Find() will read for `address`. `address` must not
  // be lower than in the last call of Prefetch().
  void Prefetch(uint64_t address);
  // False once the index has turned out to be damaged.
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
  // The last two rows read: current() and next(). Each new row replaces the
  // older of the two. next() is not copied when it becomes current(), because
  // reading a row that was just written would make the processor wait.
  std::array<IndexRow, 2> rows_read_;
  size_t latest_ = 0;
  bool has_next_ = false;  // false if current() is the last of the block
};

}  // namespace heapprof
