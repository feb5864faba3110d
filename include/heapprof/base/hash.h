// SPDX-License-Identifier: Apache-2.0
//
// Hashing for tables in memory. The hashes differ from run to run: if they
// could be predicted, a file could be made whose keys all fall into one slot of
// a table, so that reading it takes the square of its size. Therefore never
// store a hash, and never let the order of hashes decide the order of results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace heapprof {

// A random odd number. If a key is multiplied by it, the high bits of the
// 64-bit product depend on all bits of the key, and nobody can say beforehand
// for which keys they are equal. Use these high bits to choose a slot of a hash
// table.
extern const uint64_t kHashMultiplier;
// Another random number.
extern const uint64_t kHashSeed;

// Multiplies two numbers and combines both halves of the product, so that every
// bit of a number can affect every bit of the result.
inline uint64_t FoldedProduct(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Returns the hash of a sequence that `hash` is the hash of, and `next`. `hash`
// must not be a plain number: ids are small, so many pairs of them have the
// same exclusive or.
inline uint64_t AddToHash(uint64_t hash, uint64_t next) {
  return FoldedProduct(hash ^ next ^ kHashSeed, kHashMultiplier);
}

inline uint64_t HashOfPair(uint64_t first, uint64_t second) {
  return AddToHash(AddToHash(0, first), second);
}

// Returns the hash of a text. Two hashes side by side: one alone would wait for
// its last multiplication most of the time.
inline uint64_t HashOfText(std::string_view text) {
  constexpr size_t kWord = sizeof(uint64_t);
  const auto word_at = [text](size_t start, size_t size) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + start, size);
    return word;
  };
  std::array<uint64_t, 2> hashes = {kHashMultiplier, kHashMultiplier};
  size_t start = 0;
  for (; start + 4 * kWord <= text.size(); start += 4 * kWord)
    for (size_t i = 0; i < hashes.size(); ++i)
      hashes[i] = FoldedProduct(
          word_at(start + 2 * i * kWord, kWord) ^ kHashSeed,
          word_at(start + (2 * i + 1) * kWord, kWord) ^ hashes[i]);
  for (; start + kWord <= text.size(); start += kWord)
    hashes[0] = AddToHash(hashes[0], word_at(start, kWord));
  if (start < text.size())
    hashes[0] = AddToHash(hashes[0], word_at(start, text.size() - start));
  // Mixes one of them first: the text has another hash if they are exchanged.
  return AddToHash(AddToHash(hashes[0], text.size()), hashes[1]);
}

// For the standard library's hash tables whose keys come from a file.
struct RandomHash {
  size_t operator()(uint64_t key) const { return AddToHash(0, key); }
  size_t operator()(std::string_view text) const { return HashOfText(text); }
};

}  // namespace heapprof
