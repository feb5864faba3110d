// SPDX-License-Identifier: Apache-2.0
//
// Holds many texts. A text keeps its address until the store that owns it is
// destroyed. Adopt() passes the ownership from one store to another.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace heapprof {

class TextStore {
 public:
  // Copies `text` into the store and returns the copy.
  std::string_view Add(std::string_view text);
  // Returns `size` bytes of the store, which the caller fills with a text.
  std::span<char> Make(size_t size);
  // Takes ownership of the texts of `other`.
  void Adopt(TextStore other);

 private:
  std::span<char> MakeBlock(size_t size);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::span<char> free_;  // the unused rest of a block
};

}  // namespace heapprof
