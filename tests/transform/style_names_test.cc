// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/style_names.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Styled(NameStyle style) {
  Profile profile =
      ProfileOf("main;void ns::f<int>(int)|ns::g[abi:cxx11](char);lib+0x12 1");
  profile.functions.back().unresolved = true;
  StyleNames(profile, style);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

TEST(StyleNamesTest, RenamesInlinedAndOtherFunctions) {
  EXPECT_THAT(Styled(NameStyle::kFull),
              ElementsAre("main;void ns::f<int>(int)|ns::g(char);lib+0x12 1"));
  EXPECT_THAT(Styled(NameStyle::kTemplate),
              ElementsAre("main;ns::f<int>|ns::g;lib+0x12 1"));
  EXPECT_THAT(Styled(NameStyle::kShort),
              ElementsAre("main;ns::f|ns::g;lib+0x12 1"));
}

TEST(StyleNamesTest, LeavesUnresolvedAddressesAsTheyAre) {
  Profile profile = ProfileOf("main;odd(1)+0x12 1");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name) == "odd(1)+0x12";
  StyleNames(profile, NameStyle::kShort);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;odd(1)+0x12 1"));
}

}  // namespace
}  // namespace heapprof
