// SPDX-License-Identifier: Apache-2.0
//
// Comparisons made by hand: each stack has a list of entries, leaf first.
#include <array>
#include <cstdint>
#include <span>
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
    comparison_.samples.ranges.resize(profile_.stacks.size());
  }

  void Add(const std::vector<uint32_t>& stack, double value,
           Side side = Side::kNew) {
    Sample sample = {.side = side};
    sample.stack = {static_cast<uint32_t>(profile_.stacks.size())};
    sample.values[comparison_.metric].value = value;
    profile_.samples.push_back(sample);
    profile_.stacks.emplace_back();
    SampleEntries& samples = comparison_.samples;
    samples.ranges.push_back({static_cast<uint32_t>(samples.entries.size()),
                              static_cast<uint32_t>(stack.size())});
    samples.entries.insert(samples.entries.end(), stack.begin(), stack.end());
  }

  EntryStacks StacksOf(size_t entry) const {
    return FindStacksOf(std::array{entry}, comparison_).front();
  }

  double ValueWithout(size_t entry, std::span<const size_t> callees) const {
    const SamplesByStack samples(profile_, profile_.samples);
    return GrowthWithout(profile_, samples, comparison_, StacksOf(entry),
                         callees)
        .now.mean.value;
  }

  std::vector<std::string> Path() const {
    return PathTo(profile_, comparison_, StacksOf(kLeaf));
  }

  Profile profile_;
  Comparison comparison_;
};

TEST_F(CallerPathsTest, PathStartsBehindTheOccurrenceNearestTheRoot) {
  Add({kLeaf, kA, kLeaf, kB, kMain}, 5);
  EXPECT_THAT(Path(), ElementsAre("main", "b"));
}

TEST_F(CallerPathsTest, PathNamesACallerOfItselfOnce) {
  Add({kLeaf, kB, kA, kA, kA, kMain}, 5);
  EXPECT_THAT(Path(), ElementsAre("main", "a", "b"));
}

TEST_F(CallerPathsTest, PathTakesTheFirstOfEqualCallers) {
  Add({kLeaf, kB}, 5);
  Add({kLeaf, kA}, 5);
  EXPECT_THAT(Path(), ElementsAre("a"));
}

TEST_F(CallerPathsTest, PathStaysWithinTheStacksOfTheChosenCaller) {
  Add({kLeaf, kA, kMain}, 6);
  Add({kLeaf, kB}, 5);
  Add({kLeaf, kB, kA}, 4);
  // b has more than a in total, and only one of its stacks goes on.
  EXPECT_THAT(Path(), ElementsAre("a", "b"));
}

TEST_F(CallerPathsTest, NothingComesFromStacksWithoutTheEntry) {
  Add({kA, kMain}, 5);
  Add({}, 7);
  EXPECT_THAT(Path(), IsEmpty());
  EXPECT_EQ(ValueWithout(kLeaf, {}), 0);
}

TEST_F(CallerPathsTest, GrowthWithoutCalleesCountsThemBeforeTheLastOccurrence) {
  // The entry main calls a, is called again, and calls b.
  Add({kB, kMain, kA, kMain}, 5);
  Add({kMain, kLeaf}, 3);
  const auto without = [this](size_t callee) {
    return ValueWithout(kMain, std::array{callee});
  };
  EXPECT_EQ(without(kA), 3);
  EXPECT_EQ(without(kB), 3);
  EXPECT_EQ(without(kMain), 3);
  EXPECT_EQ(without(kLeaf), 8);
}

}  // namespace
}  // namespace heapprof
