// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/limits.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

double SizeOf(std::string_view text) {
  const auto size = ParseSize(text);
  EXPECT_TRUE(size) << text;
  return size ? size->value : -1;
}

TEST(ParseSizeTest, TakesBinaryAndDecimalUnits) {
  EXPECT_EQ(SizeOf("0"), 0);
  EXPECT_EQ(SizeOf("17 B"), 17);
  EXPECT_EQ(SizeOf("2GiB"), 0x1p31);
  EXPECT_EQ(SizeOf(" 1.5 KiB "), 1536);
  EXPECT_EQ(SizeOf("3MB"), 3e6);
  EXPECT_EQ(SizeOf("1KB"), 1000);
}

TEST(ParseSizeTest, TakesALetterAsABinaryUnit) {
  EXPECT_EQ(SizeOf("512K"), 0x1p19);
  EXPECT_EQ(SizeOf("512k"), 0x1p19);
  EXPECT_EQ(SizeOf("1.5 M"), 1.5 * 0x1p20);
  EXPECT_EQ(SizeOf("2g"), 0x1p31);
  EXPECT_EQ(SizeOf("1T"), 0x1p40);
  EXPECT_TRUE(ParseSize("12M")->has_unit);
}

TEST(ParseSizeTest, TellsWhetherThereIsAUnit) {
  EXPECT_FALSE(ParseSize("12")->has_unit);
  EXPECT_TRUE(ParseSize("12B")->has_unit);
}

TEST(ParseSizeTest, RejectsEverythingElse) {
  for (const std::string_view text :
       {"",      " ",   "MiB",       "-1",  "+1",    "1e3",
        "0x10",  "1,5", "1.",        ".5",  "1.2.3", "5%",
        "1 mib", "1 P", "1 MiB x",   "inf", "nan",   "9999999999TiB",
        "1_0",   "1 2", "8388608TiB"})
    EXPECT_FALSE(ParseSize(text)) << text;
}

void ExpectLimit(std::string_view text, double ratio, double bytes) {
  const auto parsed = ParseLimit(text);
  ASSERT_TRUE(parsed) << text;
  EXPECT_DOUBLE_EQ(parsed->limit.ratio, ratio) << text;
  EXPECT_EQ(parsed->limit.bytes, bytes) << text;
}

TEST(ParseLimitTest, TakesAShareASizeOrTheirSum) {
  ExpectLimit("5% + 8MiB", 1.05, 0x1p23);
  ExpectLimit("5%+8MiB", 1.05, 0x1p23);
  ExpectLimit("8MiB + 5%", 1.05, 0x1p23);
  ExpectLimit("5%", 1.05, 0);
  ExpectLimit("8MiB", 1, 0x1p23);
  ExpectLimit("10 % + 0", 1.1, 0);
  ExpectLimit("0", 1, 0);
  ExpectLimit("0.5 %", 1.005, 0);
  ExpectLimit("5%+8M", 1.05, 0x1p23);
}

TEST(ParseLimitTest, RejectsEverythingElse) {
  for (const std::string_view text :
       {"", "%", "5% +", "+ 5%", "5% + 5%", "5% 8MiB", "5% - 1MiB", "-5%",
        "8MiB + 8MiB", "5% + 8MiB + 1", "5%%", "5% + 8 Mib", "five"})
    EXPECT_FALSE(ParseLimit(text)) << text;
}

std::string WhySize(std::string_view text) {
  return WhyUnclear(*ParseSize(text));
}
std::string WhyLimit(std::string_view text) {
  return WhyUnclear(*ParseLimit(text));
}

TEST(WhyUnclearTest, OffersTheUnits) {
  EXPECT_EQ(WhyLimit("10"), ": 10 has no unit; expected 10%, 10MiB or 10B");
  EXPECT_EQ(WhyLimit("5% + 2.5"), ": 2.5 has no unit; expected 2.5MiB or 2.5B");
  EXPECT_EQ(WhySize("12"), ": 12 has no unit; expected 12MiB or 12B");
}

TEST(WhyUnclearTest, NeedsNoUnitForNothing) {
  for (const std::string_view text : {"0", "0%", "10%", "10B", "5% + 0"})
    EXPECT_EQ(WhyLimit(text), "") << text;
  for (const std::string_view text : {"0", "10B"})
    EXPECT_EQ(WhySize(text), "") << text;
}

}  // namespace
}  // namespace heapprof
