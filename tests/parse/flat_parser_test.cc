// SPDX-License-Identifier: Apache-2.0
#include "parse/flat_parser.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kMaps =
    "\nMAPPED_LIBRARIES:\n"
    "00400000-00500000 r-xp 00000000 fe:00 7 /bin/prog\n";

// A dump with this header (without "heap profile: ") and these records.
Parsed Dump(std::string_view header, std::string_view records) {
  return ParseText("heap profile: " + std::string(header) + "\n" +
                   std::string(records) + std::string(kMaps));
}

struct ScalingCase {
  std::string_view header;
  double objects;
  double bytes;
  double accumulated_bytes;
  uint64_t period;
  bool is_guess;
};

// For the record "2: 4096 [3: 600000]". The numbers were computed with Python,
// with the formulas of both algorithms.
const ScalingCase kScalingCases[] = {
    {"9: 9 [8: 8] @ heap_v2/131072", 129.00260415607073, 264197.33331163286,
     766704.4509228015, 131072, false},
    {"9: 9 [8: 8] @ heapz_v2/1000000", 977.5628413333186, 2002048.6990506365,
     3309993.339676196, 1000000, false},
    {"9: 9 [8: 8] @ heap_v2/", 129.00260415607073, 264197.33331163286,
     766704.4509228015, 131072, true},
    {"9: 9 [8: 8] @ heap_v2", 129.00260415607073, 264197.33331163286,
     766704.4509228015, 131072, true},
    {"9: 9 [8: 8] @ heap_v2/0", 129.00260415607073, 264197.33331163286,
     766704.4509228015, 131072, true},
    {"9: 9 [8: 8] @ heap/1000000", 488.28125, 1000000, 1500000, 500000, false},
    {"9: 9 [8: 8] @ heap/1", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8] @ heap", 128, 262144, 600000, 131072, true},
    {"9: 9 [8: 8] @ heapprofile", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8] @ heapprofile/524288", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8] @ growth", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8] @ growthz/5", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8] @ fragmentationz", 2, 4096, 600000, 1, false},
    {"9: 9 [8: 8]", 2, 4096, 600000, 1, false},
    {"9: 9 [9: 8]", 2, 4096, 600000, 1, false},
    {"9: 9 [9: 9]", 128, 262144, 600000, 131072, true},
    {"9: 9 [9: 9] @ ", 128, 262144, 600000, 131072, true},
    {"9: 9 [8: 8] @", 2, 4096, 600000, 1, false},
};

TEST(FlatParserTest, ScalesAsTheTypeInTheHeaderSays) {
  for (const ScalingCase& c : kScalingCases) {
    const Parsed dump = Dump(c.header, "2: 4096 [3: 600000] @ 0x401000\n");
    ASSERT_THAT(dump.profile.samples, SizeIs(1)) << c.header;
    const Sample& sample = dump.profile.samples[0];
    EXPECT_DOUBLE_EQ(Value(sample, Metric::kInuseObjects), c.objects)
        << c.header;
    EXPECT_DOUBLE_EQ(Value(sample, Metric::kInuseSpace), c.bytes) << c.header;
    EXPECT_DOUBLE_EQ(Value(sample, Metric::kAllocSpace), c.accumulated_bytes)
        << c.header;
    EXPECT_EQ(dump.profile.sampling_period, c.period) << c.header;
    EXPECT_EQ(dump.warnings.size(), c.is_guess ? 1u : 0u) << c.header;
  }
}

// With /debug/pprof/heap?debug=1, a Go program that holds 100 MiB has sampled
// 87 objects of 1 MiB.
TEST(FlatParserTest, ScalesTheTextOfGoAsPprofDoes) {
  const Parsed parsed = Dump("87: 91226112 [87: 91226112] @ heap/1048576",
                             "87: 91226112 [87: 91226112] @ 0x401000\n"
                             "#\t0x400fff\tmain.hold+0x46\t\t/main.go:4\n");
  ASSERT_THAT(parsed.profile.samples, SizeIs(1));
  EXPECT_NEAR(parsed.profile.samples[0].values[Metric::kInuseSpace].value,
              105504608, 1);
  EXPECT_EQ(parsed.profile.sampling_period, 524288u);
  EXPECT_THAT(parsed.notes,
              ElementsAre(::testing::HasSubstr("the text of a Go profile")));
}

TEST(FlatParserTest, SaysThatAPeriodIsAssumed) {
  EXPECT_THAT(Dump("9: 9 [9: 9]", "").warnings,
              ElementsAre("a.heap:1: no sampling period; assuming one sample "
                          "per 128 KiB, the default of old servers"));
}

TEST(FlatParserTest, ExactCountsHaveNoErrorAndSampledOnesDo) {
  for (const auto& [type, has_error] : {std::pair("heapprofile", false),
                                        {"heap_v2/4096", true},
                                        {"heap/4096", true}}) {
    const Parsed dump = Dump("1: 64 [1: 64] @ " + std::string(type),
                             "1: 64 [1: 64] @ 0x401000\n");
    const Values& values = dump.profile.samples.at(0).values;
    EXPECT_EQ(values[Metric::kInuseSpace].variance > 0, has_error) << type;
  }
}

TEST(FlatParserTest, ReadsNumbersWithAnyBlanks) {
  const Parsed dump = Dump("    2:     4096 [     3:   600000] @ heapprofile",
                           "    2:     4096 [     3:   600000] @ 0x00401000 "
                           "0x00402000\n"
                           "1:8[1:8]@ 0x401000 \t\n");
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_EQ(SampleStacks(dump.profile), (std::vector<std::vector<uint64_t>>{
                                            {0x401000, 0x402000}, {0x401000}}));
}

TEST(FlatParserTest, KeepsNegativeCounts) {
  const Parsed exact =
      Dump("1: 1 [9: 9] @ heapprofile", "-1: -4096 [3: 600000] @ 0x401000\n");
  EXPECT_THAT(exact.warnings, IsEmpty());
  EXPECT_EQ(Value(exact.profile.samples.at(0), Metric::kInuseObjects), -1);
  EXPECT_EQ(Value(exact.profile.samples.at(0), Metric::kInuseSpace), -4096);
  const Parsed scaled = Dump("1: 1 [9: 9] @ heap_v2/131072",
                             "-2: -4096 [3: 600000] @ 0x401000\n");
  EXPECT_THAT(Value(scaled.profile.samples.at(0), Metric::kInuseSpace),
              DoubleNear(-264197.33331163286, 1e-6));
  const Parsed both =
      Dump("1: 1 [9: 9] @ heapprofile",
           "2: 64 [2: 64] @ 0x401000\n-2: -64 [2: 64] @ 0x402000\n");
  EXPECT_EQ(Value(both.profile.samples.at(0), Metric::kInuseSpace), 64);
  EXPECT_EQ(Value(both.profile.samples.at(1), Metric::kInuseSpace), -64);
}

TEST(FlatParserTest, KeepsRecordsWithoutAnAddress) {
  const Parsed dump = Dump("1: 64 [1: 64] @ heapprofile", "1: 64 [1: 64] @\n");
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_EQ(SampleStacks(dump.profile),
            (std::vector<std::vector<uint64_t>>{{}}));
}

TEST(FlatParserTest, IgnoresCountsThatCannotBeScaled) {
  for (std::string_view type : {"heap/1024", "heap_v2/1024"}) {
    const Parsed dump = Dump("1: 1 [9: 9] @ " + std::string(type),
                             "1: 0 [0: 77] @ 0x401000\n"
                             "0: 0 [4: 4096] @ 0x402000\n");
    EXPECT_THAT(dump.warnings,
                ElementsAre("a.heap:2: 1 objects of 0 bytes are impossible; "
                            "the values are ignored",
                            "a.heap:2: 0 objects of 77 bytes are impossible; "
                            "the values are ignored"));
    EXPECT_THAT(dump.profile.samples, SizeIs(1)) << type;
  }
  // Without scaling, they stay unchanged.
  const Parsed exact =
      Dump("1: 1 [9: 9] @ heapprofile", "0: 77 [1: 0] @ 0x401000\n");
  EXPECT_THAT(exact.warnings, IsEmpty());
  EXPECT_EQ(Value(exact.profile.samples.at(0), Metric::kInuseSpace), 77);
}

TEST(FlatParserTest, WarnsOfMalformedLines) {
  const Parsed dump = Dump("1: 64 [1: 64] @ heapprofile",
                           "1: 64 [1: 64] @ 0x401000\n"
                           "\n"
                           "1: 64 @ 0x401000\n"
                           "1: 64 [1: 64] @ 0x401000 junk\n");
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_THAT(
      dump.warnings,
      ElementsAre("a.heap:4: expected '<objects>: <bytes> [<objects>: <bytes>] "
                  "@ <addresses>', found '1: 64 @ 0x401000'",
                  "a.heap:5: expected an address, found 'junk'; the record is "
                  "ignored"));
}

TEST(FlatParserTest, IgnoresLinesOfALaterFormat) {
  const Parsed dump = Dump("1: 64 [1: 64] @ heapprofile",
                           "1: 64 [1: 64] @ 0x401000\n  age: 7\n");
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.notes, SizeIs(1));
}

TEST(FlatParserTest, RejectsHeadersThatDoNotSayHowToScale) {
  for (std::string_view header :
       {"heap profile:", "heap profile: 1: 2", "heap profile: x: 2 [3: 4] @ h",
        "heap profile: 1: 2 [3: 4] @ heap_v2/99999999999999999999",
        "heap profile: 1: 2 [3: 4] @ heap_v2/18446744073709551615"}) {
    EXPECT_EQ(ErrorOf(std::string(header) + "\n1: 2 [3: 4] @ 0x401000\n"),
              "a.heap:1: expected 'heap profile: <objects>: <bytes> "
              "[<objects>: <bytes>] @ <type>/<sampling period>', found '" +
                  std::string(header) + "'");
  }
  // Truncated in the header: the period may have lost digits.
  EXPECT_NE(ErrorOf("heap profile: 1: 2 [3: 4] @ heap_v2/5242"), "no error");
}

TEST(FlatParserTest, ReadsCrlfMarkersAndTextBeforeTheHeader) {
  const Parsed dump = ParseText(
      "%warn slow\r\n"
      "<jemalloc>: Leak summary: 64 bytes, 1 object, 1 context\r\n"
      "--- heap\r\n"
      "heap profile: 1: 64 [1: 64] @ heapprofile\r\n"
      "1: 64 [1: 64] @ 0x401000\r\n"
      "--- Memory map:\r\n"
      "  400000-500000: /bin/prog\r\n");
  EXPECT_THAT(dump.warnings, ElementsAre("a.heap: slow"));
  EXPECT_EQ(Value(dump.profile.samples.at(0), Metric::kInuseSpace), 64);
  EXPECT_EQ(dump.profile.locations.at(1).mapping.value, 1u);
}

TEST(FlatParserTest, SaysWhereADumpIsTruncatedAndKeepsTheRest) {
  const std::string_view header = "heap profile: 2: 128 [2: 128] @ heapprofile";
  const std::string records =
      "\n1: 64 [1: 64] @ 0x401000\n1: 64 [1: 64] @ 0x402000";
  const Parsed in_line = ParseText(std::string(header) + records);
  EXPECT_THAT(in_line.profile.samples, SizeIs(1));
  EXPECT_EQ(in_line.warnings.at(0),
            "a.heap:3: the dump is truncated; this incomplete line is ignored");
  const Parsed between = ParseText(std::string(header) + records.substr(0, 26));
  EXPECT_THAT(between.profile.samples, SizeIs(1));
  EXPECT_EQ(between.warnings.at(0),
            "a.heap: the dump is truncated: its header states 128 bytes, but "
            "its records hold 64");
}

}  // namespace
}  // namespace heapprof
