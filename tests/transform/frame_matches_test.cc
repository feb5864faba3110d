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
    const RowRange lines = profile.locations[i].lines;
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
  for (const char* pattern :
       {"^n::parse$", "^n::parse<int>$", "^n::parse<int>\\(int\\)$"})
    EXPECT_THAT(Matching(pattern, {.names = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("<int>", {.place = true}), IsEmpty());
  EXPECT_THAT(Matching("^z.c:7$", {.place = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("^z.c$", {.file = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("libz", {.module = true}), ElementsAre(kParse));
  EXPECT_THAT(Matching("libz", {.names = true, .place = true}), IsEmpty());
}

TEST(FrameMatchesTest, MatchesTheAddressOfTheCall) {
  const Profile profile = ProfileOf(kStack);
  const std::string address = fmt::format(
      "{:016x}",
      CallSiteAddress(profile.locations[1], profile.locations[1].address));
  EXPECT_EQ(Matching(address, {.address = true}).size(), 1u);
  EXPECT_THAT(Matching(address, {.names = true}), IsEmpty());
}

std::vector<std::string> MatchingCalls(std::string_view pattern,
                                       std::string_view stacks) {
  const Profile profile = ProfileOf(stacks);
  const auto regex = Regex::Compile("--focus", pattern);
  const auto matches = FrameMatches::Find(profile, *regex, {.names = true});
  std::vector<std::string> names;
  for (uint32_t i = 0; i < profile.lines.size(); ++i)
    if (matches->MatchesLine(i))
      names.emplace_back(profile.String(
          profile.functions[profile.lines[i].function.index()].name));
  return names;
}

TEST(FrameMatchesTest, MatchesTheMarkOfInlinedCalls) {
  EXPECT_THAT(MatchingCalls("^n::f \\(inline\\)$",
                            "main|n::f<int>(int)|n::g(); n::f(char) 1"),
              ElementsAre("n::f<int>(int)"));
}

TEST(FrameMatchesTest, DoesNotTakeTheMarkForAName) {
  constexpr std::string_view kStacks = "main|getline|g;f|h 1";
  EXPECT_THAT(MatchingCalls("line", kStacks), ElementsAre("getline"));
  EXPECT_THAT(MatchingCalls("\\)$", kStacks), IsEmpty());
}

TEST(FrameMatchesTest, FailsIfThePatternTakesTooLong) {
  const Profile profile = ProfileOf("main;" + std::string(60, 'a') + "b 1\n");
  const auto regex = Regex::Compile("--focus", "(a+)+$");
  const auto matches = FrameMatches::Find(profile, *regex, {.names = true});
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace heapprof
