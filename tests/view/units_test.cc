// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/units.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FormatWithErrorTest, ShowsBothInTheUnitOfTheValue) {
  constexpr double kMebibyte = 1 << 20;
  EXPECT_EQ(FormatWithError(312.6 * kMebibyte, 1.2 * kMebibyte),
            "312.6 ± 1.2 MiB");
  EXPECT_EQ(FormatWithError(8.4 * kMebibyte, 710.9 * 1024), "8.4 ± 0.7 MiB");
  EXPECT_EQ(FormatWithError(2 * kMebibyte, 100), "2.0 MiB");
  EXPECT_EQ(FormatWithError(5, 0.2), "5 B");
  EXPECT_EQ(FormatWithError(1023.96 * kMebibyte, 0.1 * 1024 * kMebibyte),
            "1.00 ± 0.10 GiB");
}

TEST(FormatWithIntervalTest, OmitsBoundsThatEqualTheValue) {
  EXPECT_EQ(FormatWithInterval(1024, {1024, 1024}, Unit::kMegabytes),
            "1.0 KiB");
}

TEST(FormatChangeTest, HasASignAndOneUnit) {
  EXPECT_EQ(FormatChange(2048, {1024, 3072}), "+2.0 ± 1.0 KiB");
  EXPECT_EQ(FormatChange(-2048, {-3072, -1024}), "-2.0 ± 1.0 KiB");
  EXPECT_EQ(FormatChange(4096, {4096, 4096}), "+4.0 KiB");
  // The unit suits the error, too.
  EXPECT_EQ(FormatChange(12, {-2048, 1024}), "0.0 ± 2.0 KiB");
  EXPECT_EQ(FormatChange(-12, {-2048, 1024}), "0.0 ± 2.0 KiB");
  EXPECT_EQ(FormatChange(2048, {2047, 2049}), "+2.0 KiB");
}

TEST(FormatChangeTest, ErrorBarDoesNotReachZeroIfTheBoundsDoNot) {
  EXPECT_EQ(FormatChange(6144, {1024, 13312}), "+6.0 (+1.0 to +13.0) KiB");
  EXPECT_EQ(FormatChange(-6144, {-13312, -1024}), "-6.0 (-13.0 to -1.0) KiB");
}

// In JSON, this value is 84633, which is 82.6 KiB.
TEST(FormatBytesTest, FormatsTheWholeBytesThatOtherOutputsHave) {
  EXPECT_EQ(FormatBytes(84633.7), "82.6 KiB");
  EXPECT_EQ(FormatBytes(-84633.7), "-82.6 KiB");
  EXPECT_EQ(FormatBytes(543.7), "543 B");
  EXPECT_EQ(FormatCell(84633.7, Unit::kMegabytes), "82.6 KiB");
  EXPECT_EQ(FormatWithError(84633.7, 3072), "82.6 ± 3.0 KiB");
}

TEST(FormatWithIntervalTest, RoundsTheBoundsOutwards) {
  EXPECT_EQ(FormatWithInterval(10.9, {4.2, 14.2}, Unit::kBytes), "10 ± 6 B");
  EXPECT_EQ(FormatWithInterval(10.9, {1.9, 90.1}, Unit::kBytes),
            "10 B (1 B to 91 B)");
  EXPECT_EQ(FormatError(10.9, {4.2, 14.2}, Unit::kBytes), "±6");
  EXPECT_EQ(FormatError(10.9, {1.9, 90.1}, Unit::kBytes), "1..91");
  EXPECT_EQ(FormatChange(84633.7, {1024, 168140.9}), "+82.6 ± 81.6 KiB");
}

TEST(FormatBytesTest, ChoosesTheLargestUnitThatLeavesAWholeNumber) {
  const std::pair<double, const char*> cases[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1023.6, "1023 B"},
      {1048575.4, "1.0 MiB"},
      {1024, "1.0 KiB"},
      {1536, "1.5 KiB"},
      {-1536, "-1.5 KiB"},
      {1048524, "1023.9 KiB"},
      {1048570, "1.0 MiB"},
      {7430912, "7.1 MiB"},
      {1.5 * (1 << 30), "1.50 GiB"},
      {1073688135, "1023.9 MiB"},
      {1073700000, "1.00 GiB"},
      {3e12, "2.73 TiB"},
      {2e20, "177635.68 PiB"},
      {-0.3, "0 B"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(FormatBytes(bytes), text);
}

TEST(FormatSamplingTest, SaysIfThereIsNoSampling) {
  EXPECT_EQ(FormatSampling(524288), "a sample per 512 KiB");
  EXPECT_EQ(FormatSampling(1), "every allocation sampled");
}

TEST(FormatSizeTest, LeavesOutDecimalsThatAreZero) {
  EXPECT_EQ(FormatSize(0), "0 B");
  EXPECT_EQ(FormatSize(524288), "512 KiB");
  EXPECT_EQ(FormatSize(100000), "97.7 KiB");
  EXPECT_EQ(FormatSize(uint64_t{1} << 32), "4 GiB");
  EXPECT_EQ(FormatSize(uint64_t{3} << 29), "1.50 GiB");
}

// Among the numbers are ties, such as 0.25, and numbers next to ties.
TEST(PercentTest, IsExactForTheWhole) {
  for (int i = 1; i < 1000; ++i) EXPECT_EQ(Percent(1.37 * i, 1.37 * i), 100);
  EXPECT_EQ(Percent(0, 0), 0);
}

TEST(FormatPercentTest, EqualsPrintf) {
  std::vector<double> values = {1e-12, 99.95, 1073741823.96, 4e9, 1e300};
  for (int i = 4; i < 4000; ++i) {
    const double value = i / 40.0;
    values.insert(values.end(), {value, std::nextafter(value, 0),
                                 std::nextafter(value, 1e9), value * 7.0 / 3});
  }
  for (const double value : values) {
    std::array<char, 400> expected;
    std::snprintf(expected.data(), expected.size(), "%.1f%%", value);
    EXPECT_EQ(FormatPercent(value), expected.data());
    const std::string negative = std::string("-") + expected.data();
    EXPECT_EQ(FormatPercent(-value), value < 0.01 ? "0.0%" : negative);
  }
}

// As pages do, too. jeprof makes the last digit even.
TEST(FormatValueTest, RoundsTheMiddleUp) {
  constexpr double kMiddle = 2.25;
  EXPECT_EQ(FormatValue(kMiddle * 0x1p10, Unit::kKibibytes), "2.3");
  EXPECT_EQ(FormatValue(-kMiddle * 0x1p20, Unit::kMebibytes), "-2.3");
  EXPECT_EQ(FormatBytes(kMiddle * 0x1p10), "2.3 KiB");
  EXPECT_EQ(FormatValue(kMiddle * 0x1p20, Unit::kMegabytes), "2.2");
}

TEST(FormatValueTest, HasNoNegativeZero) {
  EXPECT_EQ(FormatValue(-30000, Unit::kMegabytes), "0.0");
  EXPECT_EQ(FormatValue(-0.9, Unit::kBytes), "0");
  EXPECT_EQ(FormatValue(-60000, Unit::kMegabytes), "-0.1");
  EXPECT_EQ(FormatPercent(-0.04), "0.0%");
  EXPECT_EQ(FormatPercent(-0.06), "-0.1%");
}

TEST(FormatCellTest, WritesTheUnit) {
  EXPECT_EQ(FormatCell(1536, Unit::kMegabytes), "1.5 KiB");
  EXPECT_EQ(FormatCell(-1536, Unit::kMegabytes), "-1.5 KiB");
  EXPECT_EQ(FormatCell(1536, Unit::kBytes), "1536 B");
  EXPECT_EQ(FormatCell(1536, Unit::kObjects), "1536");
  for (const Unit unit : {Unit::kMegabytes, Unit::kBytes, Unit::kObjects})
    EXPECT_EQ(FormatCell(-0.4, unit), "0");
}

TEST(FormatAmountTest, NamesWhatItCounts) {
  EXPECT_EQ(FormatAmount(1536, Unit::kMegabytes), "1.5 KiB");
  EXPECT_EQ(FormatAmount(0, Unit::kMegabytes), "0 B");
  EXPECT_EQ(FormatAmount(1536, Unit::kBytes), "1536 B");
  EXPECT_EQ(FormatAmount(1536, Unit::kObjects), "1536 objects");
  EXPECT_EQ(FormatAmount(1, Unit::kObjects), "1 object");
}

TEST(FormatShareTest, HasOnlyDigitsThatMatter) {
  const std::pair<double, const char*> cases[] = {
      {0, "0%"},          {-0.0, "0%"},          {2.4e-05, "<0.01%"},
      {-0.004, "<0.01%"}, {0.005, "0.01%"},      {0.1234, "0.12%"},
      {0.994, "0.99%"},   {0.996, "1.0%"},       {1.25, "1.2%"},
      {-8, "-8.0%"},      {49.189, "49.2%"},     {99.94, "99.9%"},
      {99.96, "100%"},    {100.04, "100%"},      {100.06, "100.1%"},
      {111.79, "111.8%"}, {-12345.6, "-12346%"},
  };
  for (const auto& [percent, text] : cases)
    EXPECT_EQ(FormatShare(percent), text);
}

TEST(TableUnitTest, SuitsTheTotal) {
  EXPECT_EQ(TableUnit(0), Unit::kKibibytes);
  EXPECT_EQ(TableUnit(0x1p20 - 1), Unit::kKibibytes);
  EXPECT_EQ(TableUnit(0x1p20), Unit::kMebibytes);
  EXPECT_EQ(TableUnit(-0x1p30), Unit::kMebibytes);
  EXPECT_EQ(TableUnit(10 * 0x1p30), Unit::kGibibytes);
}

TEST(TableUnitTest, IsThatOfEachNumber) {
  const auto all = [](double value, double error, Unit unit) {
    const Interval interval = {value - error, value + error};
    return FormatValue(value, unit) + '|' + FormatCell(value, unit) + '|' +
           FormatWithInterval(value, interval, unit) + '|' +
           FormatError(value, interval, unit);
  };
  EXPECT_EQ(all(0x1p21, 0x1p19, Unit::kKibibytes),
            "2048.0|2048.0 KiB|2048.0 ± 512.0 KiB|±512.0");
  EXPECT_EQ(all(0x1p31, 0x1p29, Unit::kMebibytes),
            "2048.0|2048.0 MiB|2048.0 ± 512.0 MiB|±512.0");
  EXPECT_EQ(all(0x1p31, 0x1p29, Unit::kGibibytes),
            "2.00|2.00 GiB|2.00 ± 0.50 GiB|±0.50");
  EXPECT_EQ(all(0x1p31, 0x1p20, Unit::kGibibytes),
            "2.00|2.00 GiB|2.00 GiB|±<0.01");
  EXPECT_EQ(FormatWithInterval(0x1p20, {0x1p19, 0x1p22}, Unit::kKibibytes),
            "1024.0 KiB (512.0 KiB to 4096.0 KiB)");
}

TEST(FormatWithIntervalTest, ShowsBothBoundsIfTheyDiffer) {
  constexpr double kMegabyte = 1 << 20;
  EXPECT_EQ(FormatWithInterval(300 * kMegabyte,
                               {298.9 * kMegabyte, 301.2 * kMegabyte},
                               Unit::kMegabytes),
            "300.0 ± 1.2 MiB");
  EXPECT_EQ(FormatWithInterval(kMegabyte, {kMegabyte / 2, 3 * kMegabyte},
                               Unit::kMegabytes),
            "1.0 MiB (512.0 KiB to 3.0 MiB)");
  // One number says enough as long as a bound is at most 1.5 times as far away
  // as the other.
  EXPECT_EQ(FormatWithInterval(100, {90, 115}, Unit::kBytes), "100 ± 15 B");
  EXPECT_EQ(FormatWithInterval(100, {90, 116}, Unit::kBytes),
            "100 B (90 B to 116 B)");
  EXPECT_EQ(FormatWithInterval(-4000, {-4010.5, -3990}, Unit::kBytes),
            "-4000 ± 11 B");
  EXPECT_EQ(FormatWithInterval(4000, {10, 4001}, Unit::kBytes),
            "4000 B (10 B to 4001 B)");
}

TEST(FormatErrorTest, IsOneWord) {
  constexpr double kMegabyte = 1 << 20;
  const auto megabytes = [](double value, double lower, double upper) {
    return FormatError(value * kMegabyte,
                       {lower * kMegabyte, upper * kMegabyte},
                       Unit::kMegabytes);
  };
  EXPECT_EQ(megabytes(3, 2.5, 3.6), "±0.6");
  EXPECT_EQ(megabytes(3, 2.99, 3.01), "±<0.1");
  EXPECT_EQ(megabytes(1, 0, 5.6), "0.0..5.6");
  EXPECT_EQ(megabytes(0, 0, 0.01), "±<0.1");
  EXPECT_EQ(megabytes(-1, -5.6, 0.5), "-5.6..0.5");
  EXPECT_EQ(megabytes(0, -2, 2), "±2.0");
  EXPECT_EQ(FormatError(100, {90, 110.5}, Unit::kBytes), "±11");
}

}  // namespace
}  // namespace heapprof
