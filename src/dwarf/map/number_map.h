// SPDX-License-Identifier: Apache-2.0
//
// Numbers keys from 0, in the order in which they are first added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "heapprof/base/key_map.h"

namespace heapprof {

class NumberMap {
 public:
  // Returns the number of `key`, and whether it is new.
  std::pair<uint32_t, bool> Add(uint64_t key) {
    uint32_t& next = next_.At(key);
    if (next != 0) return {next - 1, false};
    next = static_cast<uint32_t>(next_.size());
    return {next - 1, true};
  }
  size_t size() const { return next_.size(); }
  // Prefetches the data that Add() will read.
  void Prefetch(uint64_t key) const { next_.Prefetch(key); }

 private:
  KeyMap next_;  // from a key to its number + 1
};

}  // namespace heapprof
