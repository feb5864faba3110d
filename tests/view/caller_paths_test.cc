// SPDX-License-Identifier: Apache-2.0
//
// Comparisons made by hand: each sample has a list of entries, leaf first.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/view/comparison.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kLeaf = 0;
constexpr uint32_t kA = 1, kB = 2, kMain = 3;

class CallerPathsTest : public testing::Test {
 protected:
  CallerPathsTest() {
    profile_.is_comparison = true;
    comparison_.sides.now =
        comparison_.sides.base = {.runs = 1, .period = 1, .is_exact = true};
    for (const char* name : {"leaf", "a", "b", "main"})
      comparison_.entries.push_back({.key = name, .name = name});
    comparison_.entries[kLeaf].change = 1;
  }

  void Add(const std::vector<uint32_t>& stack, double value,
           Side side = Side::kNew) {
    Sample sample = {.side = side};
    sample.values[comparison_.metric].value = value;
    profile_.samples.push_back(sample);
    SampleEntries& samples = comparison_.samples;
    samples.ranges.push_back({static_cast<uint32_t>(samples.entries.size()),
                              static_cast<uint32_t>(stack.size())});
    samples.entries.insert(samples.entries.end(), stack.begin(), stack.end());
  }

  EntrySamples SamplesOf(size_t entry) const {
    return FindSamplesOf(std::array{entry}, comparison_).front();
  }

  std::vector<std::string> Path() const {
    return PathTo(profile_, comparison_, SamplesOf(kLeaf));
  }

  Profile profile_;
  Comparison comparison_;
};

TEST_F(CallerPathsTest, PathStartsBehindTheOccurrenceNearestTheRoot) {
  Add({kLeaf, kA, kLeaf, kB, kMain}, 5);
  EXPECT_THAT(Path(), ElementsAre("main", "b"));
}

TEST_F(CallerPathsTest, PathTakesTheFirstOfEqualCallers) {
  Add({kLeaf, kB}, 5);
  Add({kLeaf, kA}, 5);
  EXPECT_THAT(Path(), ElementsAre("a"));
}

TEST_F(CallerPathsTest, PathStaysWithinTheStacksOfTheChosenCaller) {
  Add({kLeaf, kA, kMain}, 6);
  Add({kLeaf, kB}, 5);
  Add({kLeaf, kB, kB}, 4);
  // b has more than a in total, and only one of its stacks goes on.
  EXPECT_THAT(Path(), ElementsAre("b", "b"));
}

TEST_F(CallerPathsTest, NothingComesFromStacksWithoutTheEntry) {
  Add({kA, kMain}, 5);
  Add({}, 7);
  EXPECT_THAT(Path(), IsEmpty());
  EXPECT_EQ(
      GrowthWithout(profile_, comparison_, SamplesOf(kLeaf), {}).now.mean.value,
      0);
}

TEST_F(CallerPathsTest, GrowthWithoutCalleesCountsThemBeforeTheLastOccurrence) {
  // The entry main calls a, is called again, and calls b.
  Add({kB, kMain, kA, kMain}, 5);
  Add({kMain, kLeaf}, 3);
  const auto without = [this](size_t callee) {
    return GrowthWithout(profile_, comparison_, SamplesOf(kMain),
                         std::array{callee})
        .now.mean.value;
  };
  EXPECT_EQ(without(kA), 3);
  EXPECT_EQ(without(kB), 3);
  EXPECT_EQ(without(kMain), 3);
  EXPECT_EQ(without(kLeaf), 8);
}

}  // namespace
}  // namespace heapprof
