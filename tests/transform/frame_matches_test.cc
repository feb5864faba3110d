// SPDX-License-Identifier: Apache-2.0
#include "transform/frame_matches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kStack =
    "/srv/app!main%main.cc:3;/lib/libz.so!n::parse<int>(int)%z.c:7 1\n";

// The functions of the calls that match, and "ADDRESS" or "MODULE" texts match
// their whole location.
std::vector<std::string> Matching(std::string_view pattern,
                                  const Subjects& subjects) {
  const Profile profile = ProfileOf(kStack);
  const auto regex = Regex::Compile("--focus", pattern);
  const auto matches = FrameMatches::Find(profile, *regex, subjects);
  std::vector<std::string> names;
  for (uint32_t i = 1; i < profile.locations.size(); ++i) {
    const Run lines = profile.locations[i].lines;
    EXPECT_EQ(
        matches->Matches({{i}, lines}),
        matches->MatchesLocation({i}) || matches->MatchesLine(lines.first));
    if (matches->Matches({{i}, lines}))
      names.emplace_back(profile.String(
          profile.functions[profile.lines[lines.first].function.index()].name));
  }
  return names;
}

TEST(FrameMatchesTest, MatchesOnlyTheRequestedTexts) {
  constexpr const char* kParse = "n::parse<int>(int)";
  EXPECT_THAT(Matching("^n::parse$", {.short_name = true}),
              ElementsAre(kParse));
  EXPECT_THAT(Matching("<int>", {.short_name = true}), IsEmpty());
  EXPECT_THAT(Matching("<int>", {.other_names = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("^z.c:7$", {.place = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("^z.c$", {.file = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("libz", {.module = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("libz", {.short_name = true, .place = true}), IsEmpty());
}

TEST(FrameMatchesTest, MatchesTheAddressOfTheCall) {
  const Profile profile = ProfileOf(kStack);
  const std::string address = fmt::format(
      "{:016x}",
      CallSiteAddress(profile.locations[1], profile.locations[1].address));
  EXPECT_EQ(Matching(address, {.address = true}).size(), 1u);
  EXPECT_THAT(Matching(address, {.short_name = true}), IsEmpty());
}

TEST(FrameMatchesTest, FailsIfThePatternTakesTooLong) {
  const Profile profile = ProfileOf("main;" + std::string(60, 'a') + "b 1\n");
  const auto regex = Regex::Compile("--focus", "(a+)+$");
  const auto matches =
      FrameMatches::Find(profile, *regex, {.short_name = true});
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace heapprof
