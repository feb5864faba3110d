// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/matching_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The labels of the stack for which exactly `text` matches.
std::vector<std::string> Matching(std::string_view text,
                                  Granularity granularity) {
  const Profile profile =
      ProfileOf("app!main%a.cc:1;app!n::f<int>(int)%a.cc:2|n::g()%b.cc:3 1\n");
  const FrameLabels labels(profile, {.granularity = granularity});
  const auto wanted = MatchingLabels(
      profile, labels, [&](std::string_view name) { return name == text; });
  std::vector<std::string> names;
  for (uint32_t id = 0; id < labels.size(); ++id)
    if (wanted[id]) names.emplace_back(labels.Text(id));
  return names;
}

TEST(MatchingLabelsTest, MatchesShortNamesFullNamesAndInlinedCalls) {
  const auto functions = Granularity::kFunctions;
  EXPECT_THAT(Matching("n::f", functions), ElementsAre("n::f"));
  EXPECT_THAT(Matching("n::f<int>(int)", functions), ElementsAre("n::f"));
  EXPECT_THAT(Matching("n::g", functions), ElementsAre("n::g (inline)"));
  EXPECT_THAT(Matching("n::g()", functions), ElementsAre("n::g (inline)"));
  EXPECT_THAT(Matching("n", functions), IsEmpty());
}

TEST(MatchingLabelsTest, MatchesEachFormOfANameInEachLabel) {
  const auto lines = Granularity::kLines;
  for (const char* name : {"n::f", "n::f<int>", "n::f<int>(int)"})
    EXPECT_THAT(Matching(name, lines), ElementsAre("n::f a.cc:2")) << name;
  EXPECT_THAT(Matching("n::f<int>", Granularity::kFunctions),
              ElementsAre("n::f"));
}

// All inlined calls end with "line)".
TEST(MatchingLabelsTest, DoesNotTakeTheMarkForAName) {
  const Profile profile = ProfileOf("main|getline();f|g() 1\n");
  const FrameLabels labels(profile, {.granularity = Granularity::kFunctions});
  const auto wanted = MatchingLabels(
      profile, labels,
      [](std::string_view name) { return name.find("line") != name.npos; });
  std::vector<std::string> names;
  for (uint32_t id = 0; id < labels.size(); ++id)
    if (wanted[id]) names.emplace_back(labels.Text(id));
  EXPECT_THAT(names, ElementsAre("getline (inline)"));
}

TEST(MatchingLabelsTest, MatchesOnlyTheTextOfFiles) {
  EXPECT_THAT(Matching("a.cc", Granularity::kFiles), ElementsAre("a.cc"));
  EXPECT_THAT(Matching("n::g()", Granularity::kFiles), IsEmpty());
}

}  // namespace
}  // namespace heapprof
