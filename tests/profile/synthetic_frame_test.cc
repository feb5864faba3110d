// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/synthetic_frame.h"

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(IsSyntheticTest, NeedsAFrameWithoutCodeInBrackets) {
  Profile profile = ProfileOf("[small stacks] 1\n");
  Location& location = profile.locations.back();
  EXPECT_TRUE(IsSynthetic(profile, location));
  location.mapping = MappingId{1};
  EXPECT_FALSE(IsSynthetic(profile, location));

  profile = ProfileOf("main 1\n");
  EXPECT_FALSE(IsSynthetic(profile, profile.locations.back()));
}

}  // namespace
}  // namespace heapprof
