// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/utc_time.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(UtcTimeTest, DoesNotDependOnTheTimeZone) {
  EXPECT_EQ(UtcTime(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(UtcTime(1'763'871'941), "2025-11-23 04:25:41 UTC");
}

TEST(UtcTimeTest, TakesAnyTime) {
  EXPECT_EQ(UtcTime(std::numeric_limits<int64_t>::min()),
            "0001-01-01 00:00:00 UTC");
  EXPECT_EQ(UtcTime(std::numeric_limits<int64_t>::max()),
            "9999-12-31 23:59:59 UTC");
}

}  // namespace
}  // namespace heapprof
