// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/size_class.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/stats/unbias.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(SizeClassTest, HasFourClassesForEachDoubling) {
  std::vector<uint64_t> classes;
  for (uint64_t size = 1; size <= 1100;
       size = classes.empty() ? size : classes.back() + 1)
    classes.push_back(SizeClassOf(size));
  EXPECT_THAT(classes,
              ElementsAre(8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224,
                          256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280));
  EXPECT_EQ(SizeClassOf(0), 8u);
  EXPECT_EQ(SizeClassOf(1u << 20), 1u << 20);
  EXPECT_EQ(SizeClassOf((1u << 20) + 1), (1u << 20) + (1u << 18));
}

uint64_t ClassOfDumped(double objects, double bytes, double period) {
  const Unbiased estimates = Unbias(objects, bytes, period);
  return SizeClassOfObjects(estimates.objects.value, estimates.bytes.value,
                            period);
}

// Lines of real dumps of jemalloc 5.3: 635 objects of 16 KiB, and so on.
TEST(SizeClassTest, UndoesTheRoundingOfJemalloc) {
  constexpr double kPeriod = 16384;
  EXPECT_EQ(ClassOfDumped(635, 10128430, kPeriod), 16384u);
  EXPECT_EQ(ClassOfDumped(193, 12862346, kPeriod), 65536u);
  EXPECT_EQ(ClassOfDumped(4031, 33567315, kPeriod), 8192u);
  EXPECT_EQ(ClassOfDumped(699, 14597521, kPeriod), 20480u);
  EXPECT_EQ(ClassOfDumped(2368, 4855065, kPeriod), 2048u);
  EXPECT_EQ(ClassOfDumped(1, 81939, kPeriod), 81920u);
  EXPECT_EQ(ClassOfDumped(1, 20676, kPeriod), 20480u);
}

// jemalloc 5.3 as its source does it, for each class and number of samples.
TEST(SizeClassTest, FindsTheClassOfAnyNumberOfSamples) {
  for (const double period : {4096.0, 65536.0, 524288.0})
    for (uint64_t size = 8; size <= 16u << 20; size = SizeClassOf(size + 1))
      for (const double samples : {1.0, 2.0, 5.0, 9.0, 40.0, 1000.0}) {
        const auto exact = static_cast<double>(size);
        const double sampled = 1 - std::exp(-exact / period);
        const double objects = samples * std::round(8 / sampled) / 8;
        const double bytes = samples * std::round(exact / sampled);
        const double mean = bytes / objects;
        const double dumped = bytes * (1 - std::exp(-mean / period));
        EXPECT_EQ(ClassOfDumped(std::round(dumped / mean), std::round(dumped),
                                period),
                  size)
            << samples << " samples, period " << period;
        EXPECT_EQ(ClassOfDumped(samples, samples * exact, period), size)
            << samples << " samples before 5.3, period " << period;
      }
}

TEST(SizeClassTest, FindsTheClassOfSumsOfSamples) {
  const Unbiased one = Unbias(635, 10128430, 16384);
  EXPECT_EQ(
      SizeClassOfObjects(2.5 * one.objects.value, 2.5 * one.bytes.value, 16384),
      16384u);
}

TEST(SizeClassTest, TakesTheMeanOfSeveralSizes) {
  EXPECT_EQ(ClassOfDumped(10, 15000, 4096), 1536u);
  EXPECT_EQ(SizeClassOfObjects(10, 15000, 0), 1536u);
  EXPECT_EQ(SizeClassOfObjects(10, 15000, 1), 1536u);
  EXPECT_EQ(SizeClassOfObjects(0, 300, 4096), 0u);
  // A mean of 65619 is that of objects of 64 KiB, but a larger one is not.
  EXPECT_EQ(SizeClassOfObjects(2.5, 2.5 * 65'619, 524'288), 65'536u);
  EXPECT_EQ(SizeClassOfObjects(2.5, 2.5 * 65'900, 524'288), 81'920u);
}

}  // namespace
}  // namespace heapprof
