// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/series.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

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

// A shell expands "*.heap ../now/*.heap", and people name a dump again.
TEST(FindSeriesTest, KnowsAFolderByEveryPathToIt) {
  const std::string here = std::filesystem::current_path().string();
  const std::vector<SeriesFile> files = {
      {.path = "app.7.3.i3.heap"},
      {.path = "./app.7.2.i2.heap"},
      {.path = here + "/app.7.1.i1.heap"},
      {.path = "no-such-folder/../app.7.0.i0.heap"},
      {.path = "other/app.7.4.i4.heap"}};
  const auto found = FindSeries(files);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].files, ElementsAre(3, 2, 1, 0));
  EXPECT_EQ(found[0].process, "no-such-folder/../app.7");
  EXPECT_EQ(found[1].process, "other/app.7");
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

// zstd leaves the file that it compresses, and gives the copy its time.
TEST(FindSeriesTest, CountsADumpAndItsCompressedCopyOnce) {
  using namespace std::chrono_literals;
  const TemporaryFolder folder;
  const std::vector<std::string> paths = {
      folder.Write("app.7.0.i0.heap", "0"),
      folder.Write("app.7.1.i1.heap", "1"),
      folder.Write("app.7.1.i1.heap.zst", "packed"),
      folder.Write("app.7.2.i2.heap", "2"),
      folder.Write("app.7.2.i2.heap.gz", "of an earlier process")};
  const auto written = std::filesystem::last_write_time(paths[1]);
  std::filesystem::last_write_time(paths[2], written);
  std::filesystem::last_write_time(paths[4], written - 1h);
  const auto found = FindSeries(paths);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].files, UnorderedElementsAre(0, 1, 3, 4));
}

TEST(CountBeforeTheEndTest, LeavesOutDumpsWithNearlyNothingAtTheEnd) {
  const std::vector<std::string> paths = {"a.7.0.r0.heap", "a.7.1.r1.heap",
                                          "a.7.2.r2.heap", "a.7.3.r3.heap"};
  const auto count = [&](std::vector<double> live) {
    return CountBeforeTheEnd(std::span(paths).first(live.size()), live);
  };
  EXPECT_EQ(count({}), 0u);
  EXPECT_EQ(count({5}), 1u);
  EXPECT_EQ(count({100, 200, 300, 150}), 4u);
  EXPECT_EQ(count({100, 200, 300, 149}), 3u);
  EXPECT_EQ(count({100, 300, 140, 60}), 3u);
  EXPECT_EQ(count({100, 200, 300, 37}), 3u);
  EXPECT_EQ(count({100, 300, 20, 5}), 2u);
  EXPECT_EQ(count({300, 20, 20, 20}), 4u);  // it has been so for long
  EXPECT_EQ(count({300, 0}), 1u);
  EXPECT_EQ(count({0, 0}), 2u);
}

TEST(CountBeforeTheEndTest, KnowsThemByTheirNames) {
  for (const double last : {1, 149}) {
    const auto count = [&](std::vector<std::string> paths) {
      return CountBeforeTheEnd(paths, std::vector<double>{300, last});
    };
    EXPECT_EQ(count({"a.7.0.i0.heap", "a.7.1.f.heap"}), 1u);
    EXPECT_EQ(count({"a.7.0.i0.heap", "a.7.1.i1.heap"}), 2u);
    EXPECT_EQ(count({"a.heap", "b.heap"}), 2u);
  }
}

TEST(InSeriesOrderTest, SortsOnlyTheDumpsOfAProcess) {
  EXPECT_THAT(InSeriesOrder({"server", "app.7.10.i10.heap", "z.heap",
                             "app.7.9.i9.heap", "a.heap"}),
              ElementsAre("server", "app.7.9.i9.heap", "z.heap",
                          "app.7.10.i10.heap", "a.heap"));
}

}  // namespace
}  // namespace heapprof
