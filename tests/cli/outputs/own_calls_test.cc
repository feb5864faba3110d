// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/own_calls.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ChainsOnScreenTest, ALowScreenHasTheFirstChains) {
  EXPECT_EQ(ChainsOnScreen(10), 3u);
  EXPECT_EQ(ChainsOnScreen(24), 4u);
  EXPECT_EQ(ChainsOnScreen(40), 5u);
  EXPECT_EQ(ChainsOnScreen(0), 5u);
}

}  // namespace
}  // namespace heapprof
