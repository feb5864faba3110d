// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

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

// The labels of the only stack's frames, leaf first.
std::vector<std::string> LabelsOf(const Profile& profile) {
  const FrameLabels labels(profile);
  std::vector<std::string> texts;
  for (LocationId frame : profile.StackFrames(profile.samples[0].stack))
    for (uint32_t id : labels.Of(frame)) texts.push_back(labels.Text(id));
  return texts;
}

std::vector<std::string> LabelsOf(std::string_view stack) {
  return LabelsOf(ProfileOf(stack));
}

TEST(FrameLabelsTest, ShortensNames) {
  EXPECT_THAT(LabelsOf("main;void ns::f<int>(int);operator new(unsigned long);"
                       "std::vector<int>::push_back(int&&);A::b(int) const 1"),
              ElementsAre("A::b", "std::vector::push_back", "operator new",
                          "ns::f", "main"));
}

TEST(FrameLabelsTest, LeavesNamesAsTheyAreIfAsked) {
  const Profile profile =
      ProfileOf("main@1040;n::f(int)@1149|g<int>();n::f(int)@119f 1");
  const FrameLabels labels(profile, /*names_as_they_are=*/true);
  std::vector<std::string> texts;
  for (LocationId frame : profile.StackFrames(profile.samples[0].stack))
    for (uint32_t id : labels.Of(frame)) texts.push_back(labels.Text(id));
  EXPECT_THAT(texts, ElementsAre("n::f(int)", "g<int>() (inline)", "n::f(int)",
                                 "main"));
}

TEST(FrameLabelsTest, MarksInlinedCallsOnly) {
  EXPECT_THAT(LabelsOf("main;ns::outer(int)|ns::mid()|ns::inner() 1"),
              ElementsAre("ns::inner (inline)", "ns::mid (inline)", "ns::outer",
                          "main"));
}

TEST(FrameLabelsTest, TellsOverloadsApartByTheirStart) {
  EXPECT_THAT(LabelsOf("main@1040;n::f(int)@1149;n::f(char)@119f 1"),
              ElementsAre("n::f@119f", "n::f@1149", "main"));
}

TEST(FrameLabelsTest, LeavesAFunctionInSeveralPlacesWithoutStart) {
  EXPECT_THAT(LabelsOf("main@1040;n::f(int)@1149;g@1200|n::f(int)@1149 1"),
              ElementsAre("n::f (inline)", "g", "n::f", "main"));
}

TEST(FrameLabelsTest, LeavesInlinedOverloadsTogether) {
  EXPECT_THAT(LabelsOf("main@1040|n::f(int)@1149;n::f(char)@119f 1"),
              ElementsAre("n::f", "n::f (inline)", "main"));
}

TEST(FrameLabelsTest, MergesTemplateInstances) {
  // Their full name does not begin with the short one.
  EXPECT_THAT(LabelsOf("main;void n::g<int>(int)@1149;"
                       "void n::g<long>(long)@119f;n::V<int>::f()@1200;"
                       "n::V<char>::f()@1300 1"),
              ElementsAre("n::V::f", "n::V::f", "n::g", "n::g", "main"));
}

TEST(FrameLabelsTest, NamesOverloadsOfTwoBuildsWithTheirArguments) {
  Profile profile = ProfileOf("main;n::f(int)@1149;n::f(char)@119f 1");
  profile.compares_builds = true;
  EXPECT_THAT(LabelsOf(profile),
              ElementsAre("n::f(char)", "n::f(int)", "main"));
}

TEST(FrameLabelsTest, LeavesAFunctionThatMovedBetweenBuildsShort) {
  // One row per declaration: it moved in the file, too.
  Profile profile = ProfileOf("main;n::f(int)@1149;moved 1");
  Function& moved = profile.functions[1];
  ASSERT_EQ(profile.String(moved.name), "moved");
  moved.name = profile.strings.Intern("n::f(int)");
  moved.start_address = 0x2250;
  profile.compares_builds = true;
  EXPECT_THAT(LabelsOf(profile), ElementsAre("n::f", "n::f", "main"));
}

TEST(FrameLabelsTest, DropsFromTwoBuildsWhatDiffersByBuild) {
  Profile profile = ProfileOf(
      "main;n::f(int) [clone .isra.0]@1149;n::f(int)@2250;"
      "main::{lambda(int)#2}::operator()(int) const;a::b::h0123456789abcdef 1");
  EXPECT_THAT(
      LabelsOf(profile),
      ElementsAre("a::b::h0123456789abcdef", "main::{lambda#2}::operator()",
                  "n::f", "n::f [clone .isra.0]", "main"));
  profile.compares_builds = true;
  EXPECT_THAT(LabelsOf(profile),
              ElementsAre("a::b", "main::{lambda}::operator()", "n::f", "n::f",
                          "main"));
}

TEST(FrameLabelsTest, LeavesNamesOfUnresolvedAddressesWhole) {
  Profile profile = ProfileOf("main;libfoo(1).so+0x12 1");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  EXPECT_THAT(LabelsOf(profile), ElementsAre("libfoo(1).so+0x12", "main"));
}

TEST(FrameLabelsTest, GivesEqualLabelsOneId) {
  const Profile profile = ProfileOf("a!n::V<int>::f();b!n::V<char>::f() 1");
  const FrameLabels labels(profile);
  const auto frames = profile.StackFrames({1});
  EXPECT_EQ(labels.Of(frames[0])[0], labels.Of(frames[1])[0]);
  EXPECT_EQ(labels.size(), 1u);
}

}  // namespace
}  // namespace heapprof
