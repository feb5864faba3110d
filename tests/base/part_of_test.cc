// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/part_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PartOfTest, EndsWithTheBytes) {
  const uint8_t bytes[] = {1, 2, 3, 4};
  EXPECT_THAT(PartOf(bytes, 1, 2), ElementsAre(2, 3));
  EXPECT_THAT(PartOf(bytes, 3, UINT64_MAX), ElementsAre(4));
  for (const uint64_t offset : {uint64_t{4}, uint64_t{5}, UINT64_MAX})
    EXPECT_THAT(PartOf(bytes, offset, 1), IsEmpty()) << offset;
}

}  // namespace
}  // namespace heapprof
