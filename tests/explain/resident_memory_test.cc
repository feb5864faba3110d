// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/resident_memory.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::HasSubstr;

std::string RegionText(std::string_view line, int resident,
                       std::string_view flags = "rd wr mr") {
  return std::string(line) + "\nSize:                 12 kB\nRss:       " +
         std::to_string(resident) +
         " kB\nAnonymous:             4 kB\nAnonHugePages:         0 kB\n"
         "Swap:                  2 kB\nVmFlags: " +
         std::string(flags) + " \n";
}

const std::string kStack =
    RegionText("7ffc0000-7ffd0000 rw-p 00000000 00:00 0     [stack]", 64);

ResidentMemory ParseMemory(const std::string& text) {
  auto memory = ParseResidentMemory(text, "smaps");
  EXPECT_TRUE(memory) << memory.error().message;
  return memory.value_or(ResidentMemory());
}

std::string MemoryErrorOf(const std::string& text) {
  const auto memory = ParseResidentMemory(text, "smaps");
  return memory ? "no error" : memory.error().message;
}

// Returns the kind that has resident memory, other than the main stack.
RegionKind KindOfRegion(const std::string& text) {
  const ResidentMemory memory = ParseMemory(text + kStack);
  for (size_t i = 0; i < kRegionKinds; ++i) {
    const auto kind = static_cast<RegionKind>(i);
    if (kind != RegionKind::kMainStack && (*memory.regions)[kind].resident != 0)
      return kind;
  }
  return RegionKind::kMainStack;
}

TEST(ResidentMemoryTest, AddsUpRegions) {
  const ResidentMemory memory = ParseMemory(
      RegionText("1000-4000 r-xp 00000000 08:01 5    /bin/x y", 12) +
      RegionText("10000-20000 rw-p 00000000 00:00 0 ", 8, "rd wr nr sd") +
      kStack);
  EXPECT_EQ(memory.source, "smaps");
  EXPECT_EQ(memory.rss, 84 * 1024);
  EXPECT_EQ(memory.anonymous, 12 * 1024);
  EXPECT_EQ(memory.swapped, 6 * 1024);
  ASSERT_TRUE(memory.regions);
  const RegionSum& ours = (*memory.regions)[RegionKind::kUnreserved];
  EXPECT_EQ(ours.size, 0x10000);
  EXPECT_EQ(ours.resident, 8 * 1024);
  EXPECT_EQ(ours.swapped, 2 * 1024);
  EXPECT_EQ((*memory.regions)[RegionKind::kFile].count, 1);
}

TEST(ResidentMemoryTest, TellsRegionsApart) {
  const std::string anonymous = "20000-30000 rw-p 00000000 00:00 0 ";
  const std::string guard =
      RegionText("1f000-20000 ---p 00000000 00:00 0 ", 0, "mr");
  EXPECT_EQ(KindOfRegion(RegionText(anonymous, 4)), RegionKind::kOther);
  EXPECT_EQ(KindOfRegion(RegionText(anonymous, 4, "rd nr")),
            RegionKind::kUnreserved);
  EXPECT_EQ(KindOfRegion(RegionText(anonymous + "[anon:jemalloc_pg]", 4)),
            RegionKind::kUnreserved);
  EXPECT_EQ(KindOfRegion(guard + RegionText(anonymous, 4)),
            RegionKind::kGuarded);
  EXPECT_EQ(KindOfRegion(guard + RegionText(anonymous, 4, "nr")),
            RegionKind::kUnreserved);
  EXPECT_EQ(KindOfRegion(RegionText("20000-30000 rwxp 0 00:00 0 ", 4)),
            RegionKind::kGeneratedCode);
  EXPECT_EQ(KindOfRegion(RegionText(anonymous + "[heap]", 4)),
            RegionKind::kProgramBreak);
  EXPECT_EQ(KindOfRegion(RegionText(anonymous + "/memfd:x (deleted)", 4)),
            RegionKind::kShared);
  EXPECT_EQ(KindOfRegion(RegionText(anonymous + "/dev/shm/x", 4)),
            RegionKind::kFile);
}

TEST(ResidentMemoryTest, KnowsArenasOfAnotherMalloc) {
  const ResidentMemory memory = ParseMemory(
      RegionText("7f0000000000-7f0000021000 rw-p 00000000 00:00 0 ", 40,
                 "rd wr nr") +
      RegionText("7f0000021000-7f0004000000 ---p 00000000 00:00 0 ", 0, "nr") +
      kStack);
  const RegionSum& arena = (*memory.regions)[RegionKind::kMallocArena];
  EXPECT_EQ(arena.size, 64 << 20);
  EXPECT_EQ(arena.resident, 40 * 1024);
  EXPECT_EQ(arena.count, 2);
  EXPECT_EQ((*memory.regions)[RegionKind::kUnreserved].size, 0);
}

TEST(ResidentMemoryTest, ReadsRollup) {
  const ResidentMemory memory = ParseMemory(
      "1000-7ffd0000 ---p 00000000 00:00 0     [rollup]\nRss:  1600 kB\n"
      "Pss_Anon:  112 kB\nAnonymous:  112 kB\nSwap:  0 kB\n");
  EXPECT_EQ(memory.source, "smaps_rollup");
  EXPECT_EQ(memory.rss, 1600 * 1024);
  EXPECT_EQ(memory.anonymous, 112 * 1024);
  EXPECT_FALSE(memory.regions);
}

TEST(ResidentMemoryTest, ReadsStatus) {
  const ResidentMemory memory = ParseMemory(
      "Name:\ta: 1-2\nVmRSS:\t    1672 kB\nRssAnon:\t     112 kB\n"
      "VmSwap:\t       3 kB\nThreads:\t17\n");
  EXPECT_EQ(memory.source, "status");
  EXPECT_EQ(memory.rss, 1672 * 1024);
  EXPECT_EQ(memory.anonymous, 112 * 1024);
  EXPECT_EQ(memory.threads, 17);
}

TEST(ResidentMemoryTest, CutFilesAreErrors) {
  const std::string whole =
      RegionText("1000-4000 r-xp 00000000 08:01 5    /bin/x", 12) + kStack;
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ParseResidentMemory(whole.substr(0, size), "smaps")) << size;
  EXPECT_EQ(MemoryErrorOf(whole.substr(0, whole.find("7ffc"))),
            "smaps: expected the region [stack], found the end of the file "
            "after line 7; it is cut short");
  EXPECT_EQ(MemoryErrorOf("Name:\tx\nThreads:\t1\n"),
            "smaps: expected a line 'VmRSS: <number> kB', found none in 2 "
            "lines");
}

TEST(ResidentMemoryTest, SaysWhereItIsDamaged) {
  EXPECT_THAT(MemoryErrorOf("hello\n"),
              HasSubstr("smaps: expected a copy of /proc/PID/smaps"));
  EXPECT_EQ(MemoryErrorOf(
                "1000-4000 r-xp 00000000 08:01 5 /bin/x\nRss: 99999999999999 "
                "kB\n"),
            "smaps:2: expected 'Rss: <number> kB', found '99999999999999 kB'");
  EXPECT_EQ(MemoryErrorOf(kStack + "zzz\n"),
            "smaps:8: expected '<start>-<end> <permissions> <offset> …', found "
            "'zzz'");
}

}  // namespace
}  // namespace heapprof
