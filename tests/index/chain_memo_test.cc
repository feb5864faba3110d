// SPDX-License-Identifier: Apache-2.0
#include "index/chain_memo.h"

#include <cstdint>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Reads made-up chains: that of an address has `address % modulus` frames,
// whose lines are the address. Keeps what was asked for.
struct Reader {
  uint64_t modulus = 3;
  std::vector<uint64_t> asked = {};
  bool is_valid = true;

  InlineChains operator()(std::span<const uint64_t> addresses) {
    asked.assign(addresses.begin(), addresses.end());
    InlineChains chains;
    chains.is_valid = is_valid;
    for (const uint64_t address : addresses) {
      const auto count = static_cast<uint32_t>(address % modulus);
      chains.runs.push_back(
          {static_cast<uint32_t>(chains.frames.size()), count});
      chains.entry_pcs.push_back(address);
      for (uint32_t i = 0; i < count; ++i)
        chains.frames.push_back({.line = static_cast<uint32_t>(address)});
    }
    return chains;
  }
};

std::vector<uint32_t> LinesOf(const InlineChains& chains) {
  std::vector<uint32_t> lines;
  for (const SourceFrame& frame : chains.frames) lines.push_back(frame.line);
  return lines;
}

TEST(ChainMemoTest, ReadsEachChainOnce) {
  ChainMemo memo;
  Reader reader;
  const auto read = [&reader](std::span<const uint64_t> addresses) {
    return reader(addresses);
  };
  EXPECT_THAT(LinesOf(memo.Find(std::vector<uint64_t>{4, 8}, read)),
              ElementsAre(4, 8, 8));
  EXPECT_THAT(reader.asked, ElementsAre(4, 8));
  const InlineChains found =
      memo.Find(std::vector<uint64_t>{1, 3, 4, 8, 10}, read);
  EXPECT_THAT(reader.asked, ElementsAre(1, 3, 10));
  EXPECT_THAT(LinesOf(found), ElementsAre(1, 4, 8, 8, 10));
  ASSERT_EQ(found.runs.size(), 5u);
  EXPECT_EQ(found.runs[1].count, 0u);
  EXPECT_EQ(found.runs[3].first, 2u);
  EXPECT_EQ(found.entry_pcs[3], 8u);
  reader.asked.clear();
  EXPECT_THAT(LinesOf(memo.Find(std::vector<uint64_t>{3, 8}, read)),
              ElementsAre(8, 8));
  EXPECT_THAT(reader.asked, IsEmpty());
}

// A later lookup may keep more or less of them.
TEST(ChainMemoTest, ReadsLongChainsEachTime) {
  ChainMemo memo;
  Reader reader = {.modulus = 1000};
  const auto read = [&reader](std::span<const uint64_t> addresses) {
    return reader(addresses);
  };
  for (int i = 0; i < 2; ++i) {
    const InlineChains found =
        memo.Find(std::vector<uint64_t>{2, 31, 32, 900, 1001}, read);
    EXPECT_EQ(found.frames.size(), 2u + 31 + 32 + 900 + 1);
    EXPECT_EQ(found.frames[found.runs[3].first].line, 900u);
  }
  EXPECT_THAT(reader.asked, ElementsAre(32, 900));
}

TEST(ChainMemoTest, KeepsNothingOfADamagedIndex) {
  ChainMemo memo;
  Reader reader = {.is_valid = false};
  const auto read = [&reader](std::span<const uint64_t> addresses) {
    return reader(addresses);
  };
  EXPECT_FALSE(memo.Find(std::vector<uint64_t>{4}, read).is_valid);
  reader.is_valid = true;
  EXPECT_THAT(LinesOf(memo.Find(std::vector<uint64_t>{4}, read)),
              ElementsAre(4));
}

}  // namespace
}  // namespace heapprof
