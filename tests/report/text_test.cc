// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/view/flat_table.h"

namespace heapprof::text_test {
namespace {

constexpr double kMegabyte = 1 << 20;

FlatTable TableOf(double total, std::vector<FlatRow> rows) {
  FlatTable table;
  table.rows = std::move(rows);
  table.total.now.value = total;
  return table;
}

FlatRow Row(std::string name, double flat, double cumulative,
            double flat_percent = 0, double running_percent = 0,
            double cumulative_percent = 0) {
  return {.name = std::move(name),
          .flat = {.now = {.value = flat}},
          .cumulative = {.now = {.value = cumulative}},
          .flat_percent = flat_percent,
          .running_percent = running_percent,
          .cumulative_percent = cumulative_percent};
}

// jeprof 5.3.0's numbers for an example; its format is "%8s %6s %6s %8s %6s
// %s".
TEST(WriteTextTest, LaysOutLikeJeprof) {
  const FlatTable table =
      TableOf(7396113, {Row("std::vector::reserve (inline)", 3638089, 3638089,
                            49.189, 49.189, 49.189),
                        Row("_start", 0, 5737290, 0, 100, 77.572)});
  EXPECT_EQ(WriteText(table, {}),
            "Total: 7.1 MB\n"
            "     3.5  49.2%  49.2%      3.5  49.2% "
            "std::vector::reserve (inline)\n"
            "     0.0   0.0% 100.0%      5.5  77.6% _start\n");
  EXPECT_EQ(WriteText(table, {.unit = Unit::kBytes}),
            "Total: 7396113 B\n"
            " 3638089  49.2%  49.2%  3638089  49.2% "
            "std::vector::reserve (inline)\n"
            "       0   0.0% 100.0%  5737290  77.6% _start\n");
  EXPECT_EQ(
      WriteText(TableOf(2056, {Row("f", 2050, 2053, 99.708, 99.708, 99.844)}),
                {.unit = Unit::kObjects}),
      "Total: 2056 objects\n"
      "    2050  99.7%  99.7%     2053  99.8% f\n");
}

TEST(WriteTextTest, LetsWideColumnsPushTheOthersRight) {
  EXPECT_EQ(WriteText(TableOf(123456789012,
                              {Row("f", 123456789012, 1, 100, 100, 12345.6)}),
                      {.unit = Unit::kBytes}),
            "Total: 123456789012 B\n"
            "123456789012 100.0% 100.0%        1 12345.6% f\n");
}

TEST(WriteTextTest, TruncatesBytesAndRoundsMegabytes) {
  const FlatTable table = TableOf(1.99, {Row("f", 1.99, -1.99)});
  EXPECT_EQ(WriteText(table, {.unit = Unit::kBytes}),
            "Total: 1 B\n"
            "       1   0.0%   0.0%       -1   0.0% f\n");
  EXPECT_EQ(WriteText(TableOf(kMegabyte,
                              {Row("f", 0.96 * kMegabyte, 0.94 * kMegabyte)}),
                      {}),
            "Total: 1.0 MB\n"
            "     1.0   0.0%   0.0%      0.9   0.0% f\n");
}

TEST(WriteTextTest, RoundsEachSideOfAComparison) {
  const Change change = {.now = {.value = 1.75}, .base = {.value = 3}};
  FlatTable table;
  table.total = change;
  table.rows.push_back({.name = "f", .flat = change, .cumulative = change});
  EXPECT_EQ(WriteText(table, {.unit = Unit::kBytes}),
            "Total: -2 B\n"
            "      -2   0.0%   0.0%       -2   0.0% f\n");
}

TEST(WriteTextTest, PrintsDecreases) {
  EXPECT_EQ(WriteText(TableOf(3034615, {Row("ns::parse@401280", -1049600,
                                            609222, -34.587, 100, 20.076)}),
                      {.unit = Unit::kBytes}),
            "Total: 3034615 B\n"
            "-1049600 -34.6% 100.0%   609222  20.1% ns::parse@401280\n");
}

TEST(WriteTextTest, PrintsNoNegativeZeroOfBytes) {
  EXPECT_EQ(
      WriteText(TableOf(-0.5, {Row("f", -0.5, -0.0)}), {.unit = Unit::kBytes}),
      "Total: 0 B\n"
      "       0   0.0%   0.0%        0   0.0% f\n");
}

TEST(WriteTextTest, HasNoTotalLineForATotalOfZero) {
  EXPECT_EQ(WriteText(TableOf(0, {Row("f", 5, 5), Row("g", -5, -5)}),
                      {.unit = Unit::kBytes}),
            "       5   0.0%   0.0%        5   0.0% f\n"
            "      -5   0.0%   0.0%       -5   0.0% g\n");
  EXPECT_EQ(WriteText(FlatTable(), {}), "");
}

TEST(WriteTextTest, PrintsTheFirstRowsOnly) {
  const FlatTable table =
      TableOf(6, {Row("f", 3, 3), Row("g", 2, 2), Row("h", 1, 1)});
  const auto with_top = [&table](size_t top) {
    return WriteText(table, {.unit = Unit::kBytes, .top = top});
  };
  const std::string f = "       3   0.0%   0.0%        3   0.0% f\n";
  const std::string g = "       2   0.0%   0.0%        2   0.0% g\n";
  const std::string h = "       1   0.0%   0.0%        1   0.0% h\n";
  EXPECT_EQ(with_top(2), "Total: 6 B\n" + f + g);
  EXPECT_EQ(with_top(3), "Total: 6 B\n" + f + g + h);
  EXPECT_EQ(with_top(4), with_top(3));
  EXPECT_EQ(with_top(0), with_top(3));
}

TEST(WriteTextTest, LetsNoControlCharacterOutOfAName) {
  EXPECT_EQ(
      WriteText(TableOf(0, {Row("a\n\x1b[2Jb\t\x7f\xc2\x9b\xc3\xa9\xc2\xa0\xc2",
                                1, 1)}),
                {.unit = Unit::kBytes}),
      "       1   0.0%   0.0%        1   0.0% "
      "a??[2Jb???\xc3\xa9\xc2\xa0\xc2\n");
}

TEST(WriteTextTest, FitsRowsToAWidthInCharacters) {
  const auto line = [](const std::string& name, size_t width) {
    const std::string text =
        WriteText(TableOf(100, {Row(name, 100, 100, 100, 100, 100)}),
                  {.unit = Unit::kBytes, .width = width});
    return text.substr(text.find('\n') + 1);
  };
  const std::string columns = "     100 100.0% 100.0%      100 100.0% ";
  const std::string name = "größen__abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(line(name, 0), columns + name + "\n");
  EXPECT_EQ(line(name, columns.size() + 34), columns + name + "\n");
  // Names keep more of their end, which tells them apart.
  EXPECT_EQ(line(name, columns.size() + 33),
            columns + "größen__abc…fghijklmnopqrstuvwxyz\n");
}

TEST(WriteTextTest, LeavesOutColumnsOnANarrowTerminal) {
  const auto lines = [](size_t width) {
    return WriteText(TableOf(100, {Row("größen__abcdefghijklmnopqrstuvwxyz", 90,
                                       100, 90, 90, 100)}),
                     {.unit = Unit::kBytes, .heading = true, .width = width});
  };
  EXPECT_EQ(lines(57),
            "Total: 100 B\n"
            "    self  share  with callees   function\n"
            "      90  90.0%      100 100.0% größen__…klmnopqrstuvwxyz\n");
  EXPECT_EQ(lines(40),
            "Total: 100 B\n"
            "    self      cum function\n"
            "      90      100 größen_…mnopqrstuvwxyz\n");
  // If nothing would be left of a name, the terminal may break the line.
  EXPECT_EQ(lines(1),
            "Total: 100 B\n"
            "    self      cum function\n"
            "      90      100 größ…tuvwxyz\n");
}

TEST(WriteTextTest, ShowsMeanSizesIfTheyFit) {
  FlatRow row = Row("f", 90, 100, 90, 90, 100);
  row.flat_objects.now.value = 9;
  row.cumulative_objects.now.value = 3;
  const FlatTable table = TableOf(100, {row, Row("g", 0, 100, 0, 90, 100)});
  TextOptions options = {.unit = Unit::kBytes, .heading = true, .width = 100};
  options.has_sizes = true;
  EXPECT_EQ(WriteText(table, options),
            "Total: 100 B\n"
            "    self  share    sum  with callees    mean size function\n"
            "      90  90.0%  90.0%      100 100.0%       10 B f\n"
            "       0   0.0%  90.0%      100 100.0%            g\n");
  options.describes_cumulative = true;
  EXPECT_THAT(WriteText(table, options), testing::HasSubstr(" 33 B f\n"));
  options.width = 80;
  EXPECT_THAT(WriteText(table, options),
              testing::Not(testing::HasSubstr("mean size")));
}

TEST(WriteTextTest, ColoursLargeValues) {
  const FlatTable table = TableOf(
      100, {Row("holder", 95, 95, 95, 95, 95), Row("small", 4, 4, 4, 99, 4),
            Row("caller", 1, 99, 1, 100, 99), Row("none", 0, 4, 0, 100, 4)});
  EXPECT_EQ(WriteText(table, {.unit = Unit::kBytes, .color = true}),
            "\x1b[1mTotal: 100 B\x1b[0m\n"
            "\x1b[1;31m      95  95.0%  95.0%       95  95.0% holder\x1b[0m\n"
            "       4   4.0%  99.0%        4   4.0% small\n"
            "\x1b[1m       1   1.0% 100.0%       99  99.0% caller\x1b[0m\n"
            "\x1b[2m       0   0.0% 100.0%        4   4.0% none\x1b[0m\n");
}

ErrorBars Bars(uint64_t period) {
  Profile profile;
  profile.sampling_period = period;
  return {profile, Metric::kInuseSpace};
}

// A row whose values have these effective numbers of samples.
FlatRow SampledRow(std::string name, double flat, double flat_samples,
                   double cumulative, double samples) {
  FlatRow row = Row(std::move(name), flat, cumulative);
  row.flat.now.variance = flat * flat / flat_samples;
  row.cumulative.now.variance = cumulative * cumulative / samples;
  return row;
}

TEST(WriteTextTest, ShowsTheErrorsOfTheColumnByWhichRowsAreSorted) {
  const FlatTable table =
      TableOf(50 * kMegabyte,
              {SampledRow("f", 40 * kMegabyte, 400, 40 * kMegabyte, 400),
               SampledRow("g", 10 * kMegabyte, 1, 50 * kMegabyte, 1e9)});
  TextOptions options = {.heading = true, .error_bars = Bars(2)};
  EXPECT_EQ(WriteText(table, options),
            "Total: 50.0 MB\n"
            "    self  share    sum  with callees      error   n_eff function\n"
            "    40.0   0.0%   0.0%     40.0   0.0%     ±4.1     400 f\n"
            "    10.0   0.0%   0.0%     50.0   0.0% 0.3..55.7       1 g\n");
  options.describes_cumulative = true;
  EXPECT_THAT(WriteText(table, options),
              testing::EndsWith(" 50.0   0.0%    ±<0.1 1000000000 g\n"));
}

TEST(WriteTextTest, KeepsErrorsOnANarrowTerminal) {
  const FlatTable table = TableOf(
      50 * kMegabyte,
      {SampledRow("ns::Function", 40 * kMegabyte, 400, 50 * kMegabyte, 400)});
  TextOptions options = {.heading = true, .width = 57, .error_bars = Bars(2)};
  const auto lines = [&] { return WriteText(table, options); };
  EXPECT_EQ(lines(),
            "Total: 50.0 MB\n"
            "    self  with callees      error function\n"
            "    40.0     50.0   0.0%     ±4.1 ns::Function\n");
  options.width = 40;
  EXPECT_EQ(lines(),
            "Total: 50.0 MB\n"
            "    self    error function\n"
            "    40.0     ±4.1 ns::Function\n");
  options.describes_cumulative = true;
  EXPECT_EQ(lines(),
            "Total: 50.0 MB\n"
            "     cum    error function\n"
            "    50.0     ±5.1 ns::Function\n");
}

TEST(WriteTextTest, SaysThatValuesAreExact) {
  EXPECT_EQ(WriteText(TableOf(5, {Row("f", 5, 5)}),
                      {.unit = Unit::kBytes, .error_bars = Bars(1)}),
            "Total: 5 B\n"
            "       5   0.0%   0.0%        5   0.0%    exact       - f\n");
}

TEST(WriteTextTest, CountsTheColumnsOfErrorsNotTheirBytes) {
  const FlatTable table = TableOf(
      400, {SampledRow("abcdefghijklmnopqrstuvwxyz", 400, 100, 400, 100)});
  EXPECT_THAT(WriteText(table, {.unit = Unit::kBytes,
                                .width = 56 + 26,
                                .error_bars = Bars(2)}),
              testing::EndsWith("±87     100 abcdefghijklmnopqrstuvwxyz\n"));
}

TEST(WriteTextTest, ShowsTheTotalThatItIsGiven) {
  EXPECT_EQ(WriteText(TableOf(5, {}), {.total = "5 ± 1 B", .thread = "t3"}),
            "Total (t3): 5 ± 1 B\n");
}

}  // namespace
}  // namespace heapprof::text_test
