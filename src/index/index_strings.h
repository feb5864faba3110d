// SPDX-License-Identifier: Apache-2.0
//
// The strings of an index, by number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace heapprof {

class IndexStrings {
 public:
  // `budget` is how many bytes may be put together, besides those that strings
  // of sound indexes take: one may claim to begin like the one before, and so
  // on.
  IndexStrings(std::span<const uint8_t> blocks,
               std::span<const uint8_t> strings, uint64_t budget)
      : blocks_(blocks), strings_(strings), budget_(budget) {}

  // Nothing if there is no such string, or if it is implausibly long.
  std::optional<std::string> Get(uint32_t number);

 private:
  std::span<const uint8_t> blocks_;
  std::span<const uint8_t> strings_;
  std::string text_;  // being put together; kept for its memory
  uint64_t budget_;
};

}  // namespace heapprof
