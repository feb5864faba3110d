// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/units.h"

#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FormatBytesTest, ChoosesTheLargestUnitThatLeavesAWholeNumber) {
  const std::pair<double, const char*> cases[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1023.6, "1.0 KiB"},
      {1024, "1.0 KiB"},
      {1536, "1.5 KiB"},
      {-1536, "-1.5 KiB"},
      {1048524, "1023.9 KiB"},
      {1048570, "1.0 MiB"},
      {7430912, "7.1 MiB"},
      {1.5 * (1 << 30), "1.5 GiB"},
      {3e12, "2.7 TiB"},
      {2e20, "177635.7 PiB"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(FormatBytes(bytes), text);
}

TEST(FormatCellTest, WritesUnitsWithoutABlank) {
  EXPECT_EQ(FormatCell(1536, Unit::kMegabytes), "1.5KiB");
  EXPECT_EQ(FormatCell(-1536, Unit::kMegabytes), "-1.5KiB");
  EXPECT_EQ(FormatCell(1536.9, Unit::kBytes), "1536B");
  EXPECT_EQ(FormatCell(1536.9, Unit::kObjects), "1536");
  for (const Unit unit : {Unit::kMegabytes, Unit::kBytes, Unit::kObjects})
    EXPECT_EQ(FormatCell(-0.4, unit), "0");
}

TEST(FormatShareTest, WritesFourDigitsOrTwo) {
  EXPECT_EQ(FormatShare(49.189), "49.19%");
  EXPECT_EQ(FormatShare(-8), " 8.00%");
  EXPECT_EQ(FormatShare(99.96), "  100%");
  EXPECT_EQ(FormatShare(99.94), "99.94%");
  EXPECT_EQ(FormatShare(111.79), "111.79%");
  EXPECT_EQ(FormatShare(0.1234), " 0.12%");
  EXPECT_EQ(FormatShare(0.00001), "1e-05%");
  EXPECT_EQ(FormatShare(0), "    0%");
}

}  // namespace
}  // namespace heapprof
