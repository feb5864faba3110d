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
  IndexStrings(std::span<const uint8_t> blocks,
               std::span<const uint8_t> strings)
      : blocks_(blocks), strings_(strings) {}

  // Nothing if there is no such string, or if it is implausibly long.
  std::optional<std::string> Get(uint32_t number);

 private:
  std::span<const uint8_t> blocks_;
  std::span<const uint8_t> strings_;
  std::string text_;  // being put together; kept for its memory
  // Bytes that may still be put together: a string may claim to begin like
  // the one before, and so on. Each string adds more than those of sound
  // indexes take.
  static constexpr uint64_t kBytesPerString = 8 << 10;
  uint64_t budget_ = uint64_t{256} << 20;
};

}  // namespace heapprof
