// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/series.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::ElementsAre;

std::vector<std::string> PathsOf(const FileSeries& series,
                                 const std::vector<SeriesFile>& files) {
  std::vector<std::string> paths;
  for (const size_t i : series.files) paths.push_back(files[i].path);
  return paths;
}

TEST(FindSeriesTest, OrdersTheDumpsOfAProcessByTheirNumbers) {
  std::vector<SeriesFile> files = {{.path = "d/app.7.10.i10.heap"},
                                   {.path = "d/app.7.2.i2.heap.gz"},
                                   {.path = "d/app.8.0.i0.heap"},
                                   {.path = "d/app.7.1.i1.heap", .time_ns = 9}};
  for (int turn = 0; turn < 4; ++turn) {
    const auto found = FindSeries(files);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].process, "d/app.7");
    EXPECT_THAT(PathsOf(found[0], files),
                ElementsAre("d/app.7.1.i1.heap", "d/app.7.2.i2.heap.gz",
                            "d/app.7.10.i10.heap"));
    EXPECT_EQ(found[1].process, "d/app.8");
    std::ranges::rotate(files, files.begin() + 1);
  }
}

TEST(FindSeriesTest, TellsProcessesWithOneIdApart) {
  const std::vector<SeriesFile> files = {
      {.path = "app.1.0.i0.heap", .program = "/srv/old"},
      {.path = "app.1.1.i1.heap", .program = "/srv/new"},
      {.path = "app.1.2.i2.heap", .program = "/srv/old"}};
  const auto found = FindSeries(files);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(PathsOf(found[1], files),
              ElementsAre("app.1.0.i0.heap", "app.1.2.i2.heap"));
}

TEST(FindSeriesTest, OrdersOtherNamesByTime) {
  const std::vector<SeriesFile> files = {
      {.path = "a.heap", .time_ns = 3, .program = "/srv/app"},
      {.path = "b.heap", .time_ns = 1, .program = "/srv/app"},
      {.path = "c.heap", .time_ns = 2, .program = "/srv/other"}};
  const auto found = FindSeries(files);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(PathsOf(found[0], files), ElementsAre("b.heap", "a.heap"));
  EXPECT_TRUE(found[0].IsOfOneProcess());
}

TEST(FindSeriesTest, CountsAFileOnce) {
  const std::vector<std::string> paths = {"app.7.0.i0.heap", "app.7.0.i0.heap"};
  const auto found = FindSeries(paths);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].files.size(), 1u);
}

TEST(InSeriesOrderTest, SortsOnlyTheDumpsOfAProcess) {
  EXPECT_THAT(InSeriesOrder({"server", "app.7.10.i10.heap", "z.heap",
                             "app.7.9.i9.heap", "a.heap"}),
              ElementsAre("server", "app.7.9.i9.heap", "z.heap",
                          "app.7.10.i10.heap", "a.heap"));
}

}  // namespace
}  // namespace heapprof
