// SPDX-License-Identifier: Apache-2.0
//
// Memory for many texts, each of which stays where it is as long as the store,
// or another that has adopted it, exists.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace heapprof {

class TextStore {
 public:
  // Copies `text`.
  std::string_view Add(std::string_view text);
  // Memory for a text that the caller writes.
  std::span<char> Make(size_t size);
  // Takes over the texts of `other`.
  void Adopt(TextStore other);

 private:
  std::span<char> MakeBlock(size_t size);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::span<char> free_;  // of one of them
};

}  // namespace heapprof
