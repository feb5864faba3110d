// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pprof.h"

#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "profile.pb.h"
#include "support/test_profile.h"
#include "support/written_text.h"

namespace heapprof::pprof_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Written(const Profile& profile, const PprofOptions& options) {
  return WrittenText([&](ByteSink& out) {
    const auto written = WritePprof(profile, options, out);
    if (!written) ADD_FAILURE() << written.error().message;
  });
}

// Parsing fails on invalid UTF-8, as in every reader.
pprof::Profile Decode(const Profile& profile,
                      const PprofOptions& options = {}) {
  pprof::Profile decoded;
  EXPECT_TRUE(decoded.ParseFromString(Written(profile, options)));
  return decoded;
}

std::string Text(const pprof::Profile& profile, int64_t id) {
  return profile.string_table(static_cast<int>(id));
}

template <typename Rows>
std::vector<uint64_t> Ids(const Rows& rows) {
  std::vector<uint64_t> ids;
  for (const auto& row : rows) ids.push_back(row.id());
  return ids;
}

// "value… name name…" of each sample, leaf first, inlined calls joined by "|".
std::vector<std::string> Samples(const pprof::Profile& profile) {
  std::vector<std::string> samples;
  for (const auto& sample : profile.sample()) {
    std::string text = fmt::format("{}", fmt::join(sample.value(), " "));
    for (uint64_t id : sample.location_id()) {
      const auto& location = profile.location(static_cast<int>(id) - 1);
      char separator = ' ';
      for (const auto& line : location.line()) {
        const auto& function =
            profile.function(static_cast<int>(line.function_id()) - 1);
        text += separator + Text(profile, function.name());
        separator = '|';
      }
    }
    samples.push_back(text);
  }
  return samples;
}

Profile OneFunction(std::string_view name) {
  Profile profile = ProfileOf("app!f 7\n");
  profile.functions[1].name = profile.strings.Intern(name);
  return profile;
}

TEST(WritePprofTest, StartsTheStringsWithTheEmptyOne) {
  const pprof::Profile profile = Decode(ProfileOf("app!main 7\n"));
  EXPECT_EQ(Text(profile, 0), "");
  for (int i = 1; i < profile.string_table_size(); ++i)
    EXPECT_NE(profile.string_table(i), "") << i;
}

TEST(WritePprofTest, NumbersEveryTableFromOne) {
  const pprof::Profile profile =
      Decode(ProfileOf("app!main;app!f|g;libc.so.6!qsort 7\nother 1\n"));
  EXPECT_THAT(Ids(profile.location()), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Ids(profile.mapping()), ElementsAre(1, 2, 3));
  EXPECT_THAT(Ids(profile.function()), ElementsAre(1, 2, 3, 4, 5));
}

TEST(WritePprofTest, WritesLeafFirstAndInnermostInlinedFirst) {
  EXPECT_THAT(Samples(Decode(ProfileOf("app!main;app!f|g|h;app!leaf 7\n"))),
              ElementsAre("0 7 leaf h|g|f main"));
}

// Appends a copy of the sample with this index as a sample of the base.
void CopyToBase(size_t index, Profile& profile) {
  Sample sample = profile.samples[index];
  sample.side = Side::kBase;
  profile.samples.push_back(sample);
}

TEST(WritePprofTest, CarriesFractionsWithinASide) {
  Profile input = ProfileOf("app!f 0.5\napp!g 1.75\napp!h 0.75\n");
  for (const size_t index : {2u, 0u, 1u}) CopyToBase(index, input);
  EXPECT_THAT(Samples(Decode(input)),
              ElementsAre("0 2 g", "0 1 h", "0 -1 f", "0 -2 g"));
}

TEST(WritePprofTest, AddsUpToTheChangeOfTheTable) {
  Profile input = ProfileOf("app!f 10.25\napp!g 5.5\n");
  CopyToBase(1, input);
  input.samples[1].values[Metric::kInuseSpace].value = 0;
  // The table rounds each side, too (see WholeChange()).
  EXPECT_THAT(Samples(Decode(input)), ElementsAre("0 10 f", "0 -5 g"));
}

TEST(WritePprofTest, AddsUpSamplesWithTheSameFramesAndLabels) {
  Profile input =
      ProfileOf("app!main;app!f 7\napp!g 2\napp!main;app!f 1\napp!f 4\n");
  CopyToBase(0, input);
  CopyToBase(2, input);
  EXPECT_THAT(Samples(Decode(input)),
              ElementsAre("0 8 f main", "0 2 g", "0 4 f", "0 -8 f main"));
}

TEST(WritePprofTest, WritesEqualRowsOnce) {
  Profile input = ProfileOf("app!f 7\napp!g 2\nlib!h 1\n");
  // The names of both functions, and all of the locations but their ids.
  input.functions[2] = input.functions[1];
  input.locations[2] = input.locations[1];
  input.mappings.push_back(input.mappings[1]);
  input.locations[3].mapping = {3};
  const pprof::Profile profile = Decode(input);
  EXPECT_THAT(Samples(profile), ElementsAre("0 9 f", "0 1 h"));
  EXPECT_EQ(profile.function_size(), 2);
  EXPECT_EQ(profile.location_size(), 2);
  EXPECT_EQ(profile.mapping_size(), 1);
}

TEST(WritePprofTest, NamesSampleTypesInGosOrder) {
  const auto types_of = [](bool accumulated) {
    Profile input = ProfileOf("app!main 7\n");
    input.has_accumulated = accumulated;
    const pprof::Profile profile = Decode(input);
    std::vector<std::string> types;
    for (const auto& type : profile.sample_type())
      types.push_back(Text(profile, type.type()) + "/" +
                      Text(profile, type.unit()));
    return types;
  };
  EXPECT_THAT(types_of(false),
              ElementsAre("inuse_objects/count", "inuse_space/bytes"));
  EXPECT_THAT(types_of(true),
              ElementsAre("alloc_objects/count", "alloc_space/bytes",
                          "inuse_objects/count", "inuse_space/bytes"));
}

TEST(WritePprofTest, WritesNoCountersThatTheInputLacks) {
  Profile input = ProfileOf("app!main 7\n");
  input.has_object_counts = false;
  pprof::Profile profile = Decode(input);
  ASSERT_EQ(profile.sample_type_size(), 1);
  EXPECT_EQ(Text(profile, profile.sample_type(0).type()), "inuse_space");
  input.has_inuse = false;
  input.has_accumulated = true;
  input.samples[0].values[Metric::kAllocSpace].value = 9;
  profile = Decode(input, {.default_metric = Metric::kAllocSpace});
  ASSERT_EQ(profile.sample_type_size(), 1);
  EXPECT_EQ(Text(profile, profile.sample_type(0).type()), "alloc_space");
}

TEST(WritePprofTest, WritesValuesInTheOrderOfTheTypes) {
  Profile input = ProfileOf("app!main 7\n");
  input.has_accumulated = true;
  Values& values = input.samples[0].values;
  values[Metric::kInuseObjects].value = 1.9;  // truncated
  values[Metric::kAllocObjects].value = 3;
  values[Metric::kAllocSpace].value = 4;
  EXPECT_THAT(Samples(Decode(input)), ElementsAre("3 4 1 7 main"));
}

TEST(WritePprofTest, NamesTheDefaultSampleType) {
  Profile input = ProfileOf("app!main 7\n");
  input.has_accumulated = true;
  pprof::Profile profile = Decode(input);
  EXPECT_EQ(Text(profile, profile.default_sample_type()), "inuse_space");
  profile = Decode(input, {.default_metric = Metric::kAllocObjects});
  EXPECT_EQ(Text(profile, profile.default_sample_type()), "alloc_objects");
}

TEST(WritePprofTest, WritesTheHeader) {
  Profile input = ProfileOf("app!main 7\n");
  input.sampling_period = 524288;
  input.time_seconds = 1'700'000'000;
  const pprof::Profile profile =
      Decode(input, {.comments = {"heapprof 1.2", "of app"}});
  EXPECT_EQ(Text(profile, profile.period_type().type()), "space");
  EXPECT_EQ(Text(profile, profile.period_type().unit()), "bytes");
  EXPECT_EQ(profile.period(), 524288);
  EXPECT_EQ(profile.time_nanos(), 1'700'000'000'000'000'000);
  ASSERT_EQ(profile.comment_size(), 2);
  EXPECT_EQ(Text(profile, profile.comment(0)), "heapprof 1.2");
  EXPECT_EQ(Text(profile, profile.comment(1)), "of app");
  EXPECT_EQ(profile.drop_frames(), 0);
}

TEST(WritePprofTest, LeavesOutSamplesWithoutValue) {
  Profile input = ProfileOf("app!main 7\napp!f 0.5\napp!g 0\n");
  input.samples[2].values[Metric::kAllocSpace].value = 5;  // not written
  const pprof::Profile profile = Decode(input);
  EXPECT_THAT(Samples(profile), ElementsAre("0 7 main"));
  EXPECT_EQ(profile.location_size(), 1);
}

TEST(WritePprofTest, NegatesAndLabelsTheBase) {
  Profile input = ProfileOf("app!main 7\napp!main 4\n");
  input.samples[1].side = Side::kBase;
  const pprof::Profile profile = Decode(input);
  EXPECT_THAT(Samples(profile), ElementsAre("0 7 main", "0 -4 main"));
  EXPECT_THAT(profile.sample(0).label(), IsEmpty());
  ASSERT_EQ(profile.sample(1).label_size(), 1);
  EXPECT_EQ(Text(profile, profile.sample(1).label(0).key()), "pprof::base");
  EXPECT_EQ(Text(profile, profile.sample(1).label(0).str()), "true");
}

// "key=text" or "key=number unit" of each label.
std::vector<std::string> Labels(const pprof::Profile& profile, int sample) {
  std::vector<std::string> labels;
  for (const auto& label : profile.sample(sample).label())
    labels.push_back(Text(profile, label.key()) + "=" +
                     (label.str() != 0
                          ? Text(profile, label.str())
                          : fmt::format("{} {}", label.num(),
                                        Text(profile, label.num_unit()))));
  return labels;
}

TEST(WritePprofTest, LabelsAllSamplesAsAskedFor) {
  const pprof::Profile profile =
      Decode(ProfileOf("app!main 7\napp!main;f 4\n"),
             {.labels = {{"host", "web-1"}, {"version", "1.2"}}});
  for (const int sample : {0, 1})
    EXPECT_THAT(Labels(profile, sample),
                ElementsAre("host=web-1", "version=1.2"));
}

TEST(WritePprofTest, LabelsThreads) {
  Profile input = ProfileOf("app!main 7\napp!main 4\napp!main 2\n");
  input.threads.push_back({7, input.strings.Intern("wrk")});
  input.threads.push_back({8, {}});
  input.samples[1].thread = {1};
  input.samples[2].thread = {2};
  const pprof::Profile profile = Decode(input);
  ASSERT_EQ(profile.sample_size(), 3);
  EXPECT_THAT(Labels(profile, 0), IsEmpty());
  EXPECT_THAT(Labels(profile, 1), ElementsAre("thread=wrk", "thread_uid=7"));
  EXPECT_THAT(Labels(profile, 2), ElementsAre("thread=8"));
}

TEST(WritePprofTest, LabelsSizes) {
  Profile input = ProfileOf("app!main 70\napp!f 4\napp!g 9\n");
  input.samples[0].values[Metric::kInuseObjects].value = 4;
  input.samples[1].values[Metric::kInuseObjects].value = 1;
  input.samples[1].side = Side::kBase;
  const pprof::Profile profile = Decode(input, {.size_labels = true});
  EXPECT_THAT(Labels(profile, 0), ElementsAre("bytes=17 bytes"));
  EXPECT_THAT(Labels(profile, 1),
              ElementsAre("pprof::base=true", "bytes=4 bytes"));
  EXPECT_THAT(Labels(profile, 2), IsEmpty());
}

TEST(WritePprofTest, WritesOnlyTheChosenTypes) {
  Profile input = ProfileOf("app!main 7\napp!f 0\n");
  input.has_accumulated = true;
  input.samples[0].values[Metric::kAllocObjects].value = 3;
  input.samples[1].values[Metric::kInuseObjects].value = 5;
  const pprof::Profile profile =
      Decode(input, {.types = {Metric::kInuseSpace, Metric::kAllocObjects}});
  ASSERT_EQ(profile.sample_type_size(), 2);
  EXPECT_EQ(Text(profile, profile.sample_type(0).type()), "alloc_objects");
  EXPECT_EQ(Text(profile, profile.sample_type(1).type()), "inuse_space");
  EXPECT_THAT(Samples(profile), ElementsAre("3 7 main"));
}

TEST(WritePprofTest, WritesEachStringOnce) {
  Profile input = ProfileOf("app!main 7\n");
  input.functions[1].name = input.strings.Intern("a\xff");
  input.functions[1].system_name = input.strings.Intern("a?");
  input.functions[1].filename = input.strings.Intern("bytes");
  const pprof::Profile profile = Decode(input);
  std::set<std::string> strings(profile.string_table().begin(),
                                profile.string_table().end());
  EXPECT_EQ(strings.size(), static_cast<size_t>(profile.string_table_size()));
  EXPECT_EQ(profile.function(0).name(), profile.function(0).system_name());
}

TEST(WritePprofTest, LabelsLifetimes) {
  Profile input = ProfileOf("app!main 7\napp!main 4\n");
  input.samples[1].lifetime = Lifetime::kBelow10ms;
  const pprof::Profile profile = Decode(input);
  EXPECT_THAT(profile.sample(0).label(), IsEmpty());
  ASSERT_EQ(profile.sample(1).label_size(), 1);
  EXPECT_EQ(Text(profile, profile.sample(1).label(0).key()), "lifetime");
  EXPECT_EQ(Text(profile, profile.sample(1).label(0).str()), "1ms to 10ms");
}

TEST(WritePprofTest, ClampsValuesThatNoIntegerHolds) {
  const pprof::Profile profile =
      Decode(ProfileOf("app!f 1e300\napp!g -1e300\n"));
  EXPECT_GT(profile.sample(0).value(1), 9'100'000'000'000'000'000);
  EXPECT_LT(profile.sample(1).value(1), -9'100'000'000'000'000'000);
}

TEST(WritePprofTest, PutsTheProgramFirstAmongTheMappings) {
  Profile input = ProfileOf("libz.so.1!deflate;libc.so.6!malloc 7\napp!f 1\n");
  input.main_binary = input.strings.Intern("app");
  const pprof::Profile profile = Decode(input);
  ASSERT_EQ(profile.mapping_size(), 3);
  EXPECT_EQ(Text(profile, profile.mapping(0).filename()), "app");
}

TEST(WritePprofTest, WritesOnlyMappingsThatOccur) {
  Profile input = ProfileOf("app!main 7\napp!f;libz.so.1!deflate 0\n");
  const pprof::Profile profile = Decode(input);
  ASSERT_EQ(profile.mapping_size(), 1);
  EXPECT_EQ(Text(profile, profile.mapping(0).filename()), "app");
}

TEST(WritePprofTest, GivesLocationsOutsideFilesAMapping) {
  const pprof::Profile profile = Decode(ProfileOf("jitted 7\n"));
  ASSERT_EQ(profile.mapping_size(), 1);
  EXPECT_EQ(Text(profile, profile.mapping(0).filename()), "[unknown]");
  EXPECT_EQ(profile.location(0).mapping_id(), 1u);
}

TEST(WritePprofTest, WritesAddressesOfTheFileUnderAMappingOfEverything) {
  Profile input = ProfileOf("app!main 7\n");
  input.mappings[1].address_space = AddressSpace::kFileAddress;
  input.mappings[1].build_id = input.strings.Intern("c0ffee");
  input.mappings[1].start = 0x5000;
  input.mappings[1].file_offset = 0x1000;
  input.locations[1].module_address = 0x1135;
  const pprof::Profile profile = Decode(input);
  const auto& mapping = profile.mapping(0);
  EXPECT_EQ(mapping.memory_start(), 0u);
  EXPECT_EQ(mapping.memory_limit(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(mapping.file_offset(), 0u);
  EXPECT_EQ(Text(profile, mapping.build_id()), "c0ffee");
  // The call, not the address after it.
  EXPECT_EQ(profile.location(0).address(), 0x1134u);
}

TEST(WritePprofTest, WritesRuntimeAddressesOfAFileThatWasNotFound) {
  Profile input = ProfileOf("app!main 7\n");
  input.mappings[1].start = 0x5000;
  input.mappings[1].limit = 0x9000;
  input.mappings[1].file_offset = 0x1000;
  input.locations[1].address = 0x5135;
  input.locations[1].is_return_address = false;
  const pprof::Profile profile = Decode(input);
  const auto& mapping = profile.mapping(0);
  EXPECT_EQ(mapping.memory_start(), 0x5000u);
  EXPECT_EQ(mapping.memory_limit(), 0x9000u);
  EXPECT_EQ(mapping.file_offset(), 0x1000u);
  EXPECT_EQ(profile.location(0).address(), 0x5135u);
}

TEST(WritePprofTest, WritesAllPropertiesOfAFunction) {
  Profile input = ProfileOf("app!ns::f(int) 7\n");
  input.functions[1].system_name = input.strings.Intern("_ZN2ns1fEi");
  input.functions[1].filename = input.strings.Intern("/src/f.cc");
  input.functions[1].start_line = 12;
  input.lines[0].line = 14;
  input.lines[0].column = 3;
  const pprof::Profile profile = Decode(input);
  const auto& function = profile.function(0);
  EXPECT_EQ(Text(profile, function.name()), "ns::f(int)");
  EXPECT_EQ(Text(profile, function.system_name()), "_ZN2ns1fEi");
  EXPECT_EQ(Text(profile, function.filename()), "/src/f.cc");
  EXPECT_EQ(function.start_line(), 12);
  const auto& line = profile.location(0).line(0);
  EXPECT_EQ(line.function_id(), 1u);
  EXPECT_EQ(line.line(), 14);
  EXPECT_EQ(line.column(), 3);
}

// "FNLI": has functions, filenames, line numbers, inline frames.
std::string FlagsOfProgram(const Profile& profile) {
  const pprof::Profile decoded = Decode(profile);
  const auto& mapping = decoded.mapping(0);
  std::string flags;
  if (mapping.has_functions()) flags += 'F';
  if (mapping.has_filenames()) flags += 'N';
  if (mapping.has_line_numbers()) flags += 'L';
  if (mapping.has_inline_frames()) flags += 'I';
  return flags;
}

TEST(WritePprofTest, FlagsPropertiesOfAllAddressesOfAMapping) {
  Profile profile = ProfileOf("app!main;app!f 7\n");
  for (size_t i = 1; i < profile.functions.size(); ++i)
    profile.functions[i].filename = profile.strings.Intern("f.cc");
  for (Line& line : profile.lines) line.line = 3;
  EXPECT_EQ(FlagsOfProgram(profile), "FNLI");

  profile.lines[1].line = 0;
  EXPECT_EQ(FlagsOfProgram(profile), "FN");
  profile.functions[2].filename = {};
  EXPECT_EQ(FlagsOfProgram(profile), "F");
  profile.functions[2].unresolved = true;
  EXPECT_EQ(FlagsOfProgram(profile), "");
}

TEST(WritePprofTest, FlagsNothingOfAProgramThatDoesNotOccur) {
  // A reader that merges this profile with another keeps the flags.
  Profile profile = ProfileOf("app!main 0\nlibz.so.1!deflate 7\n");
  ASSERT_EQ(profile.String(profile.main_binary), "app");
  EXPECT_EQ(FlagsOfProgram(profile), "");
}

TEST(WritePprofTest, FlagsNothingIfAnAddressHasNoLines) {
  Profile profile = ProfileOf("app!main;app!f 7\n");
  profile.locations[1].lines.count = 0;
  EXPECT_EQ(FlagsOfProgram(profile), "");
}

TEST(WritePprofTest, ReplacesInvalidUtf8) {
  struct Case {
    const char* name;
    const char* written;
  };
  for (const auto& [name, written] :
       {Case{"caf\xc3\xa9", "caf\xc3\xa9"},
        Case{"\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80"},
        Case{"a\xff"
             "b",
             "a?b"},
        Case{"\x80\xbf", "??"}, Case{"cut\xc3", "cut?"},
        Case{"cut\xe2\x82", "cut??"}, Case{"\xc3(", "?("},
        // Overlong, a surrogate, after the last code point.
        Case{"\xc0\xaf", "??"}, Case{"\xe0\x80\xaf", "???"},
        Case{"\xf0\x80\x80\xaf", "????"}, Case{"\xed\xa0\x80", "???"},
        Case{"\xf4\x90\x80\x80", "????"}, Case{"\xf5\x80\x80\x80", "????"}}) {
    const pprof::Profile profile = Decode(OneFunction(name));
    ASSERT_EQ(profile.function_size(), 1) << written;
    EXPECT_EQ(Text(profile, profile.function(0).name()), written);
  }
}

TEST(WritePprofTest, WritesEqualBytesForEqualInput) {
  const auto write = [] {
    return Written(ProfileOf("app!main;app!f|g;libc.so.6!q 7\nother 1\n"),
                   {.comments = {"c"}});
  };
  EXPECT_EQ(write(), write());
}

TEST(WritePprofTest, OfAnEmptyProfileHasTypesOnly) {
  const pprof::Profile profile = Decode(Profile());
  EXPECT_EQ(profile.sample_type_size(), 2);
  EXPECT_EQ(profile.sample_size(), 0);
  EXPECT_EQ(profile.mapping_size(), 0);
}

}  // namespace
}  // namespace heapprof::pprof_test
