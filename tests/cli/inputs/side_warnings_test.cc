// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/side_warnings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/options.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

struct Program {
  std::string path;
  std::string build_id;
  uint64_t period = 4096;
};

Profile ProfileOfProgram(const Program& program) {
  Profile profile = ProfileOf("app!main 1\n");
  profile.sampling_period = program.period;
  profile.main_binary = profile.strings.Intern(program.path);
  profile.mappings[1].filename = profile.main_binary;
  profile.mappings[1].build_id = profile.strings.Intern(program.build_id);
  return profile;
}

// The kinds of the warnings.
std::vector<WarningKind> WarningsOf(const Program& now, const Program& base) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOfProgram(now), Side::kNew});
  inputs.push_back({ProfileOfProgram(base), Side::kBase});
  Diagnostics diagnostics;
  WarnIfSidesDiffer(inputs, diagnostics);
  std::vector<WarningKind> kinds;
  for (const auto& warning : diagnostics.warnings())
    kinds.push_back(warning.kind);
  return kinds;
}

using Kinds = std::vector<WarningKind>;

TEST(WarnIfSidesDifferTest, TellsProgramsByNameAndBuildId) {
  const Kinds none, different = {WarningKind::kDifferentPrograms};
  EXPECT_EQ(WarningsOf({"/a/app", "1"}, {"/b/app", "2"}), none);
  EXPECT_EQ(WarningsOf({"/a/app", "1"}, {"/a/app.old", "1"}), none);
  EXPECT_EQ(WarningsOf({"/a/app", "1"}, {"/a/other", "2"}), different);
  EXPECT_EQ(WarningsOf({"/a/app", ""}, {"/a/other", ""}), different);
  EXPECT_EQ(WarningsOf({"", ""}, {"/a/other", ""}), none);
}

TEST(WarnIfSidesDifferTest, IgnoresVersionsAndHashesOfPrograms) {
  const auto are_different = [](const char* now, const char* base) {
    return !WarningsOf({now, "1"}, {base, "2"}).empty();
  };
  for (const auto& [now, base] :
       std::vector<std::pair<const char*, const char*>>{
           {"/a/app-1.4.2", "/a/app-1.5"},
           {"/a/app-v2", "/b/app"},
           {"/a/app_12-0f3a9bc", "/a/app_11"},
           {"/deps/bench-3f2a9c0d1b7e6f58", "/deps/bench-0123456789abcdef"},
           {"/usr/bin/python3.11", "/usr/bin/python3.12"},
           {"/usr/lib/clang-19", "/usr/lib/clang-20"}})
    EXPECT_FALSE(are_different(now, base)) << now;
  for (const auto& [now, base] :
       std::vector<std::pair<const char*, const char*>>{
           {"/a/app-server", "/a/app-worker"},
           {"/a/app-1.4-client", "/a/app-1.4-server"},
           {"/a/app-deface", "/a/app-facade"},
           {"/a/1", "/a/2"}})
    EXPECT_TRUE(are_different(now, base)) << now;
}

TEST(NoteSwappedSidesTest, KnowsTheOrderOfTheDumpsOfAProcess) {
  const auto note = [](const std::vector<std::string>& now,
                       const std::vector<std::string>& base) {
    std::vector<InputFacts> inputs;
    for (const std::string& path : now)
      inputs.push_back({.path = path, .side = Side::kNew});
    for (const std::string& path : base)
      inputs.push_back({.path = path, .side = Side::kBase});
    Diagnostics diagnostics;
    NoteSwappedSides(inputs, diagnostics);
    return diagnostics.notes().empty() ? "" : diagnostics.notes().front();
  };
  EXPECT_EQ(note({"app.7.0.i0.heap"}, {"app.7.3.i3.heap"}),
            "the base, app.7.3.i3.heap, is a later dump of the process than "
            "app.7.0.i0.heap: what grew looks as if it had shrunk");
  EXPECT_EQ(note({"app.7.3.i3.heap"}, {"app.7.0.i0.heap"}), "");
  // Of other processes, without numbers, or in no order.
  EXPECT_EQ(note({"app.7.0.i0.heap"}, {"app.8.3.i3.heap"}), "");
  EXPECT_EQ(note({"new.heap"}, {"old.heap"}), "");
  EXPECT_EQ(note({"app.7.0.i0.heap", "app.7.4.i4.heap"}, {"app.7.3.i3.heap"}),
            "");
  EXPECT_EQ(note({"app.7.0.i0.heap", "app.7.4.i4.heap"},
                 {"app.7.3.i3.heap", "app.7.5.i5.heap"}),
            "");
  EXPECT_EQ(note({"app.7.3.i3.heap"}, {}), "");
}

TEST(WarnIfSidesDifferTest, ComparesAllDumps) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOfProgram({"/a/app", ""}), Side::kNew});
  inputs.push_back({ProfileOfProgram({"/a/app", ""}), Side::kBase});
  inputs.push_back({ProfileOfProgram({"/a/other", ""}), Side::kNew});
  Diagnostics diagnostics;
  WarnIfSidesDiffer(inputs, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].messages,
            std::vector<std::string>{
                "different programs are averaged: /a/app, and /a/other"});
}

TEST(WarnIfSidesDifferTest, SaysBothBuilds) {
  std::vector<MergeInput> inputs;
  inputs.push_back(
      {ProfileOfProgram({"/a/app", "289ee39f34b2cc04d1"}), Side::kNew});
  inputs.push_back({ProfileOfProgram({"/a/other", ""}), Side::kBase});
  Diagnostics diagnostics;
  WarnIfSidesDiffer(inputs, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(
      diagnostics.warnings()[0].messages[0],
      "different programs are compared: /a/app (build 289ee39f34b2), in the "
      "base /a/other");
}

TEST(WarnIfDetailDiffersTest, SaysWhichSideHasDebugInformation) {
  const auto warning = [](const Sides<BuildIds>& with,
                          const Sides<BuildIds>& without) -> std::string {
    Diagnostics diagnostics;
    WarnIfDetailDiffers(with, without, "/srv/app", diagnostics);
    return diagnostics.empty() ? "" : diagnostics.warnings()[0].messages[0];
  };
  EXPECT_EQ(warning({{"1"}, {}}, {{}, {"2"}}),
            "only the new side has debug information of app, so functions that "
            "are inlined there look new; --no-inlines compares both sides "
            "alike");
  EXPECT_THAT(warning({{}, {"1"}}, {{""}, {}}),
              testing::HasSubstr("only the base has debug information of app, "
                                 "so functions that are inlined there look "
                                 "gone;"));
  EXPECT_EQ(warning({{"1"}, {"2"}}, {}), "");
  EXPECT_EQ(warning({}, {{"1"}, {"2"}}), "");
  EXPECT_EQ(warning({{"1"}, {}}, {}), "");  // not found on the other side
  // A run without it, besides one with it, on the same side.
  EXPECT_EQ(warning({{"1"}, {"1"}}, {{}, {"2"}}), "");
  // One build, stripped in one place.
  EXPECT_EQ(warning({{"1"}, {}}, {{}, {"1"}}), "");
}

TEST(NoteMeansTest, CountsTheDumpsOfEachSide) {
  Options options;
  const auto notes_of = [&](size_t now, size_t base) {
    std::vector<MergeInput> inputs;
    for (size_t i = 0; i < now; ++i) inputs.push_back({{}, Side::kNew});
    for (size_t i = 0; i < base; ++i) inputs.push_back({{}, Side::kBase});
    Diagnostics diagnostics;
    NoteMeans(inputs, options, diagnostics);
    return diagnostics.notes();
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes_of(3, 0), Notes());
  EXPECT_EQ(notes_of(1, 1), Notes());
  EXPECT_EQ(notes_of(2, 3), Notes({"the base is the mean of 3 dumps",
                                   "the new side is the mean of 2 dumps"}));
  // --base may have been meant to take some of them.
  EXPECT_EQ(notes_of(2, 1),
            Notes({"the new side is the mean of 2 dumps; if some belong to the "
                   "base, say so: --base OLD... --new NEW..."}));
  options.news = {"a", "b"};
  EXPECT_EQ(notes_of(2, 1), Notes({"the new side is the mean of 2 dumps"}));
}

TEST(NoteMeansTest, CountsTheRunsOfABaselineThatIsShownAlone) {
  std::vector<MergeInput> inputs(1);
  inputs[0].profile.runs.now.resize(3);
  Diagnostics diagnostics;
  NoteMeans(inputs, Options(), diagnostics);
  EXPECT_EQ(diagnostics.notes(),
            std::vector<std::string>{"the baseline shows the mean of 3 runs"});
}

TEST(WarnIfSidesDifferTest, ComparesPeriodsThatAreKnown) {
  const Kinds none, different = {WarningKind::kDifferentPeriods};
  EXPECT_EQ(WarningsOf({"a", "", 1}, {"a", "", 4096}), different);
  EXPECT_EQ(WarningsOf({"a", "", 0}, {"a", "", 4096}), none);
}

TEST(WarnIfSidesDifferTest, ComparesOnlyProgramsWithoutABase) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOfProgram({"a", "", 1}), Side::kNew});
  inputs.push_back({ProfileOfProgram({"b", "", 2}), Side::kNew});
  Diagnostics diagnostics;
  WarnIfSidesDiffer(inputs, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].kind, WarningKind::kDifferentPrograms);
}

}  // namespace
}  // namespace heapprof
