// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/recording_plan.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const JemallocLibrary kLibrary = {.path = "/lib/libjemalloc.so.2",
                                  .facts = {.variables = {"MALLOC_CONF"},
                                            .has_profiler = true,
                                            .names_threads = true,
                                            .has_symbols = true}};

ProgramFacts GlibcProgram() {
  return {.path = "app", .elf_path = "app", .loader = Loader::kGlibc};
}

ProgramFacts RustProgram() {
  ProgramFacts program = GlibcProgram();
  program.jemalloc = {.variables = {"_RJEM_MALLOC_CONF"},
                      .has_profiler = true,
                      .names_threads = false,
                      .has_symbols = true};
  return program;
}

std::vector<std::string> EnvironmentOf(
    const RecordingPlan& plan, const std::vector<std::string>& before = {},
    const RecordOptions& options = {.prefix = "/tmp/app"}) {
  return RecordingEnvironment(before, plan, options,
                              {.library = "/ours", .status = "/status"});
}

TEST(NearestRateTest, RoundsByRatio) {
  EXPECT_EQ(NearestRate(1), 1u);
  EXPECT_EQ(NearestRate(524288), 524288u);
  EXPECT_EQ(NearestRate(3000), 4096u);
  EXPECT_EQ(NearestRate(2500), 2048u);
}

TEST(PlanRecordingTest, PreloadsTheLibraryThatWasFound) {
  ASSERT_TRUE(NeedsJemalloc(GlibcProgram()));
  const auto plan = PlanRecording(GlibcProgram(), kLibrary);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->limits.empty());
  const auto environment = EnvironmentOf(*plan);
  EXPECT_THAT(environment, Contains("LD_PRELOAD=/ours:/lib/libjemalloc.so.2"));
  EXPECT_THAT(environment,
              Contains("HEAPPROF_RECORD=0:0:0:0:1:/status:/tmp/app"));
  EXPECT_THAT(environment,
              Contains("MALLOC_CONF=prof:true,prof_active:true,"
                       "prof_thread_active_init:true,lg_prof_sample:19,prof_"
                       "prefix:/tmp/app,prof_sys_thread_name:true"));
  // Of an unknown version.
  EXPECT_THAT(environment,
              Contains("_RJEM_MALLOC_CONF=prof:true,prof_active:true,"
                       "prof_thread_active_init:true,lg_prof_sample:19,prof_"
                       "prefix:/tmp/app"));
}

TEST(PlanRecordingTest, KeepsALogIfAsked) {
  const RecordOptions options = {.rss = true, .recent = true, .prefix = "/a"};
  JemallocLibrary library = kLibrary;
  library.facts.keeps_recent = true;
  const auto settings = [&] {
    return EnvironmentOf(*PlanRecording(GlibcProgram(), library), {}, options);
  };
  EXPECT_THAT(settings(), Contains(HasSubstr(",prof_recent_alloc_max:100000,"
                                             "prof_time_resolution:high")));
  // Of an unknown version.
  EXPECT_THAT(settings(), Not(Contains(AllOf(StartsWith("_RJEM_MALLOC_CONF"),
                                             HasSubstr("recent")))));
  library.facts.keeps_recent = false;
  EXPECT_THAT(settings(), Not(Contains(HasSubstr("recent"))));
}

TEST(PlanRecordingTest, UsesTheJemallocInTheProgram) {
  EXPECT_FALSE(NeedsJemalloc(RustProgram()));
  const auto plan = PlanRecording(RustProgram(), std::nullopt);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->jemalloc, "the jemalloc in the program");
  EXPECT_THAT(EnvironmentOf(*plan), Contains("LD_PRELOAD=/ours"));
  ProgramFacts linked = GlibcProgram();
  linked.linked_jemalloc = "libjemalloc.so.2";
  EXPECT_FALSE(NeedsJemalloc(linked));
}

TEST(PlanRecordingTest, TakesAJemallocOfTheSystemForTheLinkedOne) {
  ProgramFacts linked = GlibcProgram();
  linked.linked_jemalloc = "libjemalloc.so.2";
  const auto unknown = PlanRecording(linked, std::nullopt);
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->names_threads);
  const auto plan = PlanRecording(linked, kLibrary);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->jemalloc, "the libjemalloc.so that the program links");
  EXPECT_EQ(plan->preloaded_jemalloc, "");
  EXPECT_THAT(EnvironmentOf(*plan),
              Contains(AllOf(StartsWith("MALLOC_CONF="),
                             HasSubstr(",prof_sys_thread_name:true"))));
}

TEST(PlanRecordingTest, LeavesTheDumpToJemallocIfItMust) {
  ProgramFacts stripped = RustProgram();
  stripped.jemalloc->has_symbols = false;
  const auto plan = PlanRecording(stripped, std::nullopt);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->limits, HasSubstr("app is stripped: only jemalloc itself"));
  const auto environment = EnvironmentOf(*plan, {"LD_PRELOAD=/x"});
  EXPECT_THAT(environment, Contains("LD_PRELOAD=/x"));
  EXPECT_THAT(environment, Not(Contains(StartsWith("HEAPPROF"))));
  EXPECT_THAT(environment, Contains(HasSubstr(",prof_final:true")));
}

TEST(PlanRecordingTest, RefusesWhatCannotBeRecorded) {
  for (const auto& [loader, remedy] :
       {std::pair(Loader::kNone,
                  "it contains no jemalloc; link it dynamically"),
        std::pair(Loader::kOther,
                  "it contains no jemalloc; build it for "
                  "glibc")}) {
    ProgramFacts program = GlibcProgram();
    program.loader = loader;
    EXPECT_FALSE(NeedsJemalloc(program));
    const auto plan = PlanRecording(program, std::nullopt);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message, HasSubstr(remedy));
  }
}

TEST(PlanRecordingTest, RefusesAMallocWithoutAProfiler) {
  ProgramFacts program = RustProgram();
  program.jemalloc->has_profiler = false;
  program.jemalloc->variables = {"MALLOC_CONF"};
  const auto plan = PlanRecording(program, kLibrary);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("build it with --enable-prof"));
}

TEST(PlanRecordingTest, RecordsWhatAPrefixedOneDoesNotAllocate) {
  ProgramFacts program = RustProgram();
  program.jemalloc->has_profiler = false;
  ASSERT_TRUE(NeedsJemalloc(program));
  const auto plan = PlanRecording(program, kLibrary);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->limits, HasSubstr("is not in the dump"));
  const auto environment = EnvironmentOf(*plan);
  EXPECT_THAT(environment, Contains(StartsWith("MALLOC_CONF=prof:true")));
  EXPECT_THAT(environment, Not(Contains(StartsWith("_RJEM_MALLOC_CONF"))));
  EXPECT_THAT(EnvironmentOf(*plan, {"_RJEM_MALLOC_CONF=narenas:2"}),
              Contains("_RJEM_MALLOC_CONF=narenas:2"));
}

TEST(PlanRecordingTest, SaysThatAPrefixedOneDoesNotReplaceMalloc) {
  ProgramFacts program = RustProgram();
  EXPECT_THAT(PlanRecording(program, std::nullopt)->limits,
              HasSubstr("does not replace malloc()"));
  program.jemalloc->variables = {"MALLOC_CONF"};
  EXPECT_EQ(PlanRecording(program, std::nullopt)->limits, "");
}

TEST(PlanRecordingTest, WarnsOfStaticProgramsThatAbort) {
  ProgramFacts program = RustProgram();
  program.loader = Loader::kNone;
  program.has_static_glibc = true;
  const auto plan = PlanRecording(program, std::nullopt);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->limits, HasSubstr("only jemalloc itself"));
  program.jemalloc->unwinder = Unwinder::kLibgcc;
  // With a prefix, the C library's own allocations are not jemalloc's.
  EXPECT_THAT(PlanRecording(program, std::nullopt)->limits,
              HasSubstr("only jemalloc itself"));
  program.jemalloc->variables = {"MALLOC_CONF"};
  EXPECT_THAT(PlanRecording(program, std::nullopt)->limits,
              HasSubstr("aborts such programs at their start"));
}

TEST(RecordingEnvironmentTest, KeepsTheSettingsOfTheUser) {
  const auto plan = PlanRecording(GlibcProgram(), kLibrary);
  const auto environment = EnvironmentOf(
      *plan, {"A=b", "MALLOC_CONF=narenas:2", "LD_PRELOAD=/x.so", "broken"});
  EXPECT_THAT(environment, Contains("A=b"));
  EXPECT_THAT(environment, Contains("broken"));
  EXPECT_THAT(environment,
              Contains("LD_PRELOAD=/ours:/lib/libjemalloc.so.2:/x.so"));
  EXPECT_THAT(environment,
              Contains(StartsWith("MALLOC_CONF=narenas:2,prof:true,")));
  EXPECT_THAT(environment, Contains("HEAPPROF_RECORD_SAVED_LD_PRELOAD=/x.so"));
  EXPECT_THAT(environment,
              Contains("HEAPPROF_RECORD_SAVED_MALLOC_CONF=narenas:2"));
}

TEST(RateInEnvironmentTest, TakesTheLastNumberOfAJemallocInUse) {
  const auto plan = PlanRecording(GlibcProgram(), kLibrary);
  const auto rate = [&](const std::string& entry) {
    return RateInEnvironment(std::vector{entry}, *plan);
  };
  EXPECT_EQ(rate("MALLOC_CONF=lg_prof_sample:16"), 1u << 16);
  EXPECT_EQ(rate("MALLOC_CONF=lg_prof_sample:16,narenas:2,lg_prof_sample:0"),
            1u);
  EXPECT_EQ(rate("MALLOC_CONF=lg_prof_sample:16,lg_prof_sample:x"), 1u << 16);
  for (const char* const without :
       {"MALLOC_CONF=narenas:2", "MALLOC_CONF=", "MALLOC_CONF",
        "MALLOC_CONF=lg_prof_sample:", "MALLOC_CONF=lg_prof_sample:64",
        "MALLOC_CONF=lg_prof_sample:-1", "OTHER=lg_prof_sample:16"})
    EXPECT_EQ(rate(without), std::nullopt) << without;
}

TEST(RecordingEnvironmentTest, ShowsThePythonObjects) {
  ProgramFacts python = GlibcProgram();
  python.is_python = true;
  const auto plan = PlanRecording(python, kLibrary);
  EXPECT_THAT(EnvironmentOf(*plan), Contains("PYTHONMALLOC=malloc"));
  EXPECT_THAT(EnvironmentOf(*plan, {"PYTHONMALLOC=debug"}),
              Not(Contains("PYTHONMALLOC=malloc")));
}

TEST(RecordingEnvironmentTest, HidesACommaFromJemalloc) {
  const auto plan = PlanRecording(GlibcProgram(), kLibrary);
  const auto environment = EnvironmentOf(
      *plan, {},
      {.every_ms = 500, .growth = 7, .children = true, .prefix = "/a,b:c"});
  EXPECT_THAT(environment, Not(Contains(HasSubstr("prof_prefix"))));
  EXPECT_THAT(environment,
              Contains("HEAPPROF_RECORD=500:7:1:0:1:/status:/a,b:c"));
}

}  // namespace
}  // namespace heapprof
