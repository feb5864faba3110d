// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_labels.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// The labels of the only stack, leaf first.
std::vector<std::string> LabelsOf(const Profile& profile,
                                  const LabelOptions& options = {}) {
  const FrameLabels labels(profile, options);
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
  EXPECT_THAT(
      LabelsOf(profile, {.names = NameForm::kAsTheyAre}),
      ElementsAre("n::f(int)", "g<int>() (inline)", "n::f(int)", "main"));
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

TEST(FrameLabelsTest, DoesNotDistinguishFunctionsWithOneFullName) {
  EXPECT_THAT(LabelsOf("main@1040;n::f(int)@1149%a.cc:1;n::f(int)@119f%b.cc:1;"
                       "a::B::grow@1200;a::B::grow@1300;<a::B>::grow@1400;"
                       "a::B<T>::grow@1500;a::f::<u8>@1600;a::f::<u16>@1700 1"),
              ElementsAre("a::f", "a::f", "a::B::grow", "a::B::grow",
                          "a::B::grow", "a::B::grow", "n::f", "n::f", "main"));
  EXPECT_THAT(LabelsOf("g(int)@1300;g(int)@1200;g(char)@1400;g(char)@1250 1"),
              ElementsAre("g@1250", "g@1250", "g@1200", "g@1200"));
}

TEST(FrameLabelsTest, MergesTemplateInstances) {
  // Their full names do not begin with the short one.
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
  // Two rows for one function, because its declaration moved within the file.
  Profile profile = ProfileOf("main;n::f(int)@1149;moved 1");
  Function& moved = profile.functions[1];
  ASSERT_EQ(profile.String(moved.name), "moved");
  moved.name = profile.strings.Intern("n::f(int)");
  moved.start_address = 0x2250;
  profile.compares_builds = true;
  EXPECT_THAT(LabelsOf(profile), ElementsAre("n::f", "n::f", "main"));
}

TEST(FrameLabelsTest, DropsBuildSpecificPartsForTwoBuilds) {
  Profile profile = ProfileOf(
      "main;n::f(int) [clone .isra.0]@1149;n::f(int)@2250;"
      "main::{lambda(int)#2}::operator()(int) const;a::b::h0123456789abcdef 1");
  EXPECT_THAT(LabelsOf(profile), ElementsAre("a::b::h0123456789abcdef",
                                             "main::{lambda#2}::operator()",
                                             "n::f", "n::f", "main"));
  profile.compares_builds = true;
  EXPECT_THAT(LabelsOf(profile),
              ElementsAre("a::b", "main::{lambda}::operator()", "n::f", "n::f",
                          "main"));
}

TEST(FrameLabelsTest, NamesClonesLikeTheirOriginals) {
  // Whether the original is in the profile or not, and next to an overload.
  EXPECT_THAT(LabelsOf("n::f(int) [clone .isra.0]@1149;n::f(int) (.cold)@3250;"
                       "c_function.part.0@4000;c_function@4100 1"),
              ElementsAre("c_function", "c_function", "n::f", "n::f"));
  EXPECT_THAT(LabelsOf("n::f(int) [clone .isra.0]@1149;n::f(int)@2250;"
                       "n::f(int)@2260%b.cc:1;n::f(char)@3000 1"),
              ElementsAre("n::f@3000", "n::f@2250", "n::f@2250", "n::f@2250"));
  EXPECT_THAT(LabelsOf(ProfileOf("n::f(int) [clone .isra.0]@1149 1"),
                       {.names = NameForm::kPlain}),
              ElementsAre("n::f(int)"));
}

TEST(FrameLabelsTest, SaysWhereTheCallOfEachFrameIs) {
  const LabelOptions lines = {.granularity = Granularity::kLines};
  const Profile profile = ProfileOf(
      "app!main@1040%/src/a.cc:7;app!f(int)%/src/a.cc:9|g()%b.h:3;"
      "libc.so.6!malloc 1");
  EXPECT_THAT(LabelsOf(profile, lines),
              ElementsAre("malloc ??:0", "g (inline) b.h:3", "f /src/a.cc:9",
                          "main /src/a.cc:7"));
  EXPECT_THAT(LabelsOf(profile, {.granularity = Granularity::kLines,
                                 .names = NameForm::kPlain}),
              ElementsAre("malloc ??:0", "g() b.h:3", "f(int) /src/a.cc:9",
                          "main /src/a.cc:7"));
}

TEST(FrameLabelsTest, TellsCallsOfOneFunctionApartByLineOnly) {
  const Profile profile = ProfileOf(
      "a!f@1149%a.cc:1;b!f@1149%a.cc:2;c!f [clone .isra.0]@99%a.cc:1;"
      "d!f@1149%a.cc:2|h%a.h:5;e!g@20%a.cc:1|h%a.h:5 1");
  EXPECT_THAT(LabelsOf(profile, {.granularity = Granularity::kLines}),
              ElementsAre("h (inline) a.h:5", "g a.cc:1", "h (inline) a.h:5",
                          "f a.cc:2", "f a.cc:1", "f a.cc:2", "f a.cc:1"));
}

TEST(FrameLabelsTest, NamesFilesOrElseTheModule) {
  EXPECT_THAT(
      LabelsOf(ProfileOf("/bin/app!main%/src/a.cc:7;/bin/app!f%/src/a.cc:9|"
                         "g%b.h:3|h%b.h:4;/lib/libc.so.6!qsort;[vdso]!x;y 1"),
               {.granularity = Granularity::kFiles}),
      ElementsAre("[unknown]", "[vdso]", "[libc.so.6]", "b.h", "/src/a.cc",
                  "/src/a.cc"));
}

TEST(FrameLabelsTest, NamesModules) {
  EXPECT_THAT(LabelsOf(ProfileOf("/bin/app!main%/src/a.cc:7;/bin/app!f|g|h;"
                                 "/lib/libc.so.6!qsort;[vdso]!x;y 1"),
                       {.granularity = Granularity::kModules}),
              ElementsAre("[unknown]", "[vdso]", "/lib/libc.so.6", "/bin/app",
                          "/bin/app"));
}

TEST(FrameLabelsTest, NamesAddressesByTheCall) {
  Profile profile = ProfileOf("main@1040%a.cc:7;f%a.cc:9|g 1");
  const auto frames = profile.StackFrames({1});
  Location& returned_to = profile.locations[frames[0].index()];
  returned_to.address = 0x55d0c0de1132;
  profile.locations[frames[1].index()].address = 0x401041;
  profile.locations[frames[1].index()].is_return_address = false;
  EXPECT_THAT(
      LabelsOf(profile, {.granularity = Granularity::kAddresses}),
      ElementsAre("000055d0c0de1131 g (inline) ??:0",
                  "000055d0c0de1131 f a.cc:9", "0000000000401041 main a.cc:7"));
}

TEST(FrameLabelsTest, KeepsNamesOfSyntheticFrames) {
  Profile profile = ProfileOf("[no stack] 1");
  profile.locations[1].address = 0;
  for (const Granularity granularity :
       {Granularity::kFunctions, Granularity::kLines, Granularity::kFiles,
        Granularity::kAddresses, Granularity::kModules})
    EXPECT_THAT(LabelsOf(profile, {.granularity = granularity}),
                ElementsAre("[no stack]"));
}

TEST(FrameLabelsTest, MergesAdjacentFramesOnlyOfFilesAndModules) {
  const Profile profile = ProfileOf(
      "a!main%a.cc:1;a!f%a.cc:1|g%b.h:2;a!f%a.cc:1;"
      "a!f%a.cc:1|f%a.cc:1 1");
  const auto frames = profile.StackFrames({1});
  const auto count = [&](Granularity granularity) {
    return FrameLabels(profile, {.granularity = granularity})
        .OfStack(frames)
        .size();
  };
  EXPECT_EQ(count(Granularity::kFunctions), 6u);
  EXPECT_EQ(count(Granularity::kLines), 6u);
  EXPECT_EQ(count(Granularity::kAddresses), 6u);
  EXPECT_EQ(count(Granularity::kFiles), 3u);
  EXPECT_EQ(count(Granularity::kModules), 1u);
}

TEST(FrameLabelsTest, SortsTheLabelsOfSomeStacks) {
  const Profile profile = ProfileOf("z;b 1\nz;a 2\nc 3");
  const FrameLabels labels(profile, {});
  std::vector<std::string> texts;
  for (const uint32_t id : labels.UsedBy(profile, {{StackId{1}, StackId{2}}}))
    texts.push_back(labels.Text(id));
  EXPECT_THAT(texts, ElementsAre("a", "b", "z"));
  EXPECT_TRUE(labels.UsedBy(profile, {}).empty());
}

TEST(FrameLabelsTest, LeavesNamesOfUnresolvedAddressesWhole) {
  Profile profile = ProfileOf("main;libfoo(1).so+0x12 1");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  EXPECT_THAT(LabelsOf(profile), ElementsAre("libfoo(1).so+0x12", "main"));
}

TEST(FrameLabelsTest, GivesEqualLabelsOneId) {
  const Profile profile = ProfileOf("a!n::V<int>::f();b!n::V<char>::f() 1");
  const FrameLabels labels(profile, {});
  const auto frames = profile.StackFrames({1});
  EXPECT_EQ(labels.Of(frames[0])[0], labels.Of(frames[1])[0]);
  EXPECT_EQ(labels.size(), 1u);
}

TEST(FrameLabelsTest, KnowsTheCodeOfALabelIfAsked) {
  Profile profile = ProfileOf("app!f<int>%a.cc:7;app!f<int>%a.cc:9 1\n");
  profile.functions[1].start_line = 5;
  const FrameLabels by_function(profile, {.with_code = true});
  const LabelCode& code = by_function.CodeOf(0);
  EXPECT_EQ(profile.String(code.function), "f<int>");
  EXPECT_EQ(profile.String(code.file), "a.cc");
  EXPECT_EQ(code.line, 5u);
  EXPECT_EQ(profile.String(code.module), "app");
  const FrameLabels by_line(
      profile, {.granularity = Granularity::kLines, .with_code = true});
  ASSERT_EQ(by_line.size(), 2u);
  EXPECT_EQ(by_line.CodeOf(0).line + by_line.CodeOf(1).line, 7u + 9u);
}

TEST(FrameLabelsTest, TellsLinesApartWithoutPlacesInTexts) {
  const Profile profile =
      ProfileOf("f%a.cc:7;f%a.cc:9;f%b.cc:7;g%a.cc:7;f%a.cc:7;[no stack] 1\n");
  const FrameLabels labels(profile, {.granularity = Granularity::kLines,
                                     .with_code = true,
                                     .omits_places = true});
  std::vector<std::string> lines;
  for (uint32_t id = 0; id < labels.size(); ++id) {
    const LabelCode& code = labels.CodeOf(id);
    lines.push_back(fmt::format("{} {}:{} {}", labels.Text(id),
                                profile.String(code.file), code.line,
                                code.is_place));
  }
  EXPECT_THAT(lines, UnorderedElementsAre("f a.cc:7 true", "f a.cc:9 true",
                                          "f b.cc:7 true", "g a.cc:7 true",
                                          "[no stack] :0 false"));
  EXPECT_THAT(labels.texts(), UnorderedElementsAre("f", "g", "[no stack]"));
}

TEST(FrameLabelsTest, KnowsNoLineOfALabelInSeveralFiles) {
  const Profile profile = ProfileOf("f%a.cc:7:5;f%b.cc:9:8 1\n");
  const FrameLabels labels(profile, {.with_code = true});
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_TRUE(labels.CodeOf(0).file.IsNone());
  EXPECT_EQ(labels.CodeOf(0).line, 0u);
}

TEST(FrameLabelsTest, GivesNoFunctionToAnAddressWithoutAName) {
  Profile profile = ProfileOf("app!app+0x12 1\n");
  profile.functions[1].unresolved = true;
  const FrameLabels labels(profile, {.with_code = true});
  EXPECT_TRUE(labels.CodeOf(0).function.IsNone());
  EXPECT_EQ(profile.String(labels.CodeOf(0).module), "app");
}

}  // namespace
}  // namespace heapprof
