// SPDX-License-Identifier: Apache-2.0
#include "parse/json_log_parser.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/parse/recent_allocations.h"
#include "heapprof/profile/profile.h"
#include "parse/parse_testing.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kNoMap =
    "a.json: no memory map, so its addresses cannot be named without --maps";

Parsed ParseJson(std::string_view text, const MemoryMap* maps = nullptr) {
  Diagnostics diagnostics;
  auto profile = ParseJsonLog(text, "a.json", maps, diagnostics);
  if (!profile) {
    ADD_FAILURE() << profile.error().message;
    return {};
  }
  EXPECT_EQ(CheckValid(*profile), "");
  return {std::move(*profile), AllMessages(diagnostics)};
}

// A log of jemalloc 5.3.0, shortened: two allocations of one stack.
std::string LogWith(std::string_view thread_name) {
  return R"({"info":{"duration":23999999,"version":"5.3.0-0-g54eaed1d8b56",)"
         R"("lg_sample_rate":14,"prof_time_resolution":"default","pid":4651},)"
         R"("threads":[{"thr_uid":7,"thr_name":")" +
         std::string(thread_name) +
         R"("}],"stack_traces":[["0x7f01","0x56a0"],["0x7f02"]],)"
         R"("allocations":[{"alloc_thread":0,"free_thread":0,"alloc_trace":0,)"
         R"("free_trace":1,"alloc_timestamp":5,"free_timestamp":6,)"
         R"("usize":20480},{"alloc_thread":0,"free_thread":0,"alloc_trace":0,)"
         R"("free_trace":1,"alloc_timestamp":7,"free_timestamp":8,)"
         R"("usize":4096}]})";
}

// For objects sampled with a period of 16384 bytes, computed with Python: 1/p
// and usize/p with p = 1 - exp(-usize/16384).
constexpr double kObjects20480 = 1.401551118493013;
constexpr double kBytes20480 = 28703.766906736906;
constexpr double kObjects4096 = 4.520811664187799;
constexpr double kBytes4096 = 18517.244576513225;

TEST(JsonLogParserTest, WeighsEveryFreedAllocationOfALog) {
  const Parsed parsed = ParseJson(LogWith("main"));
  EXPECT_THAT(parsed.warnings, ElementsAre(kNoMap));
  const Profile& profile = parsed.profile;
  EXPECT_EQ(profile.sampling_period, 16384u);
  EXPECT_TRUE(profile.has_accumulated);
  ASSERT_EQ(profile.samples.size(), 1u);
  EXPECT_THAT(Addresses(profile, profile.samples[0].stack),
              ElementsAre(0x7f01, 0x56a0));
  const Values& values = profile.samples[0].values;
  EXPECT_NEAR(values[Metric::kAllocObjects].value, kObjects20480 + kObjects4096,
              1e-9);
  EXPECT_NEAR(values[Metric::kAllocSpace].value, kBytes20480 + kBytes4096,
              1e-6);
  EXPECT_GT(values[Metric::kAllocSpace].variance, 0);
  EXPECT_EQ(values[Metric::kInuseSpace].value, 0);
  ASSERT_EQ(profile.thread_samples.size(), 1u);
  const Thread& thread =
      profile.threads[profile.thread_samples[0].thread.index()];
  EXPECT_EQ(thread.uid, 7u);
  EXPECT_EQ(profile.String(thread.name), "main");
}

TEST(JsonLogParserTest, KeepsLifetimesApart) {
  std::string log = LogWith("main");
  const std::string_view second = R"("free_timestamp":8)";
  log.replace(log.find(second), second.size(), R"("free_timestamp":2000007)");
  const Profile profile = ParseJson(log).profile;
  ASSERT_EQ(profile.samples.size(), 2u);
  EXPECT_EQ(profile.samples[0].stack, profile.samples[1].stack);
  EXPECT_EQ(profile.samples[0].lifetime, Lifetime::kBelow1ms);
  EXPECT_EQ(profile.samples[1].lifetime, Lifetime::kBelow10ms);
  // If the clock went back, the lifetime is unknown.
  log.replace(log.find(R"("free_timestamp":6)"), 18, R"("free_timestamp":4)");
  EXPECT_EQ(ParseJson(log).profile.samples[0].lifetime, Lifetime::kUnknown);
}

TEST(JsonLogParserTest, ReadsNamesThatAreNotEscaped) {
  for (const char* name : {R"(main "q")", R"(")", R"("")", "a\\", "x:[{", ""}) {
    const Parsed parsed = ParseJson(LogWith(name));
    EXPECT_THAT(parsed.warnings, ElementsAre(kNoMap)) << name;
    ASSERT_EQ(parsed.profile.threads.size(), 2u) << name;
    EXPECT_EQ(parsed.profile.String(parsed.profile.threads[1].name), name);
    EXPECT_EQ(parsed.profile.samples.size(), 1u) << name;
  }
}

TEST(JsonLogParserTest, ReadsThePrettyPrintedLogsOfOldVersions) {
  const Parsed parsed = ParseJson(
      "{\n\t\"info\": {\n\t\t\"lg_sample_rate\": 0\n\t},\n\t\"threads\": "
      "[\n\t\t{\n\t\t\t\"thr_uid\": 1,\n\t\t\t\"thr_name\": \"t\"\n\t\t}\n\t],"
      "\n\t\"stack_traces\": [\n\t\t[\n\t\t\t\"0x1f\"\n\t\t]\n\t],\n\t"
      "\"allocations\": [\n\t\t{\n\t\t\t\"alloc_thread\": 0,\n\t\t\t"
      "\"alloc_trace\": 0,\n\t\t\t\"usize\": 4096\n\t\t}\n\t]\n}\n");
  EXPECT_THAT(parsed.warnings, ElementsAre(kNoMap));
  EXPECT_EQ(parsed.profile.sampling_period, 1u);
  EXPECT_THAT(SampleStacks(parsed.profile),
              ElementsAre(std::vector<uint64_t>{0x1f}));
}

TEST(JsonLogParserTest, CountsLiveRecentAllocationsAsInUse) {
  const Parsed parsed = ParseJson(
      R"({"sample_interval":16384,"recent_alloc_max":4,"recent_alloc":[)"
      R"({"size":20000,"usize":20480,"released":true,"alloc_thread_uid":0,)"
      R"("alloc_thread_name":"a "b"","alloc_time":1,"alloc_trace":["0x10"],)"
      R"("dalloc_thread_uid":0,"dalloc_time":2,"dalloc_trace":["0x99"]},)"
      R"({"size":4000,"usize":4096,"released":false,"alloc_thread_uid":3,)"
      R"("alloc_time":1,"alloc_trace":["0x20","0x21"]}]})");
  EXPECT_THAT(parsed.warnings, ElementsAre(kNoMap));
  const Profile& profile = parsed.profile;
  ASSERT_EQ(profile.samples.size(), 2u);
  const Values& released = profile.samples[0].values;
  EXPECT_EQ(released[Metric::kInuseSpace].value, 0);
  EXPECT_NEAR(released[Metric::kAllocSpace].value, kBytes20480, 1e-6);
  EXPECT_EQ(profile.samples[0].lifetime, Lifetime::kBelow1ms);
  EXPECT_EQ(profile.samples[1].lifetime, Lifetime::kLive);
  const Values& live = profile.samples[1].values;
  EXPECT_NEAR(live[Metric::kInuseSpace].value, kBytes4096, 1e-6);
  EXPECT_NEAR(live[Metric::kInuseObjects].value, kObjects4096, 1e-9);
  EXPECT_NEAR(live[Metric::kAllocSpace].value, kBytes4096, 1e-6);
  EXPECT_THAT(SampleStacks(profile),
              ElementsAre(std::vector<uint64_t>{0x10},
                          std::vector<uint64_t>{0x20, 0x21}));
  EXPECT_EQ(profile.String(profile.threads[1].name), "a \"b\"");
  EXPECT_EQ(profile.threads[2].uid, 3u);
}

TEST(JsonLogParserTest, TakesTheMemoryMapOfAnotherDump) {
  Diagnostics diagnostics;
  const MemoryMap maps = MemoryMap::Parse(
      "5000-6000 r-xp 00001000 fe:00 5 /srv/app\n", "b.heap", diagnostics);
  const Parsed parsed = ParseJson(LogWith("main"), &maps);
  EXPECT_THAT(parsed.warnings, IsEmpty());
  const Profile& profile = parsed.profile;
  const LocationId caller = profile.StackFrames(profile.samples[0].stack)[1];
  const Location& location = profile.locations[caller.index()];
  EXPECT_EQ(profile.String(profile.mappings[location.mapping.index()].filename),
            "/srv/app");
  EXPECT_EQ(location.module_address, 0x56a0u - 0x5000 + 0x1000);
}

TEST(JsonLogParserTest, KeepsCompleteAllocationsOfATruncatedLog) {
  const std::string log = LogWith("main");
  const size_t second = log.rfind(",{\"alloc_thread\"");
  for (size_t size = second; size < log.size() - 2; ++size) {
    const Parsed parsed = ParseJson(log.substr(0, size));
    ASSERT_EQ(parsed.warnings.size(), 2u) << size;
    EXPECT_THAT(parsed.warnings[0],
                testing::MatchesRegex("a.json: damaged or truncated at byte "
                                      "[0-9]+; the rest is ignored"));
    ASSERT_EQ(parsed.profile.samples.size(), 1u) << size;
    EXPECT_NEAR(parsed.profile.samples[0].values[Metric::kAllocSpace].value,
                kBytes20480, 1e-6)
        << size;
  }
}

TEST(JsonLogParserTest, SurvivesAnyTruncationAndAnyDamagedByte) {
  const std::string log = LogWith("main \"q\"");
  for (size_t at = 0; at < log.size(); ++at) {
    for (const char c : {'\0', '"', '[', '}', ',', '9'}) {
      std::string damaged = log;
      damaged[at] = c;
      Diagnostics diagnostics;
      for (const std::string& text : {damaged, damaged.substr(0, at)}) {
        const auto profile = ParseJsonLog(text, "a.json", nullptr, diagnostics);
        EXPECT_EQ(profile ? CheckValid(*profile) : "", "") << text;
      }
    }
  }
}

TEST(JsonLogParserTest, IgnoresAnAllocationWithoutItsTrace) {
  std::string log = LogWith("main");
  log.replace(log.find("\"alloc_trace\":0"), 15, "\"alloc_trace\":2");
  const Parsed parsed = ParseJson(log);
  EXPECT_THAT(parsed.warnings,
              ElementsAre("a.json: an allocation refers to trace 2 of 2 and "
                          "thread 0 of 1; it is ignored",
                          kNoMap));
  ASSERT_EQ(parsed.profile.samples.size(), 1u);
  EXPECT_NEAR(parsed.profile.samples[0].values[Metric::kAllocSpace].value,
              kBytes4096, 1e-6);
}

TEST(JsonLogParserTest, RejectsOtherJson) {
  for (const char* text :
       {"{}", "{",
        R"({"arena_stats":{"version":"5.3.0","arenas":[1,{"a":"b"}]}})",
        R"({"info":{"lg_sample_rate":64},"allocations":[]})",
        R"({"allocations":[]})", R"({"sample_interval":5})"}) {
    Diagnostics diagnostics;
    const auto profile = ParseJsonLog(text, "a.json", nullptr, diagnostics);
    ASSERT_FALSE(profile) << text;
    EXPECT_EQ(profile.error().message,
              "a.json: expected jemalloc's prof_log or prof_recent, found "
              "another JSON file");
  }
}

// Three objects: one that lives, one that was freed, and one of which the time
// of its end was not recorded.
constexpr std::string_view kRecent =
    R"({"sample_interval":16384,"recent_alloc_max":9,"recent_alloc":[)"
    R"({"size":200,"usize":224,"released":false,"alloc_thread_uid":3,)"
    R"("alloc_time":50,"alloc_trace":["0x7f01","0x56a0"]},)"
    R"({"size":200,"usize":224,"released":true,"alloc_thread_uid":4,)"
    R"("alloc_time":60,"alloc_trace":["0x7f01"],"dalloc_thread_uid":4,)"
    R"("dalloc_time":65,"dalloc_trace":["0x7f02"]},)"
    R"({"size":200,"usize":256,"released":true,"alloc_thread_uid":4,)"
    R"("alloc_time":70,"alloc_trace":["0x7f01"]}]})";

TEST(RecentLogTest, KeepsSingleAllocations) {
  Diagnostics diagnostics;
  const auto log = ParseRecentLog(kRecent, "r.json", nullptr, diagnostics);
  ASSERT_TRUE(log) << log.error().message;
  ASSERT_EQ(log->allocations.size(), 3u);
  const auto& [live, freed, unknown] =
      std::tie(log->allocations[0], log->allocations[1], log->allocations[2]);
  EXPECT_TRUE(live.is_live());
  EXPECT_EQ(live.thread_uid, 3u);
  EXPECT_EQ(live.size, 224u);
  EXPECT_EQ(log->profile.StackFrames(live.stack).size(), 2u);
  EXPECT_FALSE(freed.is_live());
  EXPECT_EQ(freed.allocated, 60u);
  EXPECT_EQ(freed.freed, 65u);
  EXPECT_FALSE(unknown.is_live());
  EXPECT_GT(unknown.freed, 70u);
  EXPECT_EQ(freed.stack, unknown.stack);
}

TEST(RecentLogTest, TakesNothingForLiveBecauseItIsCutOff) {
  Diagnostics diagnostics;
  for (size_t size = 1; size < kRecent.size(); ++size)
    EXPECT_FALSE(
        ParseRecentLog(kRecent.substr(0, size), "r.json", nullptr, diagnostics))
        << size;
  const std::string log = LogWith("main");
  EXPECT_EQ(ParseRecentLog(log, "l.json", nullptr, diagnostics).error().message,
            "l.json: expected jemalloc's prof_recent, found its prof_log, "
            "which lacks "
            "live objects");
  EXPECT_EQ(ParseRecentLog("heap_v2/1", "h", nullptr, diagnostics).error().kind,
            ErrorKind::kOtherFormat);
}

}  // namespace
}  // namespace heapprof
