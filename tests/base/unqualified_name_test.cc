// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/unqualified_name.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(UnqualifiedNameTest, IsThePartAfterTheScopes) {
  EXPECT_EQ(UnqualifiedName("app::Cache::Insert"), "Insert");
  EXPECT_EQ(UnqualifiedName("main"), "main");
  EXPECT_EQ(UnqualifiedName("app::"), "");
}

}  // namespace
}  // namespace heapprof
