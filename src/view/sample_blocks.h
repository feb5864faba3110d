// SPDX-License-Identifier: Apache-2.0
//
// Divides samples into blocks that threads add up. How they are divided does
// not depend on the number of threads, so that the rounding errors of the sums
// do not either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "heapprof/base/for_each.h"
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

// Returns what `sum_up` makes of all blocks of the samples, on up to `jobs`
// threads. `add` adds the sums of a block to those of the blocks before it.
template <typename Sums, typename SumUp, typename Add>
Sums SumBlocks(std::span<const Sample> samples, unsigned jobs, SumUp sum_up,
               Add add) {
  const SampleBlocks blocks(samples);
  std::vector<std::optional<Sums>> sums(blocks.count());
  ForEachInTurn(
      blocks.count(), jobs,
      [&](size_t i) { sums[i].emplace(sum_up(blocks[i])); },
      [&](size_t i) {
        if (i == 0) return true;
        add(*sums[i], *sums[0]);
        sums[i].reset();
        return true;
      },
      /*most_ahead=*/2 * jobs);
  return *std::move(sums[0]);
}

}  // namespace heapprof
