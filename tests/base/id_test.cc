// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/id.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using AppleId = Id<struct AppleTag>;
using PearId = Id<struct PearTag>;

static_assert(!std::is_convertible_v<AppleId, PearId>);
static_assert(!std::is_convertible_v<AppleId, uint32_t>);
static_assert(sizeof(AppleId) == 4);

TEST(IdTest, IsNoneUntilItIsGivenARow) {
  EXPECT_TRUE(AppleId{}.IsNone());
  EXPECT_TRUE(AppleId{0}.IsNone());
  EXPECT_FALSE(AppleId{1}.IsNone());
  EXPECT_EQ(AppleId{7}.index(), 7u);
}

TEST(IdTest, ComparesByRow) {
  EXPECT_EQ(AppleId{3}, AppleId{3});
  EXPECT_NE(AppleId{3}, AppleId{4});
  EXPECT_LT(AppleId{3}, AppleId{4});
}

TEST(IdTest, ServesAsAKeyOfHashTables) {
  const std::unordered_set<AppleId> ids = {{1}, {2}, {1}};
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_TRUE(ids.contains({2}));
  EXPECT_FALSE(ids.contains({3}));
}

}  // namespace
}  // namespace heapprof
