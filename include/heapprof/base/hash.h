// SPDX-License-Identifier: Apache-2.0
//
// Multiplicative (Fibonacci) hashing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace heapprof {

// 2^64 divided by the golden ratio, rounded to an odd number. If a key is
// multiplied by it, the high bits of the 64-bit product depend on all bits of
// the key. Use these high bits to choose a slot of a hash table.
inline constexpr uint64_t kHashMultiplier = 0x9e3779b97f4a7c15;

// Returns the hash of a sequence that `hash` is the hash of, and `next`.
constexpr uint64_t AddToHash(uint64_t hash, uint64_t next) {
  return ((hash ^ (hash >> 32)) + next) * kHashMultiplier;
}

// Returns the hash of a text. Four hashes side by side: one alone would wait
// for its last multiplication most of the time, as std::hash does.
inline uint64_t HashOfText(std::string_view text) {
  constexpr size_t kWord = sizeof(uint64_t);
  const auto word_at = [text](size_t start, size_t size) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + start, size);
    return word;
  };
  std::array<uint64_t, 4> hashes = {text.size(), 1, 2, 3};
  size_t start = 0;
  for (; start + hashes.size() * kWord <= text.size();
       start += hashes.size() * kWord)
    for (size_t i = 0; i < hashes.size(); ++i)
      hashes[i] = AddToHash(hashes[i], word_at(start + i * kWord, kWord));
  for (; start + kWord <= text.size(); start += kWord)
    hashes[0] = AddToHash(hashes[0], word_at(start, kWord));
  if (start < text.size())
    hashes[0] = AddToHash(hashes[0], word_at(start, text.size() - start));
  for (size_t i = 1; i < hashes.size(); ++i)
    hashes[0] = AddToHash(hashes[0], hashes[i]);
  return hashes[0];
}

}  // namespace heapprof
