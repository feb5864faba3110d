// SPDX-License-Identifier: Apache-2.0
//
// Limits how much is read of data that several units share. Any thread may use
// a budget. The limit is not exact: threads that call left() at the same time
// may each use all that is left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace heapprof {

class ReadBudget {
 public:
  explicit ReadBudget(uint64_t size) : left_(static_cast<int64_t>(size)) {}

  uint64_t left() const {
    return static_cast<uint64_t>(std::max<int64_t>(0, left_));
  }
  bool is_used_up() const { return left_ <= 0; }
  void Add(uint64_t size) { left_ += static_cast<int64_t>(size); }
  void Take(uint64_t size) { left_ -= static_cast<int64_t>(size); }

 private:
  std::atomic<int64_t> left_;
};

}  // namespace heapprof
