// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_store.h"

#include <cstring>

namespace heapprof {

std::span<char> TextStore::MakeBlock(size_t size) {
  blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
  return {blocks_.back().get(), size};
}

std::span<char> TextStore::Make(size_t size) {
  constexpr size_t kBlockSize = 64 * 1024;
  constexpr size_t kLargeText = kBlockSize / 4;
  // A large text gets a block of its own, so that the unused rest of the
  // current block stays available for small texts.
  if (size > kLargeText) return MakeBlock(size);
  if (size > free_.size()) free_ = MakeBlock(kBlockSize);
  const std::span<char> made = free_.first(size);
  free_ = free_.subspan(size);
  return made;
}

std::string_view TextStore::Add(std::string_view text) {
  const std::span<char> copy = Make(text.size());
  if (!text.empty()) std::memcpy(copy.data(), text.data(), text.size());
  return {copy.data(), copy.size()};
}

void TextStore::Adopt(TextStore other) {
  blocks_.insert(blocks_.end(), std::move_iterator(other.blocks_.begin()),
                 std::move_iterator(other.blocks_.end()));
}

}  // namespace heapprof
