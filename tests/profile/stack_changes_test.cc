// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/stack_changes.h"

#include <optional>

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(MetricWithValuesTest, PrefersBytesAndWhatIsLive) {
  EXPECT_EQ(MetricWithValues(Profile()), std::nullopt);
  Profile profile = ProfileOf("main 0\n");
  for (const Metric metric : {Metric::kAllocObjects, Metric::kInuseObjects,
                              Metric::kAllocSpace, Metric::kInuseSpace}) {
    profile.samples[0].values[metric].value = 1;
    EXPECT_EQ(MetricWithValues(profile), metric);
  }
}

}  // namespace
}  // namespace heapprof
