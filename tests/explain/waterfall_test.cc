// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/waterfall.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/example.h"

namespace heapprof {
namespace {

Waterfall Make(const WaterfallInputs& inputs) {
  auto waterfall = MakeWaterfall(inputs);
  EXPECT_TRUE(waterfall);
  return waterfall.value_or(Waterfall());
}

const WaterfallLine* FindLine(const Waterfall& waterfall, LineKind kind) {
  const auto it =
      std::ranges::find(waterfall.lines, kind, &WaterfallLine::kind);
  return it == waterfall.lines.end() ? nullptr : &*it;
}

int64_t BytesOf(const Waterfall& waterfall, LineKind kind) {
  const WaterfallLine* line = FindLine(waterfall, kind);
  return line == nullptr ? 0 : line->bytes;
}

int64_t SumOfLines(const Waterfall& waterfall) {
  int64_t sum = 0;
  for (const WaterfallLine& line : waterfall.lines) sum += line.bytes;
  return sum;
}

TEST(WaterfallTest, DividesTheHeap) {
  const Waterfall waterfall = Make(ExampleInputs());
  // Four sampled objects take an extent of 16 KiB and a spare page.
  constexpr int64_t kExtents = 4 * (16384 - 128), kPads = 4 * 4096;
  EXPECT_EQ(BytesOf(waterfall, LineKind::kLive),
            3200 * 128 + 10 * 16384 - 20000 - 30000 - kExtents);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kFreeRegions), 3200 * 128);
  // Less than a mebibyte.
  EXPECT_EQ(FindLine(waterfall, LineKind::kFreeRegions)->advice, "");
  EXPECT_EQ(BytesOf(waterfall, LineKind::kThreadCaches), 30000);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kSampledExtents), kExtents + kPads);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kPads), 6 * 4096);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kDirty), 50 * 4096);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kInternal), 20000);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kBase), 200 * 4096);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kUntouched), (1 << 20) - 500 * 4096);
  EXPECT_EQ(waterfall.total, 3 << 20);
  EXPECT_TRUE(waterfall.is_jemalloc_exact);
}

// Whatever is not known, the lines add up.
TEST(WaterfallTest, LinesAddUp) {
  std::vector<WaterfallInputs> cases(10, ExampleInputs());
  cases[1].memory->regions.reset();
  cases[2].memory->anonymous.reset();
  cases[2].memory->regions.reset();
  cases[3].memory.reset();
  cases[4].stats.total.reset();
  cases[5].stats.total->dirty_pages.reset();
  cases[6].stats.mapped = 1 << 20;
  cases[7].dump.reset();
  cases[8].stats.version = "5.3.1";
  // Mappings are not told apart, and some of their pages are swapped out.
  cases[9].stats.mapped = 1 << 20;
  for (const RegionKind kind : {RegionKind::kUnreserved, RegionKind::kOther})
    (*cases[9].memory->regions)[kind].swapped = 3 * kExamplePage;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Waterfall waterfall = Make(cases[i]);
    EXPECT_EQ(SumOfLines(waterfall), waterfall.total) << i;
    EXPECT_EQ(waterfall.total, i == 3 ? 500 * 4096 : 3 << 20) << i;
    EXPECT_EQ(waterfall.jemalloc,
              waterfall.is_jemalloc_exact ? 1 << 20 : 500 * 4096)
        << i;
  }
}

TEST(WaterfallTest, WithoutRegionsOtherMemoryIsNotToldApart) {
  WaterfallInputs inputs = ExampleInputs();
  inputs.memory->regions.reset();
  const Waterfall waterfall = Make(inputs);
  EXPECT_EQ(FindLine(waterfall, LineKind::kUntouched), nullptr);
  EXPECT_EQ(FindLine(waterfall, LineKind::kOther), nullptr);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kUntold), (2 << 20) - 500 * 4096);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kFiles), 1 << 20);
}

TEST(WaterfallTest, SwappedPagesWereTouched) {
  WaterfallInputs inputs = ExampleInputs();
  const int64_t untouched = BytesOf(Make(inputs), LineKind::kUntouched);
  constexpr int64_t kSwapped = 5 * 4096;
  inputs.memory->swapped = kSwapped;
  (*inputs.memory->regions)[RegionKind::kUnreserved].swapped = kSwapped;
  Waterfall waterfall = Make(inputs);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kSwapped), -kSwapped);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kUntouched), untouched + kSwapped);
  EXPECT_EQ(SumOfLines(waterfall), waterfall.total);

  inputs.memory->regions.reset();  // as smaps_rollup and status
  waterfall = Make(inputs);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kSwapped), -kSwapped);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kUntold),
            (2 << 20) + kSwapped - 500 * 4096);
  EXPECT_EQ(SumOfLines(waterfall), waterfall.total);
}

// The kernel keeps a huge page whole, though jemalloc has given a part back.
TEST(WaterfallTest, MemoryThatWasGivenBackMayStayResident) {
  WaterfallInputs inputs = ExampleInputs();
  const int64_t untouched = BytesOf(Make(inputs), LineKind::kUntouched);
  EXPECT_LT(untouched, 0);
  constexpr int64_t kMore = 2 << 20;
  inputs.memory->rss += kMore;
  inputs.memory->huge_pages = kMore;
  (*inputs.memory->regions)[RegionKind::kUnreserved].resident += kMore;
  const Waterfall waterfall = Make(inputs);
  EXPECT_EQ(FindLine(waterfall, LineKind::kUntouched), nullptr);
  const WaterfallLine* const line = FindLine(waterfall, LineKind::kGivenBack);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->bytes, untouched + kMore);
  EXPECT_TRUE(line->advice.contains("thp:never")) << line->advice;
  EXPECT_EQ(SumOfLines(waterfall), waterfall.total);
}

TEST(WaterfallTest, SampledObjectsAreInNoClassSince531) {
  WaterfallInputs inputs = ExampleInputs();
  inputs.stats.version = "5.3.1";
  inputs.stats.active = *inputs.stats.active + 5 * kExamplePage;
  const Waterfall waterfall = Make(inputs);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kSampledExtents), 5 * kExamplePage);
  EXPECT_EQ(FindLine(waterfall, LineKind::kUnlisted), nullptr);
}

TEST(WaterfallTest, CountedSampledObjectsMakeTheLiveHeapExact) {
  WaterfallInputs inputs = ExampleInputs();
  EXPECT_EQ(FindLine(Make(inputs), LineKind::kLive)->certainty,
            Certainty::kEstimate);
  (*inputs.stats.total->small)[0].sampled = 3;
  EXPECT_EQ(FindLine(Make(inputs), LineKind::kLive)->certainty,
            Certainty::kExact);
  EXPECT_EQ(BytesOf(Make(inputs), LineKind::kSampledExtents),
            3 * (16384 - 128 + 4096));
  inputs.stats.total->small->front().sampled.reset();
  inputs.dump.reset();
  EXPECT_EQ(FindLine(Make(inputs), LineKind::kLive)->certainty,
            Certainty::kAtMost);
}

// A dump of another process must not move more than there is.
TEST(WaterfallTest, LimitsSampledObjectsToTheExtentsThereAre) {
  WaterfallInputs inputs = ExampleInputs();
  inputs.dump->small_objects = ~uint64_t{0};
  inputs.dump->small_bytes = ~uint64_t{0};
  const Waterfall waterfall = Make(inputs);
  EXPECT_EQ(SumOfLines(waterfall), waterfall.total);
  EXPECT_LE(BytesOf(waterfall, LineKind::kSampledExtents), 10 * (16384 + 4096));
  EXPECT_GE(BytesOf(waterfall, LineKind::kSampledExtents), 0);
}

TEST(WaterfallTest, OtherArenasAreNotJemallocs) {
  WaterfallInputs inputs = ExampleInputs();
  RegionSums& regions = *inputs.memory->regions;
  regions[RegionKind::kMallocArena] = {2, 64 << 20, 1 << 19};
  inputs.memory->rss += 1 << 19;
  Waterfall waterfall = Make(inputs);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kMallocArenas), 1 << 19);
  EXPECT_TRUE(waterfall.is_jemalloc_exact);
  // jemalloc itself may have such a region.
  regions[RegionKind::kUnreserved].size -= 64 << 10;
  regions[RegionKind::kMallocArena].size = 64 << 10;
  regions[RegionKind::kMallocArena].swapped = 1 << 16;
  waterfall = Make(inputs);
  EXPECT_EQ(FindLine(waterfall, LineKind::kMallocArenas), nullptr);
  EXPECT_EQ(BytesOf(waterfall, LineKind::kSwapped), -(1 << 16));
  EXPECT_TRUE(waterfall.is_jemalloc_exact);
  EXPECT_EQ(SumOfLines(waterfall), waterfall.total);
}

TEST(WaterfallTest, FailsWithoutTheSums) {
  WaterfallInputs inputs = ExampleInputs();
  inputs.stats.resident.reset();
  const auto waterfall = MakeWaterfall(inputs);
  ASSERT_FALSE(waterfall);
  EXPECT_EQ(waterfall.error().kind, ErrorKind::kNoData);
}

}  // namespace
}  // namespace heapprof
