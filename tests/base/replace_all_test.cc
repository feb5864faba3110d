// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/replace_all.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ReplaceAllTest, ReplacesFromTheStartWithoutOverlaps) {
  EXPECT_EQ(ReplaceAll("", "##", "#"), "");
  EXPECT_EQ(ReplaceAll("plain", "##", "#"), "plain");
  EXPECT_EQ(ReplaceAll("##a###", "##", "<>"), "<>a<>#");
  EXPECT_EQ(ReplaceAll("aXbX", "X", ""), "ab");
}

}  // namespace
}  // namespace heapprof
