// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/doctor/diagnose.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using testing::HasSubstr;

Fact FactOf(const Profile& profile, const Info& info, std::string_view name) {
  const Diagnosis diagnosis = DiagnoseDump(profile, info);
  return *std::ranges::find(diagnosis.facts, name, &Fact::name);
}

Info InfoOf(const Profile& profile) {
  Info info = MakeInfo(profile, {"d.heap", "", ""}, {});
  info.has_memory_map = true;
  info.modules.lined_percent = 100;
  return info;
}

TEST(DiagnoseDumpTest, IsReadyForAGoodDump) {
  Profile profile = ProfileOf("main;f 6000000\nmain;f;g 8000000\n");
  profile.sampling_period = 4096;
  const Diagnosis good = DiagnoseDump(profile, InfoOf(profile));
  EXPECT_TRUE(good.IsReady());
  EXPECT_EQ(good.subject, "d.heap");
  EXPECT_EQ(good.facts.front().text, "13.4 MiB live, a sample per 4 KiB");
}

TEST(DiagnoseDumpTest, SaysThatADumpHoldsNothing) {
  Profile profile = ProfileOf("main;f 6000\n");
  profile.sampling_period = 524288;
  Info info = InfoOf(profile);
  info.program = "/srv/my app";
  const Fact fact = FactOf(profile, info, "samples");
  EXPECT_EQ(fact.state, FactState::kMissing);
  EXPECT_EQ(fact.command,
            "heapprof record --every 30s --rate 16KiB '/srv/my app'");
}

TEST(DiagnoseDumpTest, MissesTheMemoryMap) {
  const Profile profile = ProfileOf("main;f 6000\n");
  Info info = InfoOf(profile);
  info.has_memory_map = false;
  EXPECT_EQ(FactOf(profile, info, "memory map").command,
            "heapprof --maps /proc/PID/maps d.heap");
  info.is_symbolized = true;
  EXPECT_EQ(FactOf(profile, info, "memory map").state, FactState::kOk);
}

TEST(DiagnoseDumpTest, MissesTheProgram) {
  const Profile profile = ProfileOf("main;f 6000\n");
  Info info = InfoOf(profile);
  info.modules.rows = {{.path = "/srv/app",
                        .is_main_program = true,
                        .info = {.file_state = FileState::kNotFound,
                                 .reason = "/srv/app not found"}}};
  const Fact fact = FactOf(profile, info, "program");
  EXPECT_EQ(fact.text, "/srv/app not found");
  EXPECT_EQ(fact.command, "heapprof DIR/app d.heap");
  info.modules.rows[0].info.reason = "another build";
  EXPECT_EQ(FactOf(profile, info, "program").text, "/srv/app: another build");
  info.modules.rows[0].info.file = "/mnt/app";
  EXPECT_EQ(FactOf(profile, info, "program").text, "/mnt/app");
}

TEST(DiagnoseDumpTest, CountsMissingNames) {
  const Profile profile = ProfileOf("main;f 6000\n");
  Info info = InfoOf(profile);
  info.modules.nameless_percent = 20;
  const Fact some = FactOf(profile, info, "names");
  EXPECT_EQ(some.state, FactState::kMissing);
  EXPECT_FALSE(some.is_required);
  info.modules.nameless_percent = 60;
  EXPECT_TRUE(FactOf(profile, info, "names").is_required);
}

// The package that has the debug file of a library does not help a program of
// which more is missing.
TEST(DiagnoseDumpTest, SaysWhatNamesTheLargestModule) {
  const Profile profile = ProfileOf("main;f 6000\n");
  Info info = InfoOf(profile);
  info.modules.nameless_percent = 80;
  const auto missing = [](const char* path, double percent) {
    ModuleRow row;
    row.path = path;
    row.percent = row.nameless_percent = percent;
    row.status = ModuleStatus::kNoNames;
    row.info.file_state = FileState::kNoDebugInfo;
    return row;
  };
  info.modules.rows = {missing("/usr/lib/libz.so", 20),
                       missing("/srv/server", 60)};
  info.modules.rows[0].info.suggestions = {
      {.text = "install:", .command = "dpkg -S", .argument = "libz.so"}};
  info.modules.rows[1].info.suggestions = {{.text = "give it"}};
  EXPECT_EQ(FactOf(profile, info, "names").command, "heapprof info d.heap");
  info.modules.rows[0].percent = info.modules.rows[0].nameless_percent = 70;
  EXPECT_EQ(FactOf(profile, info, "names").command, "dpkg -S libz.so");
}

TEST(DiagnoseDumpTest, SeesStacksThatEndAtOnce) {
  Profile profile = ProfileOf("main;f 6000\nf 4000\n");
  const Fact fact = FactOf(profile, InfoOf(profile), "stacks");
  EXPECT_EQ(fact.state, FactState::kMissing);
  EXPECT_THAT(fact.text, HasSubstr("40.0% of the memory"));
  const Profile some = ProfileOf("main;f 990\nf 10\n");
  EXPECT_EQ(FactOf(some, InfoOf(some), "stacks").state, FactState::kMissing);
  const Profile few = ProfileOf("main;f 991\nf 9\n");
  EXPECT_EQ(FactOf(few, InfoOf(few), "stacks").state, FactState::kOk);
}

TEST(DiagnoseDumpTest, SeesThreadsWithoutNames) {
  Profile profile = ProfileOf("main;f 6000\n");
  EXPECT_EQ(FactOf(profile, InfoOf(profile), "threads").state,
            FactState::kUnknown);
  profile.threads.resize(3);
  EXPECT_EQ(FactOf(profile, InfoOf(profile), "threads").state,
            FactState::kMissing);
  profile.threads[2].name = profile.strings.Intern("worker");
  EXPECT_EQ(FactOf(profile, InfoOf(profile), "threads").text,
            "2, 1 of them with a name");
  profile.threads[1].name = profile.threads[2].name;
  EXPECT_EQ(FactOf(profile, InfoOf(profile), "threads").text, "2, with names");
}

}  // namespace
}  // namespace heapprof
