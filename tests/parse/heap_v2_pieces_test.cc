// SPDX-License-Identifier: Apache-2.0
//
// A large dump is read in pieces, on several threads, with the same result as
// on one thread.
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/merge_samples.h"
#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kPiecesHeader =
    "heap_v2/524288\n  t*: 9: 9 [0: 0]\n  t5: 1: 1 [0: 0] one\n"
    "  t3: 1: 1 [0: 0] two\n";
constexpr std::string_view kPiecesMaps =
    "\nMAPPED_LIBRARIES:\n"
    "00400000-00500000 r-xp 00000000 fe:00 7                  /bin/prog\n";

// A record of the threads `first` and `second`. Each `number` has a stack of
// its own, and most of its addresses are also those of the next one.
std::string RecordOf(size_t number, int first, int second) {
  return fmt::format(
      "@ {:#x} {:#x} 0x401000 {:#x}\n  t*: {}: {} [0: 0]\n"
      "  t{}: 1: 64 [0: 0]\n  t{}: {}: {} [0: 0]\n",
      0x400000 + number / 1000, 0x410000 + number % 1000, 0x420000 + number % 7,
      number % 5 + 2, 64 * (number % 5 + 2), first, second, number % 5 + 1,
      64 * (number % 5 + 1));
}

// Large enough for several pieces.
std::string Records(size_t count, int first, int second) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += RecordOf(i, first, second);
  return text;
}

constexpr size_t kManyRecords = 30'000;

std::string TablesOf(const Profile& profile) {
  std::string text =
      fmt::format("period {}, accumulated {}, objects {}, map {}\n",
                  profile.sampling_period, profile.has_accumulated,
                  profile.lists_objects, profile.has_memory_map);
  for (const Location& location : profile.locations)
    text += fmt::format("location {} {}\n", location.address,
                        location.mapping.value);
  for (const Thread& thread : profile.threads)
    text +=
        fmt::format("thread {} {}\n", thread.uid, profile.String(thread.name));
  for (const LocationId frame : profile.frames)
    text += fmt::format("{} ", frame.value);
  for (const RowRange& stack : profile.stacks)
    text += fmt::format("stack {} {}\n", stack.first, stack.count);
  for (const SlabClass& slabs : profile.slab_classes)
    text += fmt::format("slabs {} {} {}\n", slabs.region_size, slabs.slab_bytes,
                        slabs.used_bytes);
  for (const auto* samples : {&profile.samples, &profile.thread_samples})
    for (const Sample& sample : *samples)
      text +=
          fmt::format("sample {} {} {} {}\n", sample.stack.value,
                      sample.thread.value, Value(sample, Metric::kInuseSpace),
                      Value(sample, Metric::kAllocObjects));
  return text;
}

// Expects the same from one thread and from several, and returns it.
Parsed ParseBothWays(const std::string& text) {
  Parsed whole = ParseText(text);
  const Parsed pieces = ParseText(text, {.jobs = 3});
  EXPECT_EQ(pieces.warnings, whole.warnings);
  EXPECT_EQ(pieces.notes, whole.notes);
  EXPECT_TRUE(TablesOf(pieces.profile) == TablesOf(whole.profile));
  return whole;
}

std::string PiecesDump(const std::string& records) {
  return std::string(kPiecesHeader) + records + std::string(kPiecesMaps);
}

TEST(HeapV2PiecesTest, ReadsALargeDump) {
  const Parsed dump = ParseBothWays(PiecesDump(Records(kManyRecords, 5, 3)));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.profile.samples, SizeIs(kManyRecords));
  EXPECT_THAT(dump.profile.thread_samples, SizeIs(2 * kManyRecords));
  EXPECT_THAT(dump.profile.threads, SizeIs(3));
}

TEST(HeapV2PiecesTest, SaysWhichPartsWereRead) {
  const std::string text = PiecesDump(Records(kManyRecords, 5, 3));
  std::mutex mutex;
  size_t read = 0;
  ParseText(text, {.jobs = 3, .on_read = [&](std::string_view part) {
                     const std::scoped_lock lock(mutex);
                     read += part.size();
                   }});
  EXPECT_EQ(read, text.size());
}

TEST(HeapV2PiecesTest, KnowsThreadsThatTheHeaderLacks) {
  const Parsed dump =
      ParseBothWays(PiecesDump(Records(kManyRecords / 2, 5, 8) +
                               "@ 0x1\n  t*: 1: 8 [2: 16]\n"
                               "  t9: 1: 8 [2: 16]\n" +
                               Records(kManyRecords / 2, 9, 3)));
  EXPECT_THAT(dump.profile.threads, SizeIs(5));
  EXPECT_TRUE(dump.profile.has_accumulated);
}

TEST(HeapV2PiecesTest, AddsUpSlabsOfAllPieces) {
  const std::string slabs = "  frag_util: 0 9 160 20480 128 1 7 61 7\n";
  const Parsed dump =
      ParseBothWays(PiecesDump(Records(kManyRecords / 2, 5, 3) + slabs +
                               Records(kManyRecords / 2, 5, 3) + slabs));
  ASSERT_THAT(dump.profile.slab_classes, SizeIs(1));
  EXPECT_EQ(dump.profile.slab_classes[0].slab_bytes, 2u * 7 * 20480);
}

TEST(HeapV2PiecesTest, KnowsObjectsThatOnlyTheLastPieceLists) {
  const Parsed dump = ParseBothWays(
      PiecesDump(Records(kManyRecords + 1, 5, 3) + "  f: 100 60 64 20 1 5\n"));
  EXPECT_TRUE(dump.profile.lists_objects);
}

// Only a dump whose records add up to its header is checked for mixed sizes.
TEST(HeapV2PiecesTest, WarnsOfMixedSizes) {
  constexpr size_t kObjects = 4 * kManyRecords;  // of Records()
  constexpr size_t kMixed = 200;
  constexpr size_t kMixedBytes = kMixed / 2 * (4 * 524288 + 8);
  const Parsed dump = ParseBothWays(
      fmt::format("heap_v2/524288\n  t*: {}: {} [0: 0]\n", kObjects + kMixed,
                  64 * kObjects + kMixedBytes) +
      Records(kManyRecords, 5, 3) +
      fmt::format("@ 0x1\n  t*: {}: {} [0: 0]\n", kMixed, kMixedBytes) +
      std::string(kPiecesMaps));
  ASSERT_THAT(dump.warnings, SizeIs(1));
  EXPECT_THAT(dump.warnings[0], HasSubstr("may lack up to"));
}

// The records of a dump, and one with the deepest stack.
Parsed ParseWithDepth(size_t frames, size_t bytes) {
  std::string deepest = "@";
  for (size_t i = 0; i < frames; ++i) deepest += fmt::format(" {:#x}", i + 1);
  return ParseBothWays(
      PiecesDump(Records(kManyRecords, 5, 3) +
                 fmt::format("{}\n  t*: 1: {} [0: 0]\n", deepest, bytes)));
}

TEST(HeapV2PiecesTest, WarnsOfStacksWithoutRoot) {
  constexpr size_t kBytes = size_t{3} << 30;
  EXPECT_THAT(
      ParseWithDepth(128, kBytes).warnings,
      ElementsAre(HasSubstr("% is in stacks that were cut at 128 calls")));
  // These may be complete: few bytes, or another limit.
  EXPECT_THAT(ParseWithDepth(128, 1).warnings, IsEmpty());
  EXPECT_THAT(ParseWithDepth(127, kBytes).warnings, IsEmpty());
  EXPECT_THAT(ParseWithDepth(256, kBytes).warnings, IsEmpty());
}

TEST(HeapV2PiecesTest, NamesTheLineOfDamageInTheWholeDump) {
  const Parsed dump =
      ParseBothWays(PiecesDump(Records(kManyRecords, 5, 3) + "@ 0x1 wrong\n"));
  ASSERT_THAT(dump.warnings, SizeIs(1));
  EXPECT_EQ(dump.warnings[0],
            fmt::format("a.heap:{}: expected an address, found 'wrong'; the "
                        "record is ignored",
                        5 + 4 * kManyRecords));
  EXPECT_THAT(dump.profile.samples, SizeIs(kManyRecords));
}

TEST(HeapV2PiecesTest, SaysThatADumpIsTruncated) {
  const Parsed dump = ParseBothWays(std::string(kPiecesHeader) +
                                    Records(kManyRecords, 5, 3) + "@ 0x1\n");
  EXPECT_THAT(dump.warnings, SizeIs(2));  // and there is no map
}

TEST(HeapV2PiecesTest, SaysThatTheMapIsTruncated) {
  const Parsed dump =
      ParseBothWays(PiecesDump(Records(kManyRecords, 5, 3)) + "00500000-0060");
  ASSERT_THAT(dump.warnings, SizeIs(1));
  EXPECT_THAT(dump.warnings[0],
              StartsWith(fmt::format("a.heap:{}:", 6 + 4 * kManyRecords)));
}

TEST(HeapV2PiecesTest, IgnoresRecordsAfterTheMap) {
  const Parsed dump = ParseBothWays(PiecesDump(Records(kManyRecords, 5, 3)) +
                                    Records(kManyRecords, 5, 3));
  EXPECT_THAT(dump.profile.samples, SizeIs(kManyRecords));
}

TEST(HeapV2PiecesTest, AddsUpRepeatedStacks) {
  std::string repeated;
  for (int i = 0; i < 40'000; ++i) repeated += RecordOf(7, 5, 3);
  // The equal stacks are few of those that are compared first, or most.
  const Parsed late =
      ParseBothWays(PiecesDump(Records(kManyRecords, 5, 3) + repeated));
  EXPECT_GT(late.profile.stacks.size(), kManyRecords);
  const Parsed early =
      ParseBothWays(PiecesDump(repeated + Records(kManyRecords, 5, 3)));
  EXPECT_LT(early.profile.stacks.size(), kManyRecords + 40'000);
}

TEST(HeapV2PiecesTest, AddsUpEqualSamplesOfALargeTable) {
  const std::string objects = RecordOf(7, 5, 3) + "  f: 100 60 64 20 1 5\n" +
                              "  f: 100 120 128 20 1 3\n";
  std::string records = Records(kManyRecords, 5, 3);
  for (size_t i = 0; i < SampleLimit::kAlways / 2; ++i) records += objects;
  const Parsed dump = ParseBothWays(PiecesDump(records));
  EXPECT_LT(dump.profile.samples.size(), SampleLimit::kAlways);
}

TEST(HeapV2PiecesTest, AddsUpThreadSamplesOfALargeTable) {
  // The threads of each record come in the order in which no table is sorted.
  const Parsed dump =
      ParseBothWays(PiecesDump(Records(SampleLimit::kAlways / 2 + 1000, 3, 5)));
  EXPECT_THAT(dump.profile.thread_samples, SizeIs(SampleLimit::kAlways + 2000));
}

}  // namespace
}  // namespace heapprof
