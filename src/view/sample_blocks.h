// SPDX-License-Identifier: Apache-2.0
//
// Divides samples into blocks that threads add up. How they are divided does
// not depend on the number of threads, so that the rounding errors of the sums
// do not either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "heapprof/profile/profile.h"

namespace heapprof {

class SampleBlocks {
 public:
  explicit SampleBlocks(std::span<const Sample> samples)
      : samples_(samples),
        size_(std::max(kMinSize, (samples.size() + kMost - 1) / kMost)) {}

  // At least 1: without samples, there is an empty block.
  size_t count() const {
    return std::max<size_t>(1, (samples_.size() + size_ - 1) / size_);
  }
  std::span<const Sample> operator[](size_t block) const {
    const auto rest = samples_.subspan(block * size_);
    return rest.first(std::min(size_, rest.size()));
  }

 private:
  // Merging the sums of a smaller block would take longer than making them.
  static constexpr size_t kMinSize = 100'000;
  static constexpr size_t kMost = 16;

  std::span<const Sample> samples_;
  size_t size_;
};

}  // namespace heapprof
