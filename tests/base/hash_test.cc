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

}  // namespace
}  // namespace heapprof
