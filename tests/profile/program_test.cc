// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/program.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(FindProgramTest, TakesTheFirstFileThatIsNoLibrary) {
  using Paths = std::vector<std::string_view>;
  EXPECT_EQ(FindProgram(Paths{"/srv/app", "/lib/libc.so.6"}), 0u);
  EXPECT_EQ(FindProgram(Paths{"", "/lib/ld-linux.so.2", "/srv/app"}), 2u);
  EXPECT_EQ(FindProgram(Paths{"", "/lib/libz.so", "/lib/libc.so.6"}), 1u);
  EXPECT_FALSE(FindProgram(Paths{""}));
}

TEST(IsOfProgramTest, GoesByThePathsOfThePrograms) {
  Profile profile = ProfileOf("lib!f 1\napp!f 1\ntool!f 1\n");
  profile.main_binary = profile.strings.Intern("app");
  profile.other_programs = {profile.strings.Intern("tool")};
  EXPECT_FALSE(IsOfProgram(profile, profile.mappings[1]));
  EXPECT_TRUE(IsOfProgram(profile, profile.mappings[2]));
  EXPECT_TRUE(IsOfProgram(profile, profile.mappings[3]));
  EXPECT_EQ(FirstProgramMapping(profile), MappingId{2});
}

TEST(IsOfProgramTest, IsFalseIfTheProgramIsUnknown) {
  Profile profile = ProfileOf("lib!f 1\n");
  profile.main_binary = {};
  profile.mappings[1].filename = {};
  EXPECT_FALSE(IsOfProgram(profile, profile.mappings[1]));
  EXPECT_TRUE(FirstProgramMapping(profile).IsNone());
}

}  // namespace
}  // namespace heapprof
