// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/input_facts.h"

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(InputFactsTest, DescribeTheProgram) {
  Profile profile = ProfileOf("lib!g 1\napp!main;lib!f 1\n");
  EXPECT_EQ(BuildIdOfProgram(profile), "");
  profile.sampling_period = 512;
  profile.time_seconds = 17;
  profile.main_binary = profile.mappings[2].filename;
  profile.mappings[1].build_id = profile.strings.Intern("aa");
  profile.mappings[2].build_id = profile.strings.Intern("bb");
  InputFacts facts = {.path = "a.heap", .side = Side::kBase};
  AddFacts(profile, facts);
  EXPECT_EQ(facts.path, "a.heap");
  EXPECT_EQ(facts.side, Side::kBase);
  EXPECT_EQ(facts.sampling_period, 512u);
  EXPECT_EQ(facts.time_seconds, 17);
  EXPECT_EQ(facts.program, "app");
  EXPECT_EQ(facts.build_id, "bb");
}

}  // namespace
}  // namespace heapprof
