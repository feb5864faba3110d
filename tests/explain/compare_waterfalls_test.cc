// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/example.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {
namespace {

// The example after it has grown by 4 MiB, of which 1 MiB are other mappings
// and 3 MiB are jemalloc's.
WaterfallInputs GrownInputs() {
  WaterfallInputs inputs = ExampleInputs();
  constexpr uint64_t kMebibyte = 1 << 20;
  AllocatorStats& stats = inputs.stats;
  stats.total->small->front().slabs += 3 * kMebibyte / 8192;
  stats.active = *stats.active + 3 * kMebibyte;
  stats.resident = *stats.resident + 3 * kMebibyte;
  stats.mapped = *stats.mapped + 4 * kMebibyte;
  inputs.memory->rss += 4 * kMebibyte;
  *inputs.memory->anonymous += 4 * kMebibyte;
  RegionSums& regions = *inputs.memory->regions;
  regions[RegionKind::kUnreserved].size += 4 * kMebibyte;
  regions[RegionKind::kUnreserved].resident += 3 * kMebibyte;
  regions[RegionKind::kOther].resident += kMebibyte;
  return inputs;
}

void ExpectSums(const Waterfall& waterfall, size_t number) {
  int64_t now = 0, base = 0;
  for (const WaterfallLine& line : waterfall.lines) {
    now += line.bytes;
    base += line.base_bytes;
  }
  EXPECT_EQ(now, waterfall.total) << number;
  EXPECT_EQ(base, waterfall.base_total) << number;
  EXPECT_TRUE(
      std::ranges::is_sorted(waterfall.lines, {}, &WaterfallLine::kind));
}

int64_t GrowthOf(const Waterfall& waterfall, LineKind kind) {
  const auto it =
      std::ranges::find(waterfall.lines, kind, &WaterfallLine::kind);
  return it == waterfall.lines.end() ? 0 : it->bytes - it->base_bytes;
}

bool Says(const Waterfall& waterfall, RemarkKind kind) {
  return std::ranges::find(waterfall.remarks, kind, &Remark::kind) !=
         waterfall.remarks.end();
}

TEST(CompareWaterfallsTest, SaysWhichLinesHaveGrown) {
  const auto waterfall = CompareWaterfalls(ExampleInputs(), GrownInputs());
  ASSERT_TRUE(waterfall);
  ExpectSums(*waterfall, 0);
  EXPECT_EQ(waterfall->base_total, 3 << 20);
  EXPECT_EQ(waterfall->total, 7 << 20);
  EXPECT_EQ(GrowthOf(*waterfall, LineKind::kFreeRegions), 3 << 20);
  EXPECT_EQ(GrowthOf(*waterfall, LineKind::kOther), 1 << 20);
  EXPECT_EQ(GrowthOf(*waterfall, LineKind::kLive), 0);
  ASSERT_EQ(waterfall->classes.size(), 1u);
  EXPECT_EQ(waterfall->classes[0].base.free_bytes(), 3200u * 128);
  EXPECT_EQ(waterfall->classes[0].small.free_bytes(), (3u << 20) + 3200 * 128);
  // Advice is given for what has grown, whatever else is large.
  for (const WaterfallLine& line : waterfall->lines)
    EXPECT_EQ(line.advice.empty(), line.kind != LineKind::kFreeRegions)
        << line.advice;
  EXPECT_TRUE(waterfall->is_jemalloc_exact);
  EXPECT_FALSE(Says(*waterfall, RemarkKind::kDividedAlike));
}

// What has shrunk does not make more of what has grown.
TEST(CompareWaterfallsTest, AdvisesOnAFairPartOfWhatHasGrown) {
  constexpr uint64_t kMebibyte = 1 << 20;
  WaterfallInputs base = ExampleInputs(), now = GrownInputs();
  (*base.memory->regions)[RegionKind::kFile].resident += 90 * kMebibyte;
  base.memory->rss += 90 * kMebibyte;
  (*now.memory->regions)[RegionKind::kOther].resident += 90 * kMebibyte;
  now.memory->rss += 90 * kMebibyte;
  *now.memory->anonymous += 90 * kMebibyte;
  const auto waterfall = CompareWaterfalls(base, now);
  ASSERT_TRUE(waterfall);
  for (const WaterfallLine& line : waterfall->lines)
    EXPECT_EQ(line.advice, "") << LabelOf(line.kind);
}

// Whatever is known of one side only, the changes add up.
TEST(CompareWaterfallsTest, DividesBothSidesAlike) {
  using Change = void (*)(WaterfallInputs&);
  const Change changes[] = {
      [](WaterfallInputs& in) { in.memory.reset(); },
      [](WaterfallInputs& in) { in.memory->regions.reset(); },
      [](WaterfallInputs& in) {
        in.memory->regions.reset();
        in.memory->anonymous.reset();
      },
      [](WaterfallInputs& in) { in.stats.mapped = 1 << 20; },
      [](WaterfallInputs& in) { in.stats.total.reset(); },
      [](WaterfallInputs& in) { in.stats.total->small.reset(); },
      [](WaterfallInputs& in) { in.stats.total->dirty_pages.reset(); },
      [](WaterfallInputs& in) { in.dump.reset(); },
  };
  for (size_t i = 0; i < std::size(changes); ++i) {
    WaterfallInputs base = ExampleInputs(), now = GrownInputs();
    for (WaterfallInputs* side : {&base, &now}) {
      Sides<WaterfallInputs> sides = {.now = GrownInputs(),
                                      .base = ExampleInputs()};
      changes[i](side == &base ? sides.base : sides.now);
      const auto waterfall = CompareWaterfalls(sides.base, sides.now);
      ASSERT_TRUE(waterfall) << i;
      ExpectSums(*waterfall, i);
      EXPECT_TRUE(Says(*waterfall, RemarkKind::kDividedAlike)) << i;
      // Nothing moves from one line to another because a file is missing.
      for (const WaterfallLine& line : waterfall->lines)
        EXPECT_GE(line.bytes - line.base_bytes, 0)
            << i << ' ' << LabelOf(line.kind);
    }
  }
}

TEST(CompareWaterfallsTest, KeepsLinesThatAreGone) {
  WaterfallInputs base = ExampleInputs();
  RegionSums& regions = *base.memory->regions;
  regions[RegionKind::kGuarded] = {2, 16 << 20, 1 << 20};
  base.memory->rss += 1 << 20;
  *base.memory->anonymous += 1 << 20;
  const auto waterfall = CompareWaterfalls(base, ExampleInputs());
  ASSERT_TRUE(waterfall);
  ExpectSums(*waterfall, 0);
  EXPECT_EQ(GrowthOf(*waterfall, LineKind::kGuarded), -(1 << 20));
}

TEST(CompareWaterfallsTest, IsOnlyAsCertainAsTheLessCertainSide) {
  WaterfallInputs now = ExampleInputs();
  now.stats.total->small->front().sampled = 3;
  const auto waterfall = CompareWaterfalls(ExampleInputs(), now);
  ASSERT_TRUE(waterfall);
  const WaterfallLine& live = waterfall->lines.front();
  EXPECT_EQ(live.kind, LineKind::kLive);
  EXPECT_EQ(live.certainty, Certainty::kEstimate);
}

TEST(CompareWaterfallsTest, BeginsWithTheClassWhoseFreeRegionsGrewMost) {
  WaterfallInputs sides[] = {ExampleInputs(), ExampleInputs()};
  for (WaterfallInputs& side : sides)
    side.stats.total->small->push_back({256, 16, 1, 1});
  sides[1].stats.total->small->back().slabs = 10;
  const auto waterfall = CompareWaterfalls(sides[0], sides[1]);
  ASSERT_TRUE(waterfall);
  ASSERT_EQ(waterfall->classes.size(), 2u);
  EXPECT_EQ(waterfall->classes[0].small.size, 256u);
  EXPECT_LT(waterfall->classes[0].small.free_bytes(),
            waterfall->classes[1].small.free_bytes());
}

TEST(CompareWaterfallsTest, LevelsManyMoments) {
  std::vector<WaterfallInputs> all(4, ExampleInputs());
  EXPECT_FALSE(KeepWhatAllTell(all));
  all[2].memory->regions.reset();
  EXPECT_TRUE(KeepWhatAllTell(all));
  for (const WaterfallInputs& inputs : all) {
    ASSERT_TRUE(inputs.memory);
    EXPECT_FALSE(inputs.memory->regions);
  }
}

}  // namespace
}  // namespace heapprof
