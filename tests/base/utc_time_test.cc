// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/utc_time.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(UtcTimeTest, DoesNotDependOnTheTimeZone) {
  EXPECT_EQ(UtcTime(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(UtcTime(1'763'871'941), "2025-11-23 04:25:41 UTC");
}

}  // namespace
}  // namespace heapprof
