// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/parse_number.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ParseNumberTest, ReadsATextThatIsANumberAsAWhole) {
  EXPECT_EQ(ParseNumber<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseNumber<int>("-12"), -12);
  EXPECT_EQ(ParseNumber<uint64_t>("7f00aB", 16), 0x7f00ab);
  EXPECT_EQ(ParseNumber<double>("1.5e3"), 1500);
}

TEST(ParseNumberTest, RefusesWhatIsNotPartOfTheNumber) {
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
    EXPECT_EQ(ParseNumber<double>(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseNumber<unsigned>("8", 8), std::nullopt);
}

TEST(ParseNumberTest, RefusesWhatTheTypeCannotHold) {
  EXPECT_EQ(ParseNumber<uint64_t>("18446744073709551616"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<int>("2147483648"), std::nullopt);
  EXPECT_EQ(ParseNumber<double>("1e999"), std::nullopt);
}

}  // namespace
}  // namespace heapprof
