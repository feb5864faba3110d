// SPDX-License-Identifier: Apache-2.0
//
// Short texts that a report writes millions of times: labels, addresses and
// numbers.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Write() copies whole chunks: a few moves for a short text, where a copy of
// its exact size would be a call.
class TextTable {
 public:
  static constexpr size_t kChunk = 16;

  // Adds a text and what is to follow it as one, and returns its index: the
  // number of texts before it.
  size_t Add(std::string_view text, std::string_view suffix = {}) {
    texts_.resize(ends_.back());
    texts_ += text;
    texts_ += suffix;
    ends_.push_back(texts_.size());
    texts_.append(kChunk, ' ');
    return ends_.size() - 2;
  }
  size_t SizeOf(size_t index) const { return ends_[index + 1] - ends_[index]; }
  // Writes the text to `to`, where kChunk more bytes than its size must be
  // free. Returns the end of the text.
  char* Write(size_t index, char* to) const {
    const char* from = texts_.data() + ends_[index];
    const size_t size = SizeOf(index);
    for (size_t i = 0; i < size; i += kChunk)
      std::memcpy(to + i, from + i, kChunk);
    return to + size;
  }

 private:
  std::string texts_;  // one after the other, and one chunk more
  std::vector<size_t> ends_ = {0};
};

}  // namespace heapprof
