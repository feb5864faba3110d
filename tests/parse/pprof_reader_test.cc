// SPDX-License-Identifier: Apache-2.0
#include "parse/pprof_reader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/baseline_labels.h"
#include "parse/parse_testing.h"
#include "parse/pprof_testing.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Location& LocationAt(const Profile& profile, size_t frame) {
  return profile.locations[profile.frames[frame].index()];
}

std::string FileOf(const Profile& profile, const Location& location) {
  return std::string(
      profile.String(profile.mappings[location.mapping.index()].filename));
}

TEST(ReadPprofTest, ReadsStacksValuesAndFiles) {
  const Parsed parsed = ParseText(ServiceProfile().Bytes());
  const Profile& profile = parsed.profile;
  EXPECT_THAT(parsed.warnings, IsEmpty());
  EXPECT_THAT(SampleStacks(profile),
              ElementsAre(ElementsAre(0x1134, 0x2000), ElementsAre(0x2000)));
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseSpace), 4096);
  EXPECT_EQ(Value(profile.samples[1], Metric::kInuseSpace), 100);
  EXPECT_EQ(FileOf(profile, LocationAt(profile, 0)), "/srv/server");
  EXPECT_EQ(FileOf(profile, LocationAt(profile, 1)), "/lib/libc.so.6");
  EXPECT_FALSE(LocationAt(profile, 0).is_return_address);
  EXPECT_EQ(profile.String(profile.main_binary), "/srv/server");
  EXPECT_EQ(profile.String(profile.mappings[1].build_id), "c0ffee");
  EXPECT_FALSE(profile.has_object_counts);
  EXPECT_FALSE(profile.has_accumulated);
}

TEST(ReadPprofTest, FindsMetricsByNameInAnyOrder) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Type("cpu", "nanoseconds")
      .Type("alloc_objects", "count")
      .Type("inuse_objects", "count")
      .Type("alloc_space", "bytes")
      .Sample({}, {1, 2, 3, 4, 5});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  ASSERT_EQ(profile.samples.size(), 1u);
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseSpace), 1);
  EXPECT_EQ(Value(profile.samples[0], Metric::kAllocObjects), 3);
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseObjects), 4);
  EXPECT_EQ(Value(profile.samples[0], Metric::kAllocSpace), 5);
  EXPECT_TRUE(profile.has_accumulated);
  EXPECT_TRUE(profile.has_object_counts);
}

TEST(ReadPprofTest, KnowsTheTypesThatPprofGivesTextDumps) {
  PprofBuilder pprof;
  pprof.Type("objects", "count").Type("space", "bytes").Sample({}, {3, 96});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseObjects), 3);
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseSpace), 96);
}

TEST(ReadPprofTest, KnowsTheTypesAndThreadsOfMimalloc) {
  PprofBuilder pprof;
  pprof.Type("alloc_objects", "count")
      .Type("alloc_bytes", "bytes")
      .Type("inuse_objects", "count")
      .Type("inuse_bytes", "bytes")
      .Sample({}, {4, 400, 3, 300});
  auto* label = pprof.message().mutable_sample(0)->add_label();
  label->set_key(pprof.String("thread"));
  label->set_num(7);
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseObjects), 3);
  EXPECT_EQ(Value(profile.samples[0], Metric::kInuseSpace), 300);
  EXPECT_EQ(Value(profile.samples[0], Metric::kAllocSpace), 400);
  EXPECT_THAT(profile.more_sample_types, IsEmpty());
  ASSERT_EQ(profile.threads.size(), 2u);
  EXPECT_EQ(profile.threads[1].uid, 7u);
}

TEST(ReadPprofTest, ListsFurtherTypesAndReadsTheChosenOne) {
  PprofBuilder pprof;
  pprof.Type("objects", "count")
      .Type("space", "bytes")
      .Type("resident_space", "bytes")
      .Type("age", "nanoseconds")
      .Sample({}, {3, 96, 64, 5});
  const Profile usual = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(Value(usual.samples[0], Metric::kInuseSpace), 96);
  EXPECT_THAT(usual.more_sample_types,
              ElementsAre("resident_space/bytes", "age/nanoseconds"));
  const Profile chosen =
      ParseText(pprof.Bytes(), {.sample_type = "resident_space"}).profile;
  EXPECT_EQ(Value(chosen.samples[0], Metric::kInuseSpace), 64);
  EXPECT_FALSE(chosen.has_object_counts);
  EXPECT_THAT(chosen.more_sample_types,
              ElementsAre("objects/count", "space/bytes", "age/nanoseconds"));
  for (const std::string type : {"age", "none"}) {
    Diagnostics diagnostics;
    const auto profile =
        ParseProfile(pprof.Bytes(), "a.pb", diagnostics, {.sample_type = type});
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().message,
              "a.pb: --sample-type: expected " + type +
                  "/bytes, found objects/count, space/bytes, "
                  "resident_space/bytes, age/nanoseconds");
  }
}

TEST(ReadPprofTest, TreatsAllocCountersAsNothingLive) {
  PprofBuilder pprof;
  pprof.Type("alloc_space", "bytes").Sample({}, {96});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_FALSE(profile.has_inuse);
  EXPECT_TRUE(profile.has_accumulated);
}

TEST(ReadPprofTest, SaysWhichTypesItFoundInstead) {
  constexpr std::string_view kExpected =
      "a.heap: expected a heap profile with the sample type inuse_space/bytes "
      "or alloc_space/bytes, found ";
  PprofBuilder cpu;
  cpu.Type("samples", "count").Type("cpu", "nanoseconds");
  EXPECT_EQ(ErrorOf(cpu.Bytes()),
            std::string(kExpected) + "samples/count, cpu/nanoseconds");
  PprofBuilder other_unit;
  other_unit.Type("inuse_space", "pages");
  EXPECT_EQ(ErrorOf(other_unit.Bytes()),
            std::string(kExpected) + "inuse_space/pages");
  PprofBuilder nameless;
  nameless.Type("", "bytes").Type("cpu", "nanoseconds");
  EXPECT_EQ(ErrorOf(nameless.Bytes()),
            std::string(kExpected) + "/bytes, cpu/nanoseconds");
}

TEST(ReadPprofTest, InterpretsAddressesByTheRangeOfTheirMapping) {
  struct Case {
    TestRange range;
    AddressSpace space;
    uint64_t module_address;
  };
  for (const Case& c :
       {Case{{0x7000, 0x9000, 0x1000}, AddressSpace::kFileOffset, 0x1134},
        Case{kEverywhere, AddressSpace::kFileAddress, 0x7134},
        Case{{0, 0, 0}, AddressSpace::kUnknown, 0x7134}}) {
    PprofBuilder pprof;
    pprof.Type("inuse_space", "bytes")
        .Mapping("/srv/server", c.range)
        .Location(1, 0x7134)
        .Sample({1}, {1});
    const Profile profile = ParseText(pprof.Bytes()).profile;
    EXPECT_EQ(profile.mappings[1].address_space, c.space);
    EXPECT_EQ(profile.locations[1].module_address, c.module_address);
    EXPECT_EQ(profile.locations[1].address, 0x7134u);
  }
}

// The JVM's code may be in huge pages. Offsets in such memory say nothing.
TEST(ReadPprofTest, KnowsWhichMappingsAreNoFiles) {
  for (const char* name :
       {"//anon", "/memfd:doublemapper (deleted)", "/anon_hugepage (deleted)",
        "/SYSV00000000", "/dev/zero (deleted)", "anon_inode:x"}) {
    PprofBuilder pprof;
    pprof.Type("inuse_space", "bytes")
        .Mapping(name, {0x7000, 0x9000, 0x1000})
        .Location(1, 0x7134)
        .Sample({1}, {1});
    const Profile profile = ParseText(pprof.Bytes()).profile;
    EXPECT_FALSE(profile.mappings[1].is_file) << name;
    EXPECT_EQ(profile.locations[1].module_address, 0x7134u) << name;
    EXPECT_TRUE(profile.main_binary.IsNone()) << name;
  }
}

TEST(ReadPprofTest, GivesTheLibraryOfRecordOneNameInAllRuns) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/tmp/heapprof-a1B2c3/libheapprof_record.so",
               {0x7000, 0x9000, 0x1000})
      .Location(1, 0x7134)
      .Sample({1}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.String(profile.mappings[1].filename),
            "libheapprof_record.so");
}

// As pprof does, and as with the memory map of a dump.
TEST(ReadPprofTest, TakesTheFirstFileThatIsNoLibraryForTheProgram) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("[vdso]", {0x1000, 0x2000, 0})
      .Mapping("/lib/ld-linux-x86-64.so.2", {0x3000, 0x4000, 0})
      .Mapping("/srv/server", {0x5000, 0x6000, 0})
      .Location(3, 0x5134)
      .Sample({1}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.String(profile.main_binary), "/srv/server");
  EXPECT_THAT(profile.other_programs, IsEmpty());
}

// A profile of two versions is merged from several.
TEST(ReadPprofTest, KnowsEachVersionOfTheProgram) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/opt/app-2/server", {0x1000, 0x2000, 0})
      .Mapping("/opt/app-2/lib/libx.so", {0x3000, 0x4000, 0})
      .Mapping("/opt/app-1/server", {0x5000, 0x6000, 0})
      .Mapping("/opt/app-1/server", {0x7000, 0x8000, 0x1000})
      .Location(1, 0x1134)
      .Sample({1}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.String(profile.main_binary), "/opt/app-2/server");
  ASSERT_EQ(profile.other_programs.size(), 1u);
  EXPECT_EQ(profile.String(profile.other_programs[0]), "/opt/app-1/server");
}

TEST(ReadPprofTest, CountsTheSegmentsOfAFileWithoutRanges) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/srv/server", {})
      .Mapping("/srv/server", {})
      .Mapping("/lib/libc.so.6", {})
      .Mapping("/lib/libc.so.6", {})
      .Location(2, 0x1000)
      .Location(4, 0x2000)
      .Sample({1, 2}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  ASSERT_EQ(profile.mappings.size(), 3u);
  EXPECT_EQ(profile.mappings[1].segment, 2u);
  EXPECT_EQ(profile.mappings[2].segment, 2u);
}

TEST(ReadPprofTest, JoinsTheSegmentsOfAFile) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/srv/server", {0x9000, 0xa000, 0x3000})
      .Mapping("/srv/server (deleted)", {0x7000, 0x8000, 0x1000})
      .Location(1, 0x9004)
      .Location(2, 0x7008)
      .Sample({1, 2}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  ASSERT_EQ(profile.mappings.size(), 2u);
  EXPECT_EQ(profile.mappings[1].start, 0x7000u);
  EXPECT_EQ(profile.mappings[1].limit, 0xa000u);
  EXPECT_EQ(profile.mappings[1].file_offset, 0x1000u);
  EXPECT_EQ(profile.locations[1].module_address, 0x3004u);
  EXPECT_EQ(profile.locations[2].module_address, 0x1008u);
}

TEST(ReadPprofTest, ReadsIdsInAnyOrderAndOfAnySize) {
  PprofBuilder pprof = ServiceProfile();
  pprof.message().mutable_location(0)->set_id(UINT64_MAX);
  pprof.message().mutable_location(1)->set_id(1);
  pprof.message().mutable_sample(0)->set_location_id(0, UINT64_MAX);
  pprof.message().mutable_sample(0)->set_location_id(1, 1);
  pprof.message().mutable_sample(1)->set_location_id(0, 1);
  const Parsed parsed = ParseText(pprof.Bytes());
  EXPECT_THAT(parsed.warnings, IsEmpty());
  EXPECT_THAT(SampleStacks(parsed.profile),
              ElementsAre(ElementsAre(0x1134, 0x2000), ElementsAre(0x2000)));
}

TEST(ReadPprofTest, KeepsNamesWithTheirInlinedCalls) {
  PprofBuilder pprof = ServiceProfile();
  pprof.Location(1, 0x1200, {"inner", "outer"}).Sample({3}, {1});
  const Profile profile = ParseText(pprof.Bytes()).profile;
  const auto lines = profile.LocationLines(profile.locations[3]);
  ASSERT_EQ(lines.size(), 2u);
  const Function& inner = profile.functions[lines[0].function.index()];
  EXPECT_EQ(profile.String(inner.name), "inner");
  EXPECT_EQ(profile.String(inner.filename), "inner.cc");
  EXPECT_FALSE(inner.unresolved);
  EXPECT_EQ(lines[0].line, 7u);
}

TEST(ReadPprofTest, TreatsAnAddressInPlaceOfANameAsUnresolved) {
  PprofBuilder pprof = ServiceProfile();
  pprof.Location(1, 0x1200, {"server+0x1200"}).Sample({3}, {1});
  pprof.message().mutable_function(0)->set_filename(0);
  pprof.message().mutable_location(2)->mutable_line(0)->set_line(0);
  Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_TRUE(profile.functions[1].unresolved);
  // Unless the writer claims that every address of the mapping has a name.
  pprof.message().mutable_mapping(0)->set_has_functions(true);
  profile = ParseText(pprof.Bytes()).profile;
  EXPECT_FALSE(profile.functions[1].unresolved);
}

TEST(ReadPprofTest, ComputesVariancesFromWhicheverPeriodIsKnown) {
  Diagnostics diagnostics;
  const auto variance = [&](const std::string& bytes, uint64_t period) {
    const auto profile =
        ParseProfile(bytes, "a.pb", diagnostics, {.sample_period = period});
    return profile ? profile->samples[0].values[Metric::kInuseSpace].variance
                   : -1;
  };
  EXPECT_EQ(variance(ServiceProfile().Bytes(), 0), 0);
  EXPECT_EQ(variance(ServiceProfile().Bytes(), 512), 512 * 4096.0);
  // The period in the profile has precedence.
  EXPECT_EQ(variance(ServiceProfile().Period(1024).Bytes(), 512),
            1024 * 4096.0);
  EXPECT_EQ(variance(ServiceProfile().Period(-1).Bytes(), 512), 512 * 4096.0);
}

TEST(ReadPprofTest, ReadsTheSamplesOfABase) {
  PprofBuilder pprof = ServiceProfile();
  pprof.message().mutable_sample(1)->set_value(0, -100);
  auto* label = pprof.message().mutable_sample(1)->add_label();
  label->set_key(pprof.String("pprof::base"));
  label->set_str(pprof.String("true"));
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.samples[0].side, Side::kNew);
  EXPECT_EQ(profile.samples[1].side, Side::kBase);
  EXPECT_EQ(Value(profile.samples[1], Metric::kInuseSpace), 100);
}

TEST(ReadPprofTest, ReadsLifetimes) {
  PprofBuilder pprof = ServiceProfile();
  auto* label = pprof.message().mutable_sample(1)->add_label();
  label->set_key(pprof.String("lifetime"));
  label->set_str(pprof.String("1s to 10s"));
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.samples[0].lifetime, Lifetime::kUnknown);
  EXPECT_EQ(profile.samples[1].lifetime, Lifetime::kBelow10s);
}

void AddLabel(int sample, std::string_view key, std::string_view value,
              PprofBuilder& pprof) {
  auto* label = pprof.message().mutable_sample(sample)->add_label();
  label->set_key(pprof.String(key));
  label->set_str(pprof.String(value));
}

TEST(ReadPprofTest, ReadsThreads) {
  PprofBuilder pprof = ServiceProfile();
  pprof.Sample({1, 2}, {4}).Sample({1, 2}, {2}).Sample({1, 2}, {1});
  AddLabel(0, "thread", "7", pprof);
  AddLabel(2, "thread", "8", pprof);
  AddLabel(2, "thread_uid", "9", pprof);
  AddLabel(3, "thread", "main", pprof);  // of another program: no uid
  AddLabel(4, "thread", "7", pprof);
  AddLabel(4, "pprof::base", "true", pprof);
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(CheckValid(profile), "");
  const auto values = [](const std::vector<Sample>& samples) {
    std::vector<double> all;
    for (const Sample& sample : samples)
      all.push_back(Value(sample, Metric::kInuseSpace));
    return all;
  };
  // The sums of each stack. A sample of the base has the opposite sign.
  EXPECT_THAT(values(profile.samples), ElementsAre(4102, -1, 100));
  EXPECT_THAT(values(profile.thread_samples), ElementsAre(4096, 4, -1));
  EXPECT_EQ(profile.thread_samples[0].stack, profile.samples[0].stack);
  EXPECT_EQ(profile.thread_samples[1].stack, profile.samples[0].stack);
  EXPECT_EQ(profile.thread_samples[2].side, Side::kBase);
  ASSERT_EQ(profile.threads.size(), 3u);
  EXPECT_EQ(profile.threads[1].uid, 7u);
  EXPECT_EQ(profile.String(profile.threads[1].name), "");
  EXPECT_EQ(profile.threads[2].uid, 9u);
  EXPECT_EQ(profile.String(profile.threads[2].name), "8");
}

TEST(ReadPprofTest, TakesRunsThatABaselineLacksForItsLastOne) {
  PprofBuilder pprof = ServiceProfile();
  pprof.Type("sampled_inuse_space", "bytes");
  const std::string comment(kThreadStacksComment);
  pprof.message().add_comment(pprof.String(comment + " 3 4"));
  for (auto& sample : *pprof.message().mutable_sample()) sample.add_value(1);
  AddLabel(0, "run", "1", pprof);
  AddLabel(1, "run", "2", pprof);
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(CheckValid(profile), "");
  ASSERT_EQ(profile.runs.now.size(), 2u);
  EXPECT_EQ(profile.runs.now[1].thread_stacks, 4u);
  ASSERT_EQ(profile.samples.size(), 2u);
  EXPECT_EQ(profile.samples[0].run, 1u);
  EXPECT_EQ(profile.samples[1].run, 1u);
}

TEST(ReadPprofTest, DropsTheLabelsOfADamagedSample) {
  PprofBuilder pprof = ServiceProfile();
  AddLabel(0, "thread", "7", pprof);
  pprof.message().mutable_sample(0)->add_value(1);
  const Profile profile = ParseText(pprof.Bytes()).profile;
  EXPECT_EQ(profile.samples.size(), 1u);
  EXPECT_TRUE(profile.thread_samples.empty());
}

TEST(ReadPprofTest, ReadsTheTime) {
  PprofBuilder pprof = ServiceProfile();
  pprof.message().set_time_nanos(1'700'000'000'900'000'000);
  EXPECT_EQ(ParseText(pprof.Bytes()).profile.time_seconds, 1'700'000'000);
}

TEST(ReadPprofTest, HasNoSamplesIfTheFileHasNone) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes");
  const Parsed parsed = ParseText(pprof.Bytes());
  EXPECT_THAT(parsed.profile.samples, IsEmpty());
  EXPECT_THAT(parsed.warnings, IsEmpty());
}

TEST(ReadPprofTest, IgnoresIncompleteSamples) {
  struct Case {
    std::vector<uint64_t> locations;
    std::vector<int64_t> values;
    std::string problem;
  };
  for (const Case& c : {Case{{1, 9}, {5}, "no location has id 9"},
                        Case{{0}, {5}, "no location has id 0"},
                        Case{{1}, {5, 6}, "expected 1 values, found 2"},
                        Case{{1}, {}, "expected 1 values, found 0"}}) {
    PprofBuilder pprof = ServiceProfile();
    pprof.Sample(c.locations, c.values);
    const Parsed parsed = ParseText(pprof.Bytes());
    EXPECT_EQ(parsed.profile.samples.size(), 2u);
    EXPECT_THAT(parsed.warnings,
                ElementsAre(HasSubstr(c.problem),
                            "a.heap: 1 of 3 samples is damaged and ignored, "
                            "so the totals are too small"));
  }
}

TEST(ReadPprofTest, FailsIfNoSampleIsComplete) {
  PprofBuilder pprof = ServiceProfile();
  pprof.message().clear_location();
  EXPECT_THAT(ErrorOf(pprof.Bytes()),
              ::testing::MatchesRegex("a.heap: none of 2 samples is complete; "
                                      "byte [0-9]+: no location has id 1"));
}

TEST(ReadPprofTest, ToleratesAMissingMappingFunctionOrString) {
  PprofBuilder pprof = ServiceProfile();
  pprof.Location(9, 0x5000).Location(1, 0x1200, {"f"}).Sample({3, 4}, {1});
  pprof.message().mutable_location(3)->mutable_line(0)->set_function_id(8);
  pprof.message().mutable_mapping(1)->set_filename(77);
  const Parsed parsed = ParseText(pprof.Bytes());
  EXPECT_THAT(
      parsed.warnings,
      ElementsAre(HasSubstr("expected a string, found index 77 in a table of "),
                  HasSubstr("no mapping has id 9"),
                  HasSubstr("no function has id 8")));
  EXPECT_EQ(parsed.profile.samples.size(), 3u);
  EXPECT_TRUE(parsed.profile.locations[3].mapping.IsNone());
  EXPECT_EQ(parsed.profile.locations[4].lines.count, 0u);
}

TEST(ReadPprofTest, KeepsTheFirstOfTwoRowsWithOneId) {
  PprofBuilder pprof = ServiceProfile();
  pprof.message().mutable_location(1)->set_id(1);
  pprof.message().mutable_sample(0)->set_location_id(1, 1);
  pprof.message().mutable_sample(1)->set_location_id(0, 1);
  const Parsed parsed = ParseText(pprof.Bytes());
  EXPECT_THAT(parsed.warnings,
              ElementsAre(HasSubstr("a second location with id 1")));
  EXPECT_EQ(Addresses(parsed.profile, parsed.profile.samples[1].stack),
            std::vector<uint64_t>{0x1134});
}

TEST(ReadPprofTest, PutsNoAddressIntoAMappingThatDoesNotContainIt) {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/srv/server", {0x7000, 0x9000, 0})
      .Location(1, 0x9000)
      .Sample({1}, {1});
  const Parsed parsed = ParseText(pprof.Bytes());
  EXPECT_THAT(parsed.warnings,
              ElementsAre(HasSubstr("expected an address of mapping 1, 0x7000 "
                                    "to 0x9000, found 0x9000")));
  EXPECT_TRUE(parsed.profile.locations[1].mapping.IsNone());
}

TEST(ReadPprofTest, SaysWhereAFileIsTruncated) {
  const std::string whole = ServiceProfile().Bytes();
  // Truncated in the last string.
  const Parsed parsed = ParseText(whole.substr(0, whole.size() - 1));
  EXPECT_THAT(parsed.warnings[0],
              ::testing::MatchesRegex(
                  "a.heap: byte [0-9]+: expected 4 bytes of field 6, found 3; "
                  "the file ends there, and the report lacks the rest"));
}

TEST(ReadPprofTest, SaysWhatIsDamaged) {
  using std::string_literals::operator""s;
  const std::string whole = ServiceProfile().Bytes();
  for (const auto& [bytes, problem] :
       {std::pair{"\0"s, "expected the tag of a field, found none"},
        {"\x48\xff"s, "expected a number for field 9, found none"},
        {"\x12\xff"s, "expected a length for field 2, found none"},
        {"\x0b"s,
         "expected a field of wire type 0, 1, 2 or 5, found field 1 of type 3"},
        {"\x12\x03\x0a\x01\xff"s,
         "expected whole numbers, found the end of field 1"}}) {
    const Parsed parsed = ParseText(whole + bytes);
    ASSERT_FALSE(parsed.warnings.empty()) << problem;
    EXPECT_THAT(parsed.warnings[0], HasSubstr(problem));
  }
}

// pprof writes the strings last, which are also the names of the types.
TEST(ReadPprofTest, SaysThatAFileEndsBeforeTheNamesOfItsTypes) {
  constexpr std::string_view kExpected =
      "a.heap: the end of the file is missing, with the names of everything in "
      "it";
  const std::string whole = ServiceProfile().Bytes();
  EXPECT_EQ(ErrorOf(whole.substr(0, whole.find("inuse_space") - 1)), kExpected);
  // Between two fields, so that the end looks like that of a whole file.
  EXPECT_EQ(ErrorOf(std::string_view("\x0a\x04\x08\x01\x10\x02", 6)),
            kExpected);
}

TEST(ReadPprofTest, LosesNothingSilently) {
  const std::string whole = ServiceProfile().Bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    Diagnostics diagnostics;
    const auto profile =
        ParseProfile(whole.substr(0, size), "a.pb", diagnostics);
    if (!profile) continue;
    EXPECT_EQ(CheckValid(*profile), "");
    EXPECT_FALSE(diagnostics.empty()) << size << " bytes";
  }
}

std::string Mutated(std::string bytes, std::mt19937_64& random) {
  const auto below = [&random](size_t limit) {
    return limit == 0 ? 0 : static_cast<size_t>(random() % limit);
  };
  for (size_t step = 1 + below(4); step > 0 && !bytes.empty(); --step) {
    const size_t at = below(bytes.size());
    const size_t length = below(std::min<size_t>(bytes.size() - at, 40) + 1);
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] ^= static_cast<char>(1 << below(8));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(below(bytes.size()), bytes.substr(at, length));
        break;
      case 4:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

TEST(ReadPprofTest, GivesAConsistentProfileOrAnErrorForAnyMutation) {
  const bool full = std::getenv("HEAPPROF_FULL") != nullptr;
  const int count = full ? 50000 : 2000;
  std::vector<std::string> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(
           HEAPPROF_TESTDATA "/corpus/read_pprof")) {
    std::ifstream in(entry.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in),
                        std::istreambuf_iterator<char>());
  }
  std::ranges::sort(inputs);
  ASSERT_GE(inputs.size(), 4u);
  std::mt19937_64 random(3);
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const std::string bytes =
        Mutated(inputs[static_cast<size_t>(i) % inputs.size()], random);
    Diagnostics diagnostics;
    const auto profile = ReadPprof(bytes, "a.pb", {}, diagnostics);
    if (profile)
      EXPECT_EQ(CheckValid(*profile), "") << "mutation " << i;
    else
      EXPECT_NE(profile.error().message, "") << "mutation " << i;
  }
}

}  // namespace
}  // namespace heapprof
