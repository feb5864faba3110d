// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/frame_limit.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Frames as an engine keeps them. Line i is that of the i-th frame of a run.
struct Kept {
  explicit Kept(size_t addresses) : limit(addresses), runs(addresses) {}

  void AddRun(size_t address, uint32_t count) {
    for (uint32_t i = 1; i <= count; ++i) {
      limit.Add({.line = i}, runs[address], frames);
      if (limit.IsExceeded(frames)) limit.Lower(runs, frames);
    }
  }
  std::vector<uint32_t> LinesOf(size_t address) const {
    std::vector<uint32_t> lines;
    for (uint32_t i = 0; i < runs[address].count; ++i)
      lines.push_back(frames.at(runs[address].first + i).line);
    return lines;
  }

  FrameLimit limit;
  std::vector<FrameRun> runs;
  std::vector<SourceFrame> frames;
};

// The innermost frames, and the last one.
std::vector<uint32_t> LinesOfRun(uint32_t count, uint32_t most) {
  std::vector<uint32_t> lines(std::min(count, most));
  std::iota(lines.begin(), lines.end(), 1);
  if (!lines.empty()) lines.back() = count;
  return lines;
}

TEST(FrameLimitTest, KeepsAllFramesOfRealPrograms) {
  Kept kept(10'000);
  for (size_t i = 0; i < 10'000; ++i) kept.AddRun(i, 40);
  EXPECT_EQ(kept.limit.most(), 0u);
  EXPECT_EQ(kept.frames.size(), 400'000u);
}

TEST(FrameLimitTest, KeepsLongChainsOfFewAddresses) {
  Kept kept(1000);
  for (size_t i = 0; i < 1000; ++i) kept.AddRun(i, 1001);
  EXPECT_EQ(kept.limit.most(), 0u);
  EXPECT_EQ(kept.LinesOf(999), LinesOfRun(1001, 1001));
}

TEST(FrameLimitTest, LowersAsFarAsNeeded) {
  struct {
    size_t addresses;
    uint32_t frames;
    uint32_t most;
  } const cases[] = {{1200, 1001, 512}, {24'000, 90, 64}, {60'000, 100, 32}};
  for (const auto& [addresses, frames, most] : cases) {
    Kept kept(addresses);
    for (size_t i = 0; i < addresses; ++i) kept.AddRun(i, frames);
    EXPECT_EQ(kept.limit.most(), most);
    EXPECT_EQ(kept.frames.size(), addresses * most);
    EXPECT_EQ(kept.LinesOf(0), LinesOfRun(frames, most));
    EXPECT_EQ(kept.LinesOf(addresses - 1), LinesOfRun(frames, most));
  }
}

// Threads and engines look up addresses in different orders and parts.
TEST(FrameLimitTest, KeepsTheSameInAnyOrderAndInParts) {
  constexpr size_t kAddresses = 20'000;
  std::mt19937 random(1);
  std::vector<uint32_t> counts(kAddresses);
  for (uint32_t& count : counts)
    count = random() % 5 == 0 ? static_cast<uint32_t>(random() % 900) : 3;
  std::vector<size_t> order(kAddresses);
  std::iota(order.begin(), order.end(), 0);
  Kept ascending(kAddresses);
  for (const size_t i : order) ascending.AddRun(i, counts[i]);
  const uint32_t most = ascending.limit.most();
  ASSERT_NE(most, 0u);
  for (size_t i = 0; i < kAddresses; ++i)
    ASSERT_EQ(ascending.LinesOf(i), LinesOfRun(counts[i], most));

  std::ranges::shuffle(order, random);
  Kept shuffled(kAddresses);
  for (const size_t i : order) shuffled.AddRun(i, counts[i]);
  EXPECT_EQ(shuffled.limit.most(), most);
  for (size_t i = 0; i < kAddresses; ++i)
    ASSERT_EQ(shuffled.LinesOf(i), ascending.LinesOf(i));

  Kept joined(kAddresses);
  for (size_t first = 0; first < kAddresses; first += kAddresses / 2) {
    Kept part(kAddresses);
    for (size_t i = first; i < first + kAddresses / 2; ++i)
      part.AddRun(order[i], counts[order[i]]);
    joined.limit.Lower(joined.runs, joined.frames, part.limit.most());
    for (size_t i = first; i < first + kAddresses / 2; ++i)
      for (const uint32_t line : part.LinesOf(order[i]))
        joined.limit.Add({.line = line}, joined.runs[order[i]], joined.frames);
    if (joined.limit.IsExceeded(joined.frames))
      joined.limit.Lower(joined.runs, joined.frames);
  }
  EXPECT_EQ(joined.limit.most(), most);
  for (size_t i = 0; i < kAddresses; ++i)
    ASSERT_EQ(joined.LinesOf(i), ascending.LinesOf(i));
}

}  // namespace
}  // namespace heapprof
