// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/function_names.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// The names of all functions of `profile`, none of them inlined.
std::vector<std::string> NamesIn(const Profile& profile,
                                 NameForm form = NameForm::kShort) {
  const FunctionNames names(profile, form);
  std::vector<std::string> result;
  for (uint32_t i = 1; i < profile.functions.size(); ++i)
    result.push_back(names.NameOf(FunctionId{i}, false));
  return result;
}

TEST(FunctionNamesTest, NameACloneLikeItsOriginal) {
  EXPECT_THAT(NamesIn(ProfileOf("f(int)@10;f(int) [clone .isra.0]@20 1")),
              ElementsAre("f", "f"));
  EXPECT_THAT(
      NamesIn(ProfileOf("f(int);f(int) [clone .cold] 1"), NameForm::kPlain),
      ElementsAre("f(int)", "f(int)"));
  EXPECT_THAT(
      NamesIn(ProfileOf("f(int);f(int) [clone .cold] 1"), NameForm::kAsTheyAre),
      ElementsAre("f(int) [clone .cold]", "f(int)"));
}

TEST(FunctionNamesTest, GiveAnOverloadTheStartOfItsOriginal) {
  EXPECT_THAT(
      NamesIn(ProfileOf("f(char)@30;f(int) [clone .isra.0]@10;f(int)@20 1")),
      ElementsAre("f@20", "f@20", "f@30"));
}

TEST(FunctionNamesTest, GiveAnOverloadOfClonesTheLowestStart) {
  EXPECT_THAT(NamesIn(ProfileOf("f(char)@30;f(int) [clone .part.1]@20;"
                                "f(int) [clone .part.0]@10 1")),
              ElementsAre("f@10", "f@10", "f@30"));
}

TEST(FunctionNamesTest, TellOverloadsOfTwoBuildsApartByTheirArguments) {
  Profile profile = ProfileOf("f(char)@30;f(int)@20;g()@40 1");
  profile.compares_builds = true;
  EXPECT_THAT(NamesIn(profile), ElementsAre("g", "f(int)", "f(char)"));
}

TEST(FunctionNamesTest, TakeInstancesOfAGenericRustFunctionForOne) {
  EXPECT_THAT(NamesIn(ProfileOf("a::f::<u8>@10;a::f::<u16>@20 1")),
              ElementsAre("a::f", "a::f"));
}

TEST(FunctionNamesTest, MarkNoCallsThatOnlyOneBuildInlines) {
  Profile profile = ProfileOf("f(int)@10 1");
  profile.compares_builds = true;
  for (const NameForm form : {NameForm::kShort, NameForm::kAsTheyAre})
    EXPECT_FALSE(FunctionNames(profile, form)
                     .NameOf(FunctionId{1}, true)
                     .ends_with(" (inline)"));
}

TEST(FunctionNamesTest, MarkInlinedCalls) {
  const Profile profile = ProfileOf("f(int)@10 1");
  EXPECT_EQ(
      FunctionNames(profile, NameForm::kShort).NameOf(FunctionId{1}, true),
      "f (inline)");
  EXPECT_EQ(
      FunctionNames(profile, NameForm::kPlain).NameOf(FunctionId{1}, true),
      "f(int)");
}

}  // namespace
}  // namespace heapprof
