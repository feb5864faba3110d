// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_store.h"

#include <algorithm>
#include <iterator>

namespace heapprof {

std::span<char> TextStore::Make(size_t size) {
  constexpr size_t kBlockSize = 64 * 1024;
  if (size > free_.size()) {
    const size_t block_size = std::max(kBlockSize, size);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size));
    free_ = {blocks_.back().get(), block_size};
  }
  const std::span<char> made = free_.first(size);
  free_ = free_.subspan(size);
  return made;
}

std::string_view TextStore::Add(std::string_view text) {
  const std::span<char> copy = Make(text.size());
  std::ranges::copy(text, copy.begin());
  return {copy.data(), copy.size()};
}

void TextStore::Adopt(TextStore other) {
  blocks_.insert(blocks_.end(), std::move_iterator(other.blocks_.begin()),
                 std::move_iterator(other.blocks_.end()));
}

}  // namespace heapprof
