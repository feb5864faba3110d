// SPDX-License-Identifier: Apache-2.0
#include "transform/hidden_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

// The stack's frames, leaf first, after the lines of `hidden` functions and
// all of `hidden_location` are hidden: "outer|inner", "-" if nothing is left.
std::vector<std::string> FramesAfterHiding(std::string_view text,
                                           std::string_view hidden,
                                           LocationId hidden_location = {}) {
  ProfileBuilder builder(ProfileOf(text));
  const Profile& profile = builder.profile();
  std::vector<bool> locations(profile.locations.size());
  if (!hidden_location.IsNone()) locations[hidden_location.index()] = true;
  std::vector<bool> lines;
  for (const Line& line : profile.lines)
    lines.push_back(
        profile.String(profile.functions[line.function.index()].name) ==
        hidden);
  const auto shown = HideCalls({locations, lines}, builder);
  std::vector<std::string> frames;
  for (const LocationId frame : profile.StackFrames({1})) {
    std::string names;
    const LocationId left = shown[frame.index()];
    for (const Line& line :
         profile.LocationLines(profile.locations[left.index()])) {
      const auto name =
          profile.String(profile.functions[line.function.index()].name);
      names =
          names.empty() ? std::string(name) : std::string(name) + "|" + names;
    }
    frames.push_back(left.IsNone() ? "-" : names);
  }
  return frames;
}

using ::testing::ElementsAre;

TEST(HideCallsTest, KeepsTheOtherCallsOfALocation) {
  EXPECT_THAT(FramesAfterHiding("main;a|x|b;x;c 1\n", "x"),
              ElementsAre("c", "-", "a|b", "main"));
}

TEST(HideCallsTest, HidesAllCallsOfAMatchingLocation) {
  EXPECT_THAT(FramesAfterHiding("main;a|b 1\n", "", LocationId{1}),
              ElementsAre("-", "main"));
}

TEST(HideCallsTest, ReturnsTheSameLocationIfNothingMatches) {
  ProfileBuilder builder(ProfileOf("main;a|b 1\n"));
  const size_t count = builder.profile().locations.size();
  const auto shown =
      HideCalls({std::vector<bool>(count),
                 std::vector<bool>(builder.profile().lines.size())},
                builder);
  EXPECT_THAT(shown, ElementsAre(LocationId{}, LocationId{1}, LocationId{2}));
  EXPECT_EQ(builder.profile().locations.size(), count);
}

}  // namespace
}  // namespace heapprof
