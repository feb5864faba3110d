// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_boundaries.h"

namespace heapprof {

void CodeBoundaries::Restart(std::span<const AddressRange> own) {
  own_ = own;
  size_ = 0;
  first_bits_.clear();
  addresses_.clear();
  for (const AddressRange& range : own) {
    first_bits_.push_back(size_);
    // Cannot overflow, because the ranges do not overlap.
    size_ += range.end - range.start;
    addresses_.push_back(range.start);
  }
}

void CodeBoundaries::Number() {
  constexpr uint64_t kBaseBytes = 4096;
  constexpr uint64_t kBytesPerBoundary = 256;
  words_.clear();
  if (size_ <= kBaseBytes + kBytesPerBoundary * addresses_.size())
    return SetBits();
  std::ranges::sort(addresses_);
  const auto rest = std::ranges::unique(addresses_);
  addresses_.erase(rest.begin(), rest.end());
}

void CodeBoundaries::SetBits() {
  words_.resize(size_ / 64 + 1);
  for (const uint64_t address : addresses_) {
    const uint64_t bit = BitOf(address);
    words_[bit / 64].bits |= uint64_t{1} << bit % 64;
  }
  addresses_.clear();
  size_t range = 0;
  for (size_t i = 0; i < words_.size(); ++i) {
    words_[i].before = addresses_.size();
    for (uint64_t bits = words_[i].bits; bits != 0; bits &= bits - 1) {
      const uint64_t bit =
          i * 64 + static_cast<uint64_t>(std::countr_zero(bits));
      while (range + 1 < own_.size() && first_bits_[range + 1] <= bit) ++range;
      addresses_.push_back(own_[range].start + (bit - first_bits_[range]));
    }
  }
}

size_t CodeBoundaries::CountSorted(uint64_t address) const {
  return static_cast<size_t>(std::ranges::lower_bound(addresses_, address) -
                             addresses_.begin());
}

}  // namespace heapprof
