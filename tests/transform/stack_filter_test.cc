// SPDX-License-Identifier: Apache-2.0
#include "transform/stack_filter.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kUnchanged = FilterOutcome::kUnchanged;
constexpr auto kCut = FilterOutcome::kCut;
constexpr auto kRemoved = FilterOutcome::kRemoved;

// A stack, leaf first: location 1 has the lines 0 (inlined) and 1, location 2
// has line 2, location 3 has the lines 3, 4 (both inlined) and 5, and location
// 4, the root, has none.
class StackFilterTest : public testing::Test {
 protected:
  // `lines` and `locations` are those that match.
  FilterOutcome Apply(FilterKind kind, const std::vector<uint32_t>& lines,
                      const std::vector<uint32_t>& locations = {}) {
    std::vector<bool> of_locations(5), of_lines(6);
    for (const uint32_t location : locations) of_locations[location] = true;
    for (const uint32_t line : lines) of_lines[line] = true;
    stack_ = {{{1}, {0, 2}}, {{2}, {2, 1}}, {{3}, {3, 3}}, {{4}, {6, 0}}};
    return ApplyFilter(kind, {of_locations, of_lines}, stack_);
  }

  // "LOCATION: LINE...", leaf first.
  std::vector<std::string> Frames() const {
    std::vector<std::string> frames;
    for (const LocationPart& part : stack_) {
      std::string text = fmt::format("{}:", part.location.index());
      for (uint32_t i = 0; i < part.lines.count; ++i)
        text += fmt::format(" {}", part.lines.first + i);
      frames.push_back(text);
    }
    return frames;
  }

  std::vector<LocationPart> stack_;
};

TEST_F(StackFilterTest, RetainsLocationsWhoseContainingFunctionMatches) {
  EXPECT_EQ(Apply(FilterKind::kRetain, {1, 5}), kCut);
  EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "3: 3 4 5"));
  EXPECT_EQ(Apply(FilterKind::kRetain, {}, {4}), kCut);
  EXPECT_THAT(Frames(), ElementsAre("4:"));
  EXPECT_EQ(Apply(FilterKind::kRetain, {1, 2, 5}, {4}), kUnchanged);
  // Inlined functions do not count.
  EXPECT_EQ(Apply(FilterKind::kRetain, {0, 3, 4}), kRemoved);
}

TEST_F(StackFilterTest, ExcludesWhatRetainWouldKeep) {
  EXPECT_EQ(Apply(FilterKind::kExclude, {1, 5}), kCut);
  EXPECT_THAT(Frames(), ElementsAre("2: 2", "4:"));
  EXPECT_EQ(Apply(FilterKind::kExclude, {0, 3, 4}), kUnchanged);
  EXPECT_EQ(Apply(FilterKind::kExclude, {1, 2, 5}, {4}), kRemoved);
}

TEST_F(StackFilterTest, FocusAndModuleKeepAndIgnoreRemovesWholeStacks) {
  struct Case {
    std::vector<uint32_t> lines, locations;
    bool matches;
  };
  for (const auto& [lines, locations, matches] :
       {Case{{}, {}, false}, Case{{3}, {}, true}, Case{{}, {4}, true}}) {
    const FilterOutcome if_kept = matches ? kUnchanged : kRemoved;
    EXPECT_EQ(Apply(FilterKind::kFocus, lines, locations), if_kept);
    EXPECT_EQ(Apply(FilterKind::kModule, lines, locations), if_kept);
    EXPECT_EQ(Apply(FilterKind::kIgnore, lines, locations),
              matches ? kRemoved : kUnchanged);
  }
  EXPECT_EQ(Apply(FilterKind::kFocus, {3}), kUnchanged);
  EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "2: 2", "3: 3 4 5", "4:"));
}

TEST_F(StackFilterTest, ShowsFromTheMatchNearestTheRoot) {
  EXPECT_EQ(Apply(FilterKind::kShowFrom, {0, 3, 4}), kCut);
  EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "2: 2", "3: 3 4"));
  // All calls of a matching location are kept.
  EXPECT_EQ(Apply(FilterKind::kShowFrom, {3}, {3}), kCut);
  EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "2: 2", "3: 3 4 5"));
  EXPECT_EQ(Apply(FilterKind::kShowFrom, {2}, {4}), kUnchanged);
  EXPECT_EQ(Apply(FilterKind::kShowFrom, {}), kRemoved);
}

TEST_F(StackFilterTest, PrunesFromTheMatchNearestTheLeaf) {
  for (const FilterKind kind : {FilterKind::kPruneFrom, FilterKind::kOwn}) {
    EXPECT_EQ(Apply(kind, {4, 5}, {4}), kCut);
    EXPECT_THAT(Frames(), ElementsAre("3: 4 5", "4:"));
    EXPECT_EQ(Apply(kind, {5}, {3}), kCut);
    EXPECT_THAT(Frames(), ElementsAre("3: 3 4 5", "4:"));
    EXPECT_EQ(Apply(kind, {1}), kCut);
    EXPECT_THAT(Frames(), ElementsAre("1: 1", "2: 2", "3: 3 4 5", "4:"));
    EXPECT_EQ(Apply(kind, {0, 2}), kUnchanged);
    // Unlike ShowFrom, keeps a stack without a match.
    EXPECT_EQ(Apply(kind, {}), kUnchanged);
    EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "2: 2", "3: 3 4 5", "4:"));
  }
}

TEST_F(StackFilterTest, LeavesHidingToHideCalls) {
  EXPECT_EQ(Apply(FilterKind::kHide, {0, 1, 2, 3, 4, 5}, {1, 2, 3, 4}),
            kUnchanged);
  EXPECT_THAT(Frames(), ElementsAre("1: 0 1", "2: 2", "3: 3 4 5", "4:"));
}

TEST_F(StackFilterTest, LeavesNothingOfAStackThatHasNoFrames) {
  stack_.clear();
  const FrameMatches none({}, {});
  EXPECT_EQ(ApplyFilter(FilterKind::kShowFrom, none, stack_), kRemoved);
  EXPECT_EQ(ApplyFilter(FilterKind::kPruneFrom, none, stack_), kUnchanged);
  EXPECT_THAT(Frames(), IsEmpty());
}

}  // namespace
}  // namespace heapprof
