// SPDX-License-Identifier: Apache-2.0
#include "transform/frame_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(ParseFrameSetsTest, ReadsNamesSeparatedByCommas) {
  EXPECT_THAT(*ParseFrameSets("--hide", "@std,@wrappers"),
              ElementsAre(CodeOrigin::kStandardLibrary, CodeOrigin::kWrapper));
}

TEST(ParseFrameSetsTest, NamesTheOptionAndTheUnknownSet) {
  const auto sets = ParseFrameSets("--hide", "@std,@stl");
  ASSERT_FALSE(sets);
  EXPECT_EQ(sets.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(sets.error().message,
            "--hide=@std,@stl: expected @std, @rust or @wrappers, found "
            "'@stl'");
}

TEST(FindFramesTest, MatchesFunctionsByOriginAndRuntimeLibrariesWhole) {
  const Profile profile =
      ProfileOf("app!main;app!std::sort()|f();libc.so.6!qsort 1\n");
  const FrameMatches matches =
      FindFrames(profile, {CodeOrigin::kStandardLibrary});
  // Locations from the leaf: qsort, then sort with its inlined call, then main.
  EXPECT_TRUE(matches.MatchesLocation({1}));
  EXPECT_FALSE(matches.MatchesLocation({2}));
  const uint32_t inlined = profile.locations[2].lines.first;
  EXPECT_FALSE(matches.MatchesLine(inlined));
  EXPECT_TRUE(matches.MatchesLine(inlined + 1));
  EXPECT_FALSE(matches.MatchesLine(profile.locations[3].lines.first));
  EXPECT_FALSE(
      FindFrames(profile, {CodeOrigin::kRustLibrary}).MatchesLocation({1}));
}

}  // namespace
}  // namespace heapprof
