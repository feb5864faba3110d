// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/nameless_stack.h"

#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr FrameName kKnown = FrameName::kKnown;
constexpr FrameName kLacking = FrameName::kLacking;
constexpr FrameName kRuntime = FrameName::kLackingInRuntime;

bool IsNameless(const std::vector<FrameName>& leaf_first) {
  return IsNamelessStack(leaf_first, [](FrameName name) { return name; });
}

TEST(IsNamelessStackTest, NeedsTheNameOfTheLeafAndOfMostFrames) {
  EXPECT_FALSE(IsNameless({}));
  EXPECT_FALSE(IsNameless({kKnown}));
  EXPECT_FALSE(IsNameless({kKnown, kKnown, kLacking}));
  EXPECT_TRUE(IsNameless({kKnown, kLacking}));
  EXPECT_TRUE(IsNameless({kLacking, kKnown, kKnown}));
}

TEST(IsNamelessStackTest, DoesNotMissTheNamesOfWhatStartsAThread) {
  EXPECT_FALSE(IsNameless({kKnown, kRuntime, kRuntime, kRuntime}));
  EXPECT_TRUE(IsNameless({kKnown, kLacking, kRuntime}));
  EXPECT_FALSE(IsNameless({kKnown, kKnown, kLacking, kRuntime, kRuntime}));
  // What a runtime library allocates itself has no name.
  EXPECT_TRUE(IsNameless({kRuntime, kKnown, kKnown}));
}

}  // namespace
}  // namespace heapprof
