// SPDX-License-Identifier: Apache-2.0
//
// Reads the functions and variants of an index by number. Functions are
// numbered first, then variants; index_format.h explains both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index/index_format.h"

namespace heapprof {

struct FunctionRecord {
  uint32_t number = 0;  // of the function; never that of a variant
  uint32_t name = 0;    // number of a string
  bool is_scoped = false;
  uint32_t file = 0;
  uint32_t start_line = 0;
  uint32_t code_file = 0;
};

class FunctionRecords {
 public:
  FunctionRecords(std::span<const uint8_t> info,
                  std::span<const uint8_t> functions,
                  std::span<const uint8_t> variants);

  size_t function_count() const { return function_count_; }
  size_t variant_count() const { return variants_.size() / kVariantSize; }
  bool IsVariant(uint32_t number) const { return number >= function_count_; }

  // Reads the function with this number. If it is the number of a variant,
  // reads the function of that variant. Returns false if there is neither.
  bool Read(uint64_t number, FunctionRecord& record) const;
  // Prefetches the data that Read() will read.
  void Prefetch(uint64_t number) const {
    __builtin_prefetch(functions_.data() + number * record_size_);
  }
  // Returns the group of `variant`, the number of a variant. Read() must have
  // returned true for this number.
  uint32_t GroupOf(uint32_t variant) const;

 private:
  std::span<const uint8_t> functions_;
  std::span<const uint8_t> variants_;
  std::array<size_t, kFunctionFields> field_sizes_ = {};
  size_t record_size_ = 0;
  size_t function_count_ = 0;
};

}  // namespace heapprof
