// SPDX-License-Identifier: Apache-2.0
#include "report/html_sizes.h"

#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/mebibyte.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SizeRow SizesRow(uint64_t size, std::vector<double> parts) {
  SizeRow row = {.size = size, .objects = 4};
  for (const double part : parts) row.sum.now.value += part;
  row.parts = std::move(parts);
  return row;
}

std::string FigureOf(const SizeTable& table, bool is_comparison = false) {
  return SizeHistogramHtml(table, is_comparison, Unit::kMegabytes);
}

TEST(HtmlSizesTest, StacksThePartsOfABar) {
  const SizeTable table = {
      .rows = {SizesRow(64, {2 * kMebibyte, 1 * kMebibyte, 0}),
               SizesRow(128, {0, 0, 6 * kMebibyte})},
      .functions = {"f<int>", "g"}};
  const std::string figure = FigureOf(table);
  // 6 MiB are 150 pixels; 24 classes share the width.
  EXPECT_THAT(figure, HasSubstr("<rect class=\"band-0\" x=\"0.250%\" "
                                "y=\"118.0\" width=\"3.667%\" "
                                "height=\"50.0\"/>"
                                "<rect class=\"band-1\" x=\"0.250%\" "
                                "y=\"93.0\" width=\"3.667%\" "
                                "height=\"25.0\"/>"));
  // 80, 96 and 112 bytes are between them.
  EXPECT_THAT(figure, HasSubstr("<rect class=\"band-others\" x=\"16.917%\" "
                                "y=\"18.0\""));
  EXPECT_THAT(figure, HasSubstr("<title>64 B: 3.0 MiB, 4 objects\n"
                                "2.0 MiB  f&#60;int&#62;\n1.0 MiB  g</title>"));
  EXPECT_THAT(figure, HasSubstr("other functions"));
  EXPECT_THAT(figure, Not(HasSubstr("mean")));
}

TEST(HtmlSizesTest, SaysHowMuchHasOnlyAMeanSize) {
  EXPECT_THAT(FigureOf({.rows = {SizesRow(64, {kMebibyte, 0})},
                        .mean_percent = 25,
                        .functions = {"f"}}),
              HasSubstr("; for 25.0% of the total, only the mean size of the "
                        "objects of each stack is known: "));
  EXPECT_THAT(FigureOf({.rows = {SizesRow(64, {kMebibyte, 0})},
                        .mean_percent = 100,
                        .functions = {"f"}}),
              HasSubstr("; only the mean size of the objects"));
}

// On a telephone the figure is 350 pixels wide, and "256 KiB" 50.
TEST(HtmlSizesTest, WritesNoLabelOverAnother) {
  const std::string figure = FigureOf(
      {.rows = {SizesRow(8, {kMebibyte, 0}), SizesRow(1 << 20, {1, 0})},
       .functions = {"f"}});
  const std::regex label("<text x=\"([0-9.]+)%\"[^>]*>([0-9]+ [^<]*)</text>");
  std::vector<double> places;
  for (std::sregex_iterator it(figure.begin(), figure.end(), label), end;
       it != end; ++it)
    places.push_back(std::stod((*it)[1]));
  ASSERT_GE(places.size(), 5u);
  for (size_t i = 1; i < places.size(); ++i)
    EXPECT_GE(places[i] - places[i - 1], 15) << figure;
}

TEST(HtmlSizesTest, DrawsWhatShrankBelowZero) {
  const SizeTable table = {
      .rows = {SizesRow(64, {kMebibyte, -2 * kMebibyte, 0})},
      .functions = {"f", "g"}};
  const std::string figure = FigureOf(table, /*is_comparison=*/true);
  EXPECT_THAT(figure, HasSubstr("y=\"18.0\" width=\"3.667%\" "
                                "height=\"50.0\"/>"));
  EXPECT_THAT(figure, HasSubstr("y=\"68.0\" width=\"3.667%\" "
                                "height=\"100.0\"/>"));
  EXPECT_THAT(figure, HasSubstr("+1.0 MiB  f\n-2.0 MiB  g"));
  // The bars end at 168.
  EXPECT_THAT(figure, HasSubstr("<text x=\"0\" y=\"181.0\">-2.0 MiB</text>"));
  EXPECT_THAT(figure, HasSubstr("y=\"197\" text-anchor=\"start\">64 B</text>"));
}

TEST(HtmlSizesTest, IsEmptyWithoutSizes) {
  EXPECT_EQ(FigureOf({}), "");
  EXPECT_EQ(
      FigureOf({.rows = {SizesRow(0, {kMebibyte, 0})}, .functions = {"f"}}),
      "");
}

}  // namespace
}  // namespace heapprof
