// SPDX-License-Identifier: Apache-2.0
#include "parse/heap_v2_parser.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kHeapV2Maps =
    "\nMAPPED_LIBRARIES:\n"
    "00400000-00500000 r-xp 00000000 fe:00 7                  /bin/prog\n";

// A dump with these lines after the header, and a map.
std::string Dump(std::string_view lines) {
  return "heap_v2/524288\n  t*: 9: 9 [0: 0]\n" + std::string(lines) +
         std::string(kHeapV2Maps);
}

// One record whose "t*" line is `counts`.
std::string Record(std::string_view counts) {
  return Dump("@ 0x401000\n  " + std::string(counts) + "\n");
}

using Stacks = std::vector<std::vector<uint64_t>>;

TEST(HeapV2ParserTest, ReadsStacksLeafFirstWithUnbiasedValues) {
  const Parsed dump =
      ParseText(Dump("@ 0x401030 0x401020 0x401010\n"
                     "  t*: 4: 4096 [0: 0]\n"
                     "@ 0x402000\n"
                     "  t*: 3: 3145728 [0: 0]\n"));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_EQ(dump.profile.sampling_period, 524288u);
  EXPECT_FALSE(dump.profile.has_accumulated);
  EXPECT_TRUE(dump.profile.has_memory_map);
  EXPECT_EQ(SampleStacks(dump.profile),
            (Stacks{{0x401030, 0x401020, 0x401010}, {0x402000}}));
  const auto& samples = dump.profile.samples;
  ASSERT_THAT(samples, SizeIs(2));
  EXPECT_NEAR(Value(samples[0], Metric::kInuseObjects), 2050.0006, 1e-4);
  EXPECT_NEAR(Value(samples[0], Metric::kInuseSpace), 2099200.667, 1e-3);
  EXPECT_NEAR(Value(samples[1], Metric::kInuseSpace), 3638089.93, 1e-2);
  EXPECT_EQ(Value(samples[1], Metric::kAllocSpace), 0);
  for (size_t i = 1; i < dump.profile.locations.size(); ++i)
    EXPECT_TRUE(dump.profile.locations[i].is_return_address);
}

TEST(HeapV2ParserTest, UnbiasesAccumulatedCountsOnTheirOwn) {
  const Parsed dump = ParseText(Record("t*: 2: 1048576 [4: 4096]"));
  EXPECT_TRUE(dump.profile.has_accumulated);
  ASSERT_THAT(dump.profile.samples, SizeIs(1));
  const Sample& sample = dump.profile.samples[0];
  EXPECT_NEAR(Value(sample, Metric::kInuseSpace), 1658822.81, 1e-2);
  EXPECT_NEAR(Value(sample, Metric::kAllocObjects), 2050.0006, 1e-4);
  EXPECT_NEAR(Value(sample, Metric::kAllocSpace), 2099200.667, 1e-3);
}

TEST(HeapV2ParserTest, KeepsRecordsThatHaveOnlyAccumulatedCounts) {
  const Parsed dump = ParseText(Record("t*: 0: 0 [4: 4096]"));
  EXPECT_THAT(dump.warnings, IsEmpty());
  ASSERT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_EQ(Value(dump.profile.samples[0], Metric::kInuseSpace), 0);
  EXPECT_NEAR(Value(dump.profile.samples[0], Metric::kAllocSpace), 2099200.667,
              1e-3);
}

TEST(HeapV2ParserTest, ReadsThreadsAndTheirNamesFromTheLeft) {
  const Parsed dump =
      ParseText(Dump("  t0: 1: 1 [0: 0] main loop\n"
                     "  t1: 1: 1 [0: 0] x]: 1: 2 [3: 4]\n"
                     "  t2: 1: 1 [0: 0]\n"
                     "  t3: 1: 1 [0: 0] @ 0x1\n"
                     "  t4: 1: 1 [0: 0]  two blanks\n"
                     "@ 0x401000\n"
                     "  t*: 4: 4096 [0: 0]\n"
                     "  t0: 4: 4096 [0: 0]\n"
                     "  t1: 3: 3145728 [0: 0]\n"
                     "  t7: 2: 1048576 [0: 0]\n"));
  EXPECT_THAT(dump.warnings, IsEmpty());
  const Profile& profile = dump.profile;
  std::vector<std::string> threads;
  for (size_t i = 1; i < profile.threads.size(); ++i)
    threads.push_back(std::to_string(profile.threads[i].uid) + "=" +
                      std::string(profile.String(profile.threads[i].name)));
  EXPECT_THAT(threads, ElementsAre("0=main loop", "1=x]: 1: 2 [3: 4]",
                                   "2=", "3=@ 0x1", "4= two blanks", "7="));
  ASSERT_THAT(profile.samples, SizeIs(1));
  ASSERT_THAT(profile.thread_samples, SizeIs(3));
  for (const Sample& sample : profile.thread_samples)
    EXPECT_EQ(sample.stack, profile.samples[0].stack);
  EXPECT_EQ(profile.threads[profile.thread_samples[1].thread.index()].uid, 1u);
  EXPECT_NEAR(Value(profile.thread_samples[1], Metric::kInuseSpace), 3638089.93,
              1e-2);
  EXPECT_NEAR(Value(profile.thread_samples[2], Metric::kInuseSpace), 1658822.81,
              1e-2);
}

TEST(HeapV2ParserTest, LeavesOutThreadSamplesIfAsked) {
  const std::string text = Dump(
      "@ 0x401000\n"
      "  t*: 4: 4096 [0: 0]\n"
      "  t5: 4: 4096 [0: 0]\n");
  const Profile all = ParseText(text).profile;
  const Profile some = ParseText(text, {.with_thread_samples = false}).profile;
  EXPECT_THAT(some.thread_samples, IsEmpty());
  EXPECT_EQ(Value(some.samples[0], Metric::kInuseSpace),
            Value(all.samples[0], Metric::kInuseSpace));
  ASSERT_THAT(some.threads, SizeIs(2));
  EXPECT_EQ(some.threads[1].uid, 5u);
}

TEST(HeapV2ParserTest, IgnoresTextAfterTheCountsOfARecord) {
  const Parsed dump = ParseText(Record("t*: 4: 4096 [0: 0] some name"));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
}

TEST(HeapV2ParserTest, AddsUpAThreadThatIsListedTwice) {
  const Parsed dump =
      ParseText(Dump("@ 0x401000\n"
                     "  t*: 4: 4096 [0: 0]\n"
                     "  t5: 4: 4096 [0: 0]\n"
                     "  t5: 4: 4096 [0: 0]\n"));
  double bytes = 0;
  for (const Sample& sample : dump.profile.thread_samples)
    bytes += Value(sample, Metric::kInuseSpace);
  EXPECT_NEAR(bytes, 2 * 2099200.667, 1e-2);
  EXPECT_THAT(dump.profile.threads, SizeIs(2));
}

TEST(HeapV2ParserTest, KeepsThreadLinesThatPrecedeTheTotal) {
  const Parsed dump =
      ParseText(Dump("@ 0x401000\n"
                     "  t5: 4: 4096 [0: 0]\n"
                     "  t*: 4: 4096 [0: 0]\n"));
  EXPECT_THAT(dump.warnings, IsEmpty());
  ASSERT_THAT(dump.profile.thread_samples, SizeIs(1));
  EXPECT_EQ(dump.profile.thread_samples[0].stack,
            dump.profile.samples.at(0).stack);
}

TEST(HeapV2ParserTest, GivesARecordWithoutAddressesItsOwnEmptyStack) {
  for (std::string_view empty : {"@", "@ "}) {
    const Parsed dump =
        ParseText(Dump(std::string(empty) + "\n  t*: 4: 4096 [0: 0]\n"
                                            "@ 0x401000\n  t*: 1: 8 [0: 0]\n"));
    EXPECT_THAT(dump.warnings, IsEmpty());
    EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{}, {0x401000}}));
    EXPECT_NEAR(Value(dump.profile.samples.at(0), Metric::kInuseSpace),
                2099200.667, 1e-3);
  }
}

TEST(HeapV2ParserTest, AddsUpDuplicateStacks) {
  constexpr std::string_view kTwice =
      "@ 0x401000 0x401010\n  t*: 4: 4096 [0: 0]\n"
      "@ 0x401000 0x401010\n  t*: 4: 4096 [0: 0]\n";
  const Parsed dump = ParseText(Dump(kTwice));
  EXPECT_NEAR(TotalOf(dump.profile, Side::kNew)[Metric::kInuseSpace].value,
              2 * 2099200.667, 1e-2);
  EXPECT_THAT(dump.profile.locations, SizeIs(3));
}

TEST(HeapV2ParserTest, NeverCountsHeaderLinesAsValues) {
  const Parsed dump = ParseText(
      "heap_v2/524288\n"
      "  t*: 687: 2471800 [5: 6]\n"
      "  t0: 368: 3219922 [5: 6] prog\n" +
      std::string(kHeapV2Maps));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.profile.samples, IsEmpty());
  EXPECT_THAT(dump.profile.thread_samples, IsEmpty());
  EXPECT_FALSE(dump.profile.has_accumulated);
}

TEST(HeapV2ParserTest, ReadsStacksOfAnyDepthAndAddressesOfAnySize) {
  std::string record = "@";
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i < 5000; ++i) {
    expected.push_back(0x401000 + i);
    record += " 0x" + std::string(i % 2 == 0 ? "000000401" : "401");
    const char* digits = "0123456789abcdef";
    for (int shift : {8, 4, 0}) record += digits[(i >> shift) & 15];
    if (i >= 0x1000) expected.back() = 0x401000 + (i & 0xfff);
  }
  const Parsed deep = ParseText(Dump(record + "\n  t*: 1: 8 [0: 0]\n"));
  EXPECT_EQ(SampleStacks(deep.profile), Stacks{expected});
  const Parsed wide =
      ParseText(Dump("@ 0x0 0xAC3A800000000000 0xffffffffffffffff 0x1\n"
                     "  t*: 1: 8 [0: 0]\n"));
  EXPECT_THAT(wide.warnings, IsEmpty());
  EXPECT_EQ(SampleStacks(wide.profile),
            (Stacks{{0, 0xac3a800000000000, 0xffffffffffffffff, 1}}));
}

TEST(HeapV2ParserTest, ReadsCrlfLines) {
  std::string text = Dump("@ 0x401000\n  t*: 4: 4096 [0: 0]\n");
  std::string crlf;
  for (char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string{c};
  const Parsed dump = ParseText(crlf);
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x401000}}));
  EXPECT_EQ(dump.profile.String(dump.profile.main_binary), "/bin/prog");
}

struct BadLineCase {
  std::string_view counts;
  std::string_view message;
};

TEST(HeapV2ParserTest, IgnoresMalformedCountLinesAndSaysWhere) {
  for (std::string_view line :
       {"t*: 1: 0", "t*: -5: 40 [0: 0]", "t*: 5: -40 [0: 0]", "t*: 1 8 [0: 0]",
        "t*: 1: 8 [0: 0", "t*: 1: 8 (0: 0)", "t*: x: 8 [0: 0]", "t*",
        "t*: 18446744073709551616: 8 [0: 0]", "t: 1: 8 [0: 0]", "t7x"}) {
    const Parsed dump = ParseText(Record(line));
    EXPECT_THAT(dump.profile.samples, IsEmpty()) << line;
    EXPECT_THAT(
        dump.warnings,
        ElementsAre("a.heap:4: expected '@ <addresses>' or 't<id>: <objects>: "
                    "<bytes> [<objects>: <bytes>]', found '  " +
                        std::string(line) + "'",
                    "a.heap:3: the record has no 't*' line; it is ignored"));
  }
}

TEST(HeapV2ParserTest, IgnoresImpossibleCountsAndSaysWhere) {
  const BadLineCase kCases[] = {
      {"t*: 1: 0 [0: 0]", "1 objects of 0 bytes"},
      {"t*: 0: 8 [0: 0]", "0 objects of 8 bytes"},
      {"t*: 9223372036854775808: 8 [0: 0]",
       "9223372036854775808 objects of 8 bytes"},
      {"t*: 1: 18446744073709551615 [0: 0]",
       "1 objects of 18446744073709551615 bytes"},
      {"t*: 0: 0 [3: 0]", "3 objects of 0 bytes"},
  };
  for (const BadLineCase& c : kCases) {
    const Parsed dump = ParseText(Record(c.counts));
    EXPECT_THAT(dump.profile.samples, IsEmpty()) << c.counts;
    EXPECT_THAT(dump.warnings,
                ElementsAre("a.heap:4: " + std::string(c.message) +
                            " are impossible; the values are ignored"));
  }
}

TEST(HeapV2ParserTest, KeepsTheGoodHalfOfALineWithAnImpossibleOne) {
  const Parsed dump = ParseText(Record("t*: 4: 4096 [1: 0]"));
  ASSERT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_NEAR(Value(dump.profile.samples[0], Metric::kInuseSpace), 2099200.667,
              1e-3);
  EXPECT_EQ(Value(dump.profile.samples[0], Metric::kAllocObjects), 0);
  EXPECT_THAT(dump.warnings, SizeIs(1));
}

TEST(HeapV2ParserTest, IgnoresRecordsWithMalformedAddresses) {
  const BadLineCase kCases[] = {
      {"@ 0x401000 401010", "401010"},
      {"@ 0x401000 0x", ""},
      {"@ 0x401000 0xg", "g"},
      {"@ 0x11112222333344445", "5"},
      {"@ 0x401000,0x401010", ",0x401010"},
      {"@ (nil)", "(nil)"},
  };
  for (const BadLineCase& c : kCases) {
    const Parsed dump = ParseText(
        Dump(std::string(c.counts) + "\n  t*: 1: 8 [0: 0]\n  t1: 1: 8 [0: 0]\n"
                                     "@ 0x402000\n  t*: 4: 4096 [0: 0]\n"));
    // The counts of the damaged record are not added to another stack.
    EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x402000}})) << c.counts;
    EXPECT_THAT(dump.profile.thread_samples, IsEmpty()) << c.counts;
    EXPECT_THAT(
        dump.warnings,
        ElementsAre(AllOf(
            StartsWith("a.heap:3: expected an address, found '"),
            HasSubstr(std::string(c.message) + "'; the record is ignored"))));
  }
}

TEST(HeapV2ParserTest, WarnsOfARecordWithoutTotal) {
  const Parsed dump =
      ParseText(Dump("@ 0x401000\n  t1: 1: 8 [0: 0]\n"
                     "@ 0x402000\n  t*: 4: 4096 [0: 0]\n"));
  EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x402000}}));
  EXPECT_THAT(dump.profile.thread_samples, IsEmpty());
  EXPECT_THAT(
      dump.warnings,
      ElementsAre("a.heap:3: the record has no 't*' line; it is ignored"));
}

TEST(HeapV2ParserTest, WarnsOfRecordsWithoutStack) {
  const std::string all = "  t*: 4: 4096 [0: 0]\n  t1: 4: 4096 [0: 0]\n";
  const Parsed dump = ParseText(Dump(all + "@ 0x401000\n" + all + all));
  EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x401000}}));
  EXPECT_NEAR(Value(dump.profile.samples[0], Metric::kInuseSpace), 2099200.667,
              1e-3);
  EXPECT_THAT(dump.profile.thread_samples, SizeIs(1));
  EXPECT_THAT(
      dump.warnings,
      ElementsAre("a.heap:3: the record has no '@' line; it is ignored",
                  "a.heap:8: the record has no '@' line; it is ignored"));
}

TEST(HeapV2ParserTest, ContinuesAfterLinesOfForeignText) {
  const Parsed dump = ParseText(
      "heap_v2/524288\n"
      "  t*: 1: 1 [0: 0]\n"
      "a library wrote this\n"
      "  t1: 1: 1 [0: 0] new\n"
      "line in a thread name\n"
      "@ 0x401000\n"
      "and this\n"
      "  t*: 4: 4096 [0: 0]\n" +
      std::string(kHeapV2Maps));
  EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x401000}}));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.notes,
              ElementsAre("a.heap: 3 lines of a kind that heapprof does not "
                          "know are not used: 'a', 'line', 'and'; a newer "
                          "allocator may have written them"));
}

TEST(HeapV2ParserTest, IgnoresLinesOfALaterFormatButNotBinaryData) {
  const Parsed dump =
      ParseText(Dump("@ 0x401000\n"
                     "  t*: 4: 4096 [0: 0]\n"
                     "  x: 1 2 3\n"
                     "  total_waste: 7\n"
                     "@ 0x402000\n"
                     "  t*: 4: 4096 [0: 0]\n"
                     "  x: 4 5 6\n"
                     "arena_util: 1 2\n"
                     "\x80\x01\x02\n"));
  EXPECT_THAT(dump.profile.samples, SizeIs(2));
  EXPECT_THAT(dump.notes, ElementsAre(HasSubstr(
                              "4 lines of a kind that heapprof does not know "
                              "are not used: 'x:', 'total_waste:', "
                              "'arena_util:'; ")));
  EXPECT_THAT(dump.warnings, ElementsAre(StartsWith("a.heap:11: expected ")));
}

constexpr std::string_view kListed =
    "@ 0x401000\n"
    "  t*: 3: 1064960 [0: 0]\n"
    "  t0: 2: 1056768 [0: 0]\n"
    "  t1: 1: 8192 [0: 0]\n"
    "  f: 75000000000 4000 4096 20 1 0\n"
    "  f: 119999999999 1048576 1048576 72 1 0\n"
    "  f: 120000000000 4096 4096 20 1 1\n"
    "@ 0x402000\n"
    "  t*: 4: 4096 [0: 0]\n"
    "frag_util: 0 9 160 20480 128 1 7 61 7\n"
    "frag_util: 0 12 224 28672 128 2 5 640 0\n"
    "frag_util: 1 9 160 20480 128 1 3 3 3\n";

TEST(HeapV2ParserTest, TakesTheExactSizesOfListedObjects) {
  const Parsed dump = ParseText(Dump(kListed));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.notes, IsEmpty());
  EXPECT_TRUE(dump.profile.lists_objects);
  const auto& samples = dump.profile.samples;
  ASSERT_THAT(samples, SizeIs(3));
  // 2/(1-exp(-4096/524288)) and 1/(1-exp(-2)).
  EXPECT_NEAR(Value(samples[0], Metric::kInuseObjects), 257.0013, 1e-4);
  EXPECT_NEAR(Value(samples[0], Metric::kInuseSpace), 257.0013 * 4096, 1);
  EXPECT_NEAR(Value(samples[1], Metric::kInuseObjects), 1.156518, 1e-6);
  EXPECT_TRUE(samples[0].one_size && samples[1].one_size);
  EXPECT_EQ(samples[0].stack, samples[1].stack);
  // Without a list, from the mean size.
  EXPECT_FALSE(samples[2].one_size);
  EXPECT_NEAR(Value(samples[2], Metric::kInuseObjects), 2050.0006, 1e-4);
  std::vector<uint64_t> threads;
  for (const Sample& sample : dump.profile.thread_samples)
    threads.push_back(dump.profile.threads[sample.thread.index()].uid);
  EXPECT_THAT(threads, ElementsAre(0, 1, 0));
  const auto& slabs = dump.profile.slab_classes;
  ASSERT_THAT(slabs, SizeIs(2));
  EXPECT_EQ(slabs[0].region_size, 160u);
  EXPECT_EQ(slabs[0].slab_bytes, 10 * 20480u);
  EXPECT_EQ(slabs[0].used_bytes, 64 * 160u);
  EXPECT_EQ(slabs[1].used_bytes, slabs[1].slab_bytes);
}

TEST(HeapV2ParserTest, LeavesOutYoungObjects) {
  const Parsed dump = ParseText(Dump(kListed), {.min_age = 120'000'000'000});
  EXPECT_THAT(dump.notes,
              ElementsAre("a.heap: --min-age leaves 1 of 3 sampled objects"));
  ASSERT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_NEAR(Value(dump.profile.samples[0], Metric::kInuseObjects), 128.50065,
              1e-4);
  EXPECT_THAT(dump.profile.thread_samples, SizeIs(1));
  // Nor does it say how old what was freed has become.
  const Parsed freed = ParseText(Dump("@ 0x401000\n"
                                      "  t*: 1: 4096 [9: 36864]\n"
                                      "  t0: 1: 4096 [9: 36864]\n"
                                      "  f: 75000000000 4096 4096 20 1 0\n"),
                                 {.min_age = 120'000'000'000});
  EXPECT_THAT(freed.profile.samples, IsEmpty());
  EXPECT_THAT(freed.profile.thread_samples, IsEmpty());
  for (const std::string& text :
       {Record("t*: 1: 8 [0: 0]"),
        std::string("heap profile: 1: 8 [1: 8] @ heap_v2/8\n")}) {
    Diagnostics diagnostics;
    const auto profile =
        ParseProfile(text, "a.heap", diagnostics, {.min_age = 1});
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().message,
              "a.heap: --min-age: the file does not say how old the live "
              "objects are");
  }
}

TEST(HeapV2ParserTest, WarnsOfExtensionsThatContradictThemselves) {
  for (std::string_view line :
       {"f: 1 2 3 4 5", "f: 1 2 3 4 5 6 7", "f: -1 2 3 4 5 6", "f: 1 2 x 4 5 6",
        "f: 1 9 8 4 5 6", "f: 1 0 0 4 5 6",
        "f:", "f: 1 8 18446744073709551615 4 5 6", "frag_util: 0 9 160",
        "frag_util: 0 9 160 20480 128 1 7 897 7",
        "frag_util: 0 9 16 20480 128 1 7 897 7",
        "frag_util: 0 9 160 100 128 1 7 61 7",
        "frag_util: 0 9 160 20480 128 1 7 61 8",
        "frag_util: 0 9 0 20480 128 1 7 61 7",
        "frag_util: 0 9 160 20480 128 1 9223372036854775807 61 7",
        "frag_util: 0 9 160 20480 128 1 7 61 7 1"}) {
    const Parsed dump =
        ParseText(Record("t*: 4: 4096 [0: 0]\n  " + std::string(line)));
    EXPECT_THAT(dump.profile.samples, SizeIs(1)) << line;
    EXPECT_THAT(dump.warnings, ElementsAre(StartsWith("a.heap:5: expected 'f")))
        << line;
  }
}

TEST(HeapV2ParserTest, BelievesTheCountsIfManyMoreObjectsAreListed) {
  std::string lines = "@ 0x401000\n  t*: 2: 2048 [0: 0]\n";
  for (int i = 0; i < 36; ++i) lines += "  f: 1 1024 1024 4 5 6\n";
  EXPECT_THAT(ParseText(Dump(lines)).warnings, IsEmpty());
  lines += "  f: 1 1024 1024 4 5 6\n  f: 1 1024 1024 4 5 6\n";
  const Parsed dump = ParseText(Dump(lines));
  EXPECT_THAT(dump.warnings,
              ElementsAre("a.heap:3: the record lists 38 live objects but "
                          "counts 2; the list is ignored"));
  ASSERT_THAT(dump.profile.samples, SizeIs(1));
  EXPECT_NEAR(Value(dump.profile.samples[0], Metric::kInuseObjects), 1025, 1);
}

TEST(HeapV2ParserTest, SeparatesLinesGluedToALongThreadName) {
  // jemalloc 4.0 to 5.2.1 truncate such a line at 127 characters, including the
  // newline.
  std::string cut = "  t1: 1: 1 [0: 0] " + std::string(200, 'n');
  cut.resize(127);
  const std::string name = cut.substr(18);
  const Parsed thread = ParseText(
      Dump(cut + "  t2: 1: 1 [0: 0] second\n" +
           "@ 0x401000\n  t*: 4: 4096 [0: 0]\n  t2: 4: 4096 [0: 0]\n"));
  EXPECT_THAT(thread.warnings, IsEmpty());
  ASSERT_THAT(thread.profile.threads, SizeIs(3));
  EXPECT_EQ(thread.profile.String(thread.profile.threads[1].name), name);
  EXPECT_EQ(thread.profile.String(thread.profile.threads[2].name), "second");

  for (std::string_view record : {"@ 0x401000", "@"}) {
    const Parsed glued =
        ParseText(Dump(cut + std::string(record) + "\n  t*: 4: 4096 [0: 0]\n"));
    EXPECT_THAT(glued.warnings, IsEmpty()) << record;
    EXPECT_THAT(glued.profile.samples, SizeIs(1)) << record;
    EXPECT_EQ(glued.profile.String(glued.profile.threads.at(1).name), name);
  }
}

TEST(HeapV2ParserTest, SeparatesAnyNumberOfGluedLines) {
  std::string lines;
  constexpr int kLines = 200000;
  for (int i = 0; i < kLines; ++i) {
    std::string line = "  t" + std::to_string(i) + ": 1: 1 [0: 0] name";
    line.resize(127, 'x');
    lines += line;
  }
  const Parsed dump =
      ParseText(Dump(lines + "@ 0x401000\n  t*: 4: 4096 [0: 0]\n"));
  EXPECT_THAT(dump.profile.threads, SizeIs(kLines + 1));
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
}

TEST(HeapV2ParserTest, KeepsALongThreadNameThatIsNotGlued) {
  const std::string name(300, 'n');
  const Parsed dump = ParseText(Dump("  t1: 1: 1 [0: 0] " + name + "\n"));
  EXPECT_EQ(dump.profile.String(dump.profile.threads.at(1).name), name);
}

TEST(HeapV2ParserTest, RejectsHeadersWithoutASamplingPeriod) {
  for (std::string_view header :
       {"heap_v2/", "heap_v2/0", "heap_v2/x", "heap_v2/12x", "heap_v2/-1",
        "heap_v2/18446744073709551616"}) {
    EXPECT_EQ(ErrorOf(std::string(header) + "\n  t*: 1: 1 [0: 0]\n"),
              "a.heap:1: expected 'heap_v2/<sampling period>', found '" +
                  std::string(header) + "'");
  }
}

TEST(HeapV2ParserTest, SaysThatADumpHasNoMap) {
  const Parsed dump =
      ParseText("heap_v2/524288\n@ 0x401000\n  t*: 4: 4096 [0: 0]\n");
  EXPECT_FALSE(dump.profile.has_memory_map);
  EXPECT_EQ(SampleStacks(dump.profile), (Stacks{{0x401000}}));
  EXPECT_THAT(
      dump.warnings,
      ElementsAre("a.heap: no MAPPED_LIBRARIES section, so its addresses "
                  "cannot be named; use --maps with another dump of the "
                  "process, or --load-base with the address of the program"));
}

TEST(HeapV2ParserTest, ReadsTheMapAfterEitherMarker) {
  for (std::string_view marker : {"MAPPED_LIBRARIES:", "--- Memory map:"}) {
    const Parsed dump =
        ParseText("heap_v2/1\n@ 0x401000\n  t*: 4: 4096 [0: 0]\n\n" +
                  std::string(marker) + "\n00400000-00500000: /bin/prog\n");
    EXPECT_THAT(dump.warnings, IsEmpty()) << marker;
    EXPECT_EQ(dump.profile.String(dump.profile.main_binary), "/bin/prog");
  }
}

TEST(HeapV2ParserTest, ReadsTheFirstOfSeveralDumps) {
  const std::string dump = Record("t*: 4: 4096 [0: 0]");
  const Parsed parsed = ParseText(dump + dump);
  EXPECT_THAT(parsed.profile.samples, SizeIs(1));
  EXPECT_EQ(parsed.profile.String(parsed.profile.main_binary), "/bin/prog");
  EXPECT_THAT(parsed.warnings,
              ElementsAre("a.heap:8: another dump begins here; it is "
                          "ignored"));
}

TEST(HeapV2ParserTest, LeavesOutSymbolsAfterTheMap) {
  const Parsed parsed =
      ParseText(Record("t*: 4: 4096 [0: 0]") +
                "--- symbol\nbinary=/bin/prog\n0x401000 f\n---\n--- heap\n");
  EXPECT_EQ(SampleStacks(parsed.profile), (Stacks{{0x401000}}));
  EXPECT_EQ(parsed.profile.String(parsed.profile.main_binary), "/bin/prog");
  EXPECT_THAT(parsed.warnings, IsEmpty());
  EXPECT_THAT(parsed.notes,
              ElementsAre("a.heap: the symbols at its end are not used; the "
                          "names come from the binaries"));
}

struct CutCase {
  std::string_view end;  // how the file ends
  std::string_view lost;
  size_t line;
  size_t samples;
};

TEST(HeapV2ParserTest, KeepsRecordsBeforeTruncationAndNamesThePlace) {
  const std::string head =
      "heap_v2/524288\n  t*: 1: 1 [0: 0]\n@ 0x401000\n  t*: 4: 4096 [0: 0]\n";
  const CutCase kCases[] = {
      {"@ 0x4010", "this incomplete line", 5, 1},
      {"@ 0x401010", "this incomplete line", 5, 1},
      {"@ 0x401010\n", "its last record", 5, 1},
      {"@ 0x401010\n  t*: 4: 40", "this incomplete line", 6, 1},
      {"@ 0x401010\n  t*: 4: 4096 [0: 0]", "this incomplete line", 6, 1},
      {"@ 0x401010\n  t*: 4: 4096 [0: 0]\n  t1: 4", "this incomplete line", 7,
       2},
      {"@ 0x401010\n  t1: 4: 4096 [0: 0]\n", "its last record", 6, 1},
      {"\nMAPPED_LIB", "this incomplete line", 6, 1},
      {"\nMAPPED_LIBRARIES:\n00400000-0050", "the last line of its memory map",
       6, 1},
  };
  for (const CutCase& c : kCases) {
    const Parsed dump = ParseText(head + std::string(c.end));
    EXPECT_THAT(dump.profile.samples, SizeIs(c.samples)) << c.end;
    EXPECT_THAT(dump.warnings, Contains("a.heap:" + std::to_string(c.line) +
                                        ": the dump is truncated; " +
                                        std::string(c.lost) + " is ignored"))
        << c.end;
  }
}

TEST(HeapV2ParserTest, SaysThatADumpCutInItsHeaderIsTruncated) {
  const Parsed dump = ParseText("heap_v2/524");
  EXPECT_THAT(dump.profile.samples, IsEmpty());
  EXPECT_THAT(dump.warnings,
              Contains("a.heap:1: the dump is truncated; everything after its "
                       "header is ignored"));
}

}  // namespace
}  // namespace heapprof
