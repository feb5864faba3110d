// SPDX-License-Identifier: Apache-2.0
#include "index/row_finder.h"

#include <algorithm>

#include "heapprof/base/varint.h"
#include "index/index_format.h"

namespace heapprof {

RowFinder::RowFinder(std::span<const uint8_t> block_starts,
                     std::span<const uint8_t> block_offsets,
                     std::span<const uint8_t> rows, uint64_t row_count,
                     uint64_t first_start)
    : block_starts_(block_starts),
      block_offsets_(block_offsets),
      rows_(rows),
      row_count_(row_count),
      first_start_(first_start),
      block_count_(row_count / kRowsPerBlock +
                   (row_count % kRowsPerBlock != 0)),
      block_(block_count_),
      block_end_(0),
      fetched_block_(block_count_) {
  ok_ = block_starts_.size() / sizeof(uint32_t) == block_count_ &&
        block_offsets_.size() / sizeof(uint32_t) == block_count_;
}

uint64_t RowFinder::StartOf(uint64_t block) const {
  return first_start_ +
         LittleEndianCursor(block_starts_, block * sizeof(uint32_t)).U32();
}

// Returns the number of the last block that starts at or before `address`;
// block_count_ if there is none. Does not search blocks before `from`, unless
// `from` is block_count_.
uint64_t RowFinder::FindBlock(uint64_t address, uint64_t from) const {
  uint64_t low = from == block_count_ ? 0 : from;
  // First double the step until it passes the address, because the next address
  // is usually near. Then do a binary search in the last step.
  uint64_t step = 1;
  while (low + step < block_count_ && StartOf(low + step) <= address) {
    low += step;
    step *= 2;
  }
  uint64_t high = std::min(low + step, block_count_);  // starts after address
  if (low < high && StartOf(low) > address) return block_count_;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (StartOf(middle) <= address ? low : high) = middle;
  }
  return low;
}

void RowFinder::EnterBlock(uint64_t block) {
  block_ = block;
  block_end_ = block + 1 < block_count_ ? StartOf(block + 1) : UINT64_MAX;
  left_ = std::min<uint64_t>(row_count_ - block * kRowsPerBlock, kRowsPerBlock);
  const uint64_t offset =
      LittleEndianCursor(block_offsets_, block * sizeof(uint32_t)).U32();
  cursor_ = LittleEndianCursor(rows_, offset);
  rows_read_[latest_] = {.start = StartOf(block)};
  ReadNext();
  ReadNext();
}

// Makes next() the current row, and reads the one after it.
void RowFinder::ReadNext() {
  has_next_ = left_ > 0;
  const IndexRow& before = next();
  latest_ ^= 1;
  if (!has_next_) return;
  --left_;
  IndexRow& read = rows_read_[latest_];
  const uint64_t head = cursor_.Uleb();
  const bool is_same = (head & kSameNode) != 0;
  read.start = before.start + (head >> 2);
  read.node = before.node;
  read.line_step = before.line_step;
  if (!is_same) {
    read.node = static_cast<uint32_t>(
        static_cast<uint64_t>(int64_t{before.node} + UnZigZag(cursor_.Uleb())));
    read.line_step = 0;
  }
  read.has_code_file = (head & kIsCodeFile) != 0;
  read.file = 0;
  read.column = 0;
  if (read.node != 0) {
    if (!read.has_code_file) read.file = static_cast<uint32_t>(cursor_.Uleb());
    read.line_step += static_cast<uint32_t>(UnZigZag(cursor_.Uleb()));
    read.column = static_cast<uint32_t>(cursor_.Uleb());
  }
  ok_ = ok_ && cursor_.ok();
}

IndexRow RowFinder::Find(uint64_t address) {
  if (!ok_ || block_count_ == 0) return {};
  if (block_ == block_count_ || address >= block_end_) {
    const uint64_t block = FindBlock(address, block_);
    if (block == block_count_) return {};
    if (block != block_) EnterBlock(block);
  }
  while (has_next_ && next().start <= address) ReadNext();
  return current();
}

void RowFinder::Prefetch(uint64_t address) {
  constexpr uint64_t kUsualBlockSize = 256;
  constexpr uint64_t kCacheLine = 64;
  if (!ok_ || block_count_ == 0) return;
  const uint64_t block = FindBlock(address, fetched_block_);
  if (block == block_count_ || block == fetched_block_) return;
  fetched_block_ = block;
  LittleEndianCursor cursor(
      rows_,
      LittleEndianCursor(block_offsets_, block * sizeof(uint32_t)).U32());
  const auto bytes =
      cursor.Bytes(std::min(cursor.remaining(), kUsualBlockSize));
  for (size_t i = 0; i < bytes.size(); i += kCacheLine)
    __builtin_prefetch(bytes.data() + i);
}

}  // namespace heapprof
