// SPDX-License-Identifier: Apache-2.0
#include "report/flame_text.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr int64_t kMiB = 1 << 20;

FlameGraph GraphOf(int64_t now, int64_t before = 0) {
  return {.is_comparison = before != 0, .frames = {{.total = {now, before}}}};
}

TEST(FlameTextTest, SaysWhatAFrameHolds) {
  const FlameGraph graph = GraphOf(200 * kMiB);
  const FlameText text(graph, Side::kNew, Unit::kMegabytes);
  FlameFrame frame = {.total = {50 * kMiB, 0}};
  EXPECT_EQ(text.Details(frame), "50.0 MiB, 25.0%");
  frame.self.now = kMiB;
  frame.samples = 1;
  EXPECT_EQ(text.Details(frame), "50.0 MiB, 25.0%, 1 sample, 1.0 MiB itself");
  frame.self.now = frame.total.now;
  frame.samples = 231;
  frame.interval = {48.0 * kMiB, 53.0 * kMiB};
  EXPECT_EQ(text.Details(frame), "50.0 ± 3.0 MiB, 25.0%, 231 samples");
  frame.interval = {1.0 * kMiB, 153.0 * kMiB};
  EXPECT_EQ(text.Amount(frame), "50.0 MiB (1.0 MiB to 153.0 MiB)");
}

TEST(FlameTextTest, SaysOfHowMuchFiltersLeaveTheTotal) {
  FlameGraph graph = GraphOf(20 * kMiB);
  const auto total = [&] {
    return FlameText(graph, Side::kNew, Unit::kMegabytes).Total();
  };
  EXPECT_EQ(total(), "20.0 MiB live");
  graph.filtered_out.now = 30 * kMiB;
  EXPECT_EQ(total(), "20.0 MiB of 50.0 MiB live");
  graph = GraphOf(20 * kMiB, 10 * kMiB);
  graph.filtered_out.base = 5 * kMiB;
  EXPECT_EQ(total(),
            "10.0 MiB → 20.0 MiB (+10.0 MiB) of 15.0 MiB → 20.0 MiB live");
}

TEST(FlameTextTest, SaysHowAFrameHasChanged) {
  const FlameGraph graph = GraphOf(100 * kMiB, 50 * kMiB);
  const FlameText text(graph, Side::kNew, Unit::kMegabytes);
  FlameFrame frame = {.total = {12 * kMiB, 10 * kMiB},
                      .interval = Interval{1.0 * kMiB, 3.0 * kMiB},
                      .change = FrameChange::kGrown};
  EXPECT_EQ(text.Details(frame), "10.0 MiB → 12.0 MiB (+2.0 ± 1.0 MiB), 12.0%");
  frame.interval = {-1.0 * kMiB, 5.0 * kMiB};
  frame.change = FrameChange::kNone;
  EXPECT_EQ(text.Details(frame),
            "10.0 MiB → 12.0 MiB (+2.0 ± 3.0 MiB), 12.0%; may be chance");
  EXPECT_EQ(text.Details({.total = {kMiB, kMiB}}),
            "1.0 MiB → 1.0 MiB (0 B), 1.0%; unchanged");
  EXPECT_EQ(
      text.Details(
          {.total = {kMiB, 0}, .change = FrameChange::kGrown, .is_new = true}),
      "0 B → 1.0 MiB (+1.0 MiB), 1.0%; new");
  EXPECT_EQ(text.Details({.total = {0, kMiB}, .change = FrameChange::kShrunk}),
            "1.0 MiB → 0 B (-1.0 MiB), 0%; gone");
}

TEST(FlameTextTest, KnowsOtherUnits) {
  const FlameGraph graph = GraphOf(200, 100);
  const FlameFrame frame = {.total = {200, 100},
                            .interval = Interval{40, 170},
                            .change = FrameChange::kGrown};
  EXPECT_EQ(FlameText(graph, Side::kBase, Unit::kBytes).Details(frame),
            "100 B → 200 B (+100 B ± 70 B), 100%");
  EXPECT_EQ(FlameText(graph, Side::kNew, Unit::kObjects)
                .Details({.total = {101, 100}, .change = FrameChange::kGrown}),
            "100 objects → 101 objects (+1 object), 50.5%");
}

}  // namespace
}  // namespace heapprof
