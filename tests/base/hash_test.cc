// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/hash.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(HashOfTextTest, DependsOnEachCharacterAndOnTheLength) {
  std::set<uint64_t> hashes = {HashOfText("")};
  size_t count = 1;
  for (size_t size = 1; size <= 80; ++size) {
    std::string text(size, '\0');
    hashes.insert(HashOfText(text));
    for (char& c : text) {
      c = 'x';
      hashes.insert(HashOfText(text));
      c = '\0';
    }
    count += 1 + size;
  }
  EXPECT_EQ(hashes.size(), count);
}

TEST(HashOfTextTest, ReadsNothingBehindTheText) {
  const std::string text = "0123456789";
  EXPECT_EQ(HashOfText(std::string_view(text).substr(0, 9)),
            HashOfText("012345678"));
}

// Ids are small, so few numbers are the exclusive or of two of them.
TEST(HashOfPairTest, DiffersForEachPairOfIds) {
  std::set<uint64_t> hashes;
  for (uint64_t first = 0; first < 64; ++first)
    for (uint64_t second = 0; second < 64; ++second)
      hashes.insert(HashOfPair(first, second));
  EXPECT_EQ(hashes.size(), 64u * 64);
}

// Keys with equal hashes are easy to find if the multiplier is known, as the
// golden ratio is, by which hash tables like to multiply.
TEST(HashMultiplierTest, IsARandomOddNumber) {
  EXPECT_NE(kHashMultiplier, 0x9e3779b97f4a7c15);
  EXPECT_EQ(kHashMultiplier % 2, 1u);
}

TEST(RandomHashTest, HashesNumbersAndTexts) {
  EXPECT_NE(RandomHash()(uint64_t{1}), RandomHash()(uint64_t{2}));
  EXPECT_EQ(RandomHash()(std::string_view("ab")), HashOfText("ab"));
}

}  // namespace
}  // namespace heapprof
