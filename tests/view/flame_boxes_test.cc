// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flame_boxes.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

FlameGraph GraphOf(const Profile& profile) {
  const FrameTree tree = MakeFrameTree(profile, {.counts_samples = true});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  return MakeFlameGraph(tree, 0, errors, FrameChanges(tree, 0, errors), {});
}

// "2 frame 10+90 5": depth, kind, x and width, and the index of the frame or,
// of sums, "number of frames = total".
std::vector<std::string> BoxesOf(std::string_view text,
                                 const FlameBoxOptions& options) {
  std::vector<std::string> texts;
  for (const FlameBox& box :
       MakeFlameBoxes(GraphOf(ProfileOf(text)), options)) {
    const char* kinds[] = {"frame", "others", "deeper"};
    texts.push_back(fmt::format(
        "{} {} {}+{} {}", box.depth, kinds[static_cast<size_t>(box.kind)],
        box.x, box.width,
        box.kind == BoxKind::kFrame
            ? fmt::to_string(box.frame)
            : fmt::format("{}={}", box.sum.others, box.sum.total.now)));
  }
  return texts;
}

TEST(FlameBoxesTest, ArePlacedOnTheirCallers) {
  EXPECT_THAT(BoxesOf("a;b 20\na;c 30\na 10\nd 40\n", {.width = 100}),
              ElementsAre("0 frame 0+100 0", "1 frame 0+60 1", "2 frame 0+20 2",
                          "2 frame 20+30 3", "1 frame 60+40 4"));
}

TEST(FlameBoxesTest, SumUpWhatIsTooThin) {
  EXPECT_THAT(
      BoxesOf("a;b 3\na;c;d 2\na;e 45\nf 50\n", {.width = 100, .min_width = 4}),
      ElementsAre("0 frame 0+100 0", "1 frame 0+50 1", "2 frame 0+45 5",
                  "2 others 45+5 3=5", "1 frame 50+50 6"));
}

TEST(FlameBoxesTest, OfOthersCanBeSeen) {
  // A thousandth of a pixel; the sum is on top of a caller without a gap.
  EXPECT_THAT(BoxesOf("a;b 1\na;c 99999\n", {.width = 100}),
              ElementsAre("0 frame 0+100 0", "1 frame 0+100 1",
                          "2 frame 0+99.999 3", "2 others 99+1 1=1"));
}

TEST(FlameBoxesTest, AreNoWiderThanTheirCaller) {
  EXPECT_THAT(BoxesOf("a;b 1\na;c 1\nd 98\n", {.width = 25, .min_width = 0.5}),
              ElementsAre("0 frame 0+25 0", "1 frame 0+0.5 1",
                          "2 others 0+0.5 2=2", "1 frame 0.5+24.5 4"));
}

TEST(FlameBoxesTest, SumUpWhatIsTooDeep) {
  EXPECT_THAT(BoxesOf("a;b;c;d 5\na;e 5\n", {.width = 10, .most_levels = 3}),
              ElementsAre("0 frame 0+10 0", "1 frame 0+10 1", "2 frame 0+5 2",
                          "3 deeper 0+5 2=5", "2 frame 5+5 5"));
}

TEST(FlameBoxesTest, ShowEitherSide) {
  const FlameGraph graph = GraphOf(ProfileOf("a 30\nb -10\n"));
  const auto now = MakeFlameBoxes(graph, {.width = 60});
  ASSERT_EQ(now.size(), 3u);
  EXPECT_EQ(now[1].width, 60);
  EXPECT_EQ(now[2].kind, BoxKind::kOthers);
  EXPECT_EQ(now[2].width, kLeastOthers);
  EXPECT_EQ(now[2].sum.total.now, 0);
  EXPECT_EQ(now[2].sum.total.base, 10);
  EXPECT_EQ(now[2].sum.change, FrameChange::kShrunk);
  const auto before = MakeFlameBoxes(graph, {.side = Side::kBase, .width = 60});
  ASSERT_EQ(before.size(), 3u);
  EXPECT_EQ(before[1].frame, 2u);
  EXPECT_EQ(before[1].width, 60);
  EXPECT_TRUE(before[2].sum.is_new);
}

TEST(FlameBoxesTest, SumsHaveErrorBars) {
  Profile profile = ProfileOf("a 100000\nb 100\nc 100\n");
  profile.sampling_period = 25;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 2500;
  const auto boxes =
      MakeFlameBoxes(GraphOf(profile), {.width = 100, .min_width = 1});
  const FlameFrame& sum = boxes.back().sum;
  EXPECT_EQ(sum.others, 2u);
  EXPECT_EQ(sum.samples, 8);
  // Each has 27 to 257.
  EXPECT_EQ(sum.interval->lower, std::floor(200 - std::hypot(73, 73)));
  EXPECT_EQ(sum.interval->upper, std::ceil(200 + std::hypot(157, 157)));
}

TEST(FlameBoxesTest, SumsMayHaveChangedThoughNoPartIsProvenTo) {
  std::string text = "a 100000\na -100000\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("c{0} 100\nc{0} -40\n", i);
  Profile profile = ProfileOf(text);
  profile.sampling_period = 25;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 2500;
  const FlameGraph graph = GraphOf(profile);
  for (const FlameFrame& frame : std::span(graph.frames).subspan(1))
    EXPECT_EQ(frame.change, FrameChange::kNone);
  const auto boxes = MakeFlameBoxes(graph, {.width = 100, .min_width = 1});
  EXPECT_EQ(boxes.back().sum.others, 30u);
  EXPECT_EQ(boxes.back().sum.change, FrameChange::kGrown);
}

TEST(FlameBoxesTest, OfNothingAreNone) {
  EXPECT_THAT(BoxesOf("", {}), ElementsAre());
}

}  // namespace
}  // namespace heapprof
