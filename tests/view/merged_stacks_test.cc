// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/merged_stacks.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(MergedStacksTest, HasTheNumbersOfTheLabelsOfEachStack) {
  // Neighbours share frames, all of them, or none; and some have frames with
  // inlined calls, or adjacent frames with the same label.
  const Profile profile = ProfileOf(
      "a!main%a.cc:1;a!f%a.cc:1|g%b.h:2;a!f%a.cc:1;a!f%a.cc:1|f%a.cc:1 1\n"
      "a!main%a.cc:1;a!g%b.h:2;a!f%a.cc:1;a!f%a.cc:1|f%a.cc:1 2\n"
      "a!f%a.cc:1;a!f%a.cc:1|f%a.cc:1 3\n"
      "b!h%b.h:7;a!f%a.cc:1;a!f%a.cc:1|f%a.cc:1 4\n"
      "b!h%b.h:7 5");
  std::vector<StackId> used;
  for (const Sample& sample : profile.samples) used.push_back(sample.stack);
  used.push_back(used.front());
  for (const Granularity granularity :
       {Granularity::kFunctions, Granularity::kFiles, Granularity::kModules}) {
    const FrameLabels labels(profile, {.granularity = granularity});
    std::vector<uint32_t> numbers(labels.size());
    std::iota(numbers.begin(), numbers.end(), 100);
    for (const StackOrder order :
         {StackOrder::kLeafFirst, StackOrder::kRootFirst}) {
      const MergedStacks merged =
          MergeStacks(profile, used, {labels, numbers, order});
      for (const StackId stack : used) {
        std::vector<uint32_t> expected =
            labels.OfStack(profile.StackFrames(stack));
        for (uint32_t& label : expected) label += 100;
        if (order == StackOrder::kRootFirst) std::ranges::reverse(expected);
        const auto found =
            merged.LabelsOf(merged.rows[merged.row_of[stack.index()]]);
        EXPECT_EQ(std::vector(found.begin(), found.end()), expected);
      }
    }
  }
}

TEST(MergedStacksTest, MergesStacksWithTheSameNumbers) {
  const Profile profile = ProfileOf("m;f;x 1\nm;f;y 2\nm;f 4");
  const FrameLabels labels(profile, {});
  const std::vector<uint32_t> all_equal(labels.size(), 7);
  const MergedStacks merged =
      MergeStacks(profile, Metric::kInuseSpace, {labels, all_equal});
  ASSERT_EQ(merged.rows.size(), 2u);
  std::vector<double> values;
  for (const StackRow& row : merged.rows) values.push_back(row.values.now);
  std::ranges::sort(values);
  EXPECT_EQ(values, (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace heapprof
