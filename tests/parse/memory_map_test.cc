// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/memory_map.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/parse_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "start-limit perms offset path", with '!' for deleted files and '~' for
// entries that are not files.
std::string Show(const MapEntry& entry) {
  return fmt::format("{:x}-{:x} {} {:x} {}{}{}", entry.start, entry.limit,
                     entry.executable ? 'x' : '-', entry.file_offset,
                     entry.path, entry.deleted ? "!" : "",
                     entry.IsFile() ? "" : "~");
}

std::string ShowLine(std::string_view line) {
  const std::optional<MapEntry> entry = ParseMapLine(line);
  return entry ? Show(*entry) : "none";
}

std::vector<std::string> ShowMap(std::string_view text) {
  Diagnostics diagnostics;
  const MemoryMap map = MemoryMap::Parse(text, "a.heap", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  std::vector<std::string> lines;
  for (const MapEntry& entry : map.entries()) lines.push_back(Show(entry));
  return lines;
}

struct LineCase {
  std::string_view line;
  std::string_view entry;
};

TEST(ParseMapLineTest, ReadsLinuxPathsToTheEndOfTheLine) {
  constexpr std::string_view kHead =
      "5629c5505000-5629c5507000 r-xp 00001000 "
      "fe:00 10964512                   ";
  const LineCase kCases[] = {
      {"/srv/demo/bin/prog", "/srv/demo/bin/prog"},
      {"/opt/my app (x86)/a#b", "/opt/my app (x86)/a#b"},
      {"/opt/caf\xc3\xa9/\xff", "/opt/caf\xc3\xa9/\xff"},
      {"/opt/plugin.node", "/opt/plugin.node"},
      {"/srv/prog (deleted)", "/srv/prog!"},
      {"/srv/x (deleted) (deleted)", "/srv/x (deleted)!"},
      {"/srv/a\\012b", "/srv/a\nb"},
      {"/srv/a\\b", "/srv/a\\b"},
      {"relative/lib.so", "relative/lib.so"},
      {"base.apk!lib.so", "base.apk!lib.so"},
      {"[vdso]", "[vdso]~"},
      {"[heap]", "[heap]~"},
      {"[stack:1234]", "[stack:1234]~"},
      {"[anon:jit code]", "[anon:jit code]~"},
      {"[uprobes]", "[uprobes]~"},
      {"//anon", "//anon~"},
      {"/memfd:prog (deleted)", "/memfd:prog!"},
      {"/memfd:libheapprof_record.so (deleted)",
       "/memfd:libheapprof_record.so!~"},
      {"/tmp/heapprof-a1B2c3/libheapprof_record.so",
       "/tmp/heapprof-a1B2c3/libheapprof_record.so~"},
      {"/dev/zero (deleted)", "/dev/zero!~"},
      {"/SYSV00000000 (deleted)", "/SYSV00000000!~"},
      {"/anon_hugepage (deleted)", "/anon_hugepage!~"},
      {"anon_inode:[perf_event]", "anon_inode:[perf_event]~"},
      {"", "~"},
  };
  for (const LineCase& c : kCases)
    EXPECT_EQ(ShowLine(std::string(kHead) + std::string(c.line)),
              "5629c5505000-5629c5507000 x 1000 " + std::string(c.entry));
}

TEST(ParseMapLineTest, KeepsDeviceAndInode) {
  const std::optional<MapEntry> entry =
      ParseMapLine("400000-401000 r-xp 0 fe:00 10964512 /bin/x");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->device, "fe:00");
  EXPECT_EQ(entry->inode, 10964512u);
}

TEST(ParseMapLineTest, ReadsEveryForm) {
  const LineCase kCases[] = {
      {"00400000-00401000 r--p 00000000 00:00 0  /bin/x",
       "400000-401000 - 0 /bin/x"},
      {"400000-401000 ---s 0 00:00 0", "400000-401000 - 0 ~"},
      {"  400000-401000 r-xp 0 00:00 0 /x", "400000-401000 x 0 /x"},
      {"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]",
       "ffffffffff600000-ffffffffff601000 x 0 [vsyscall]~"},
      {"fffffffffffff000-ffffffffffffffff r-xp ffffffffffffffff 00:00 0 /x",
       "fffffffffffff000-ffffffffffffffff x ffffffffffffffff /x"},
      // A memory file from which a program was loaded, and one for generated
      // code, which is also mapped to be written.
      {"400000-401000 r-xp 0 00:01 7 /memfd:x (deleted)",
       "400000-401000 x 0 /memfd:x!"},
      {"400000-401000 r-xs 0 00:01 7 /memfd:x (deleted)",
       "400000-401000 x 0 /memfd:x!~"},
      {"400000-401000 rw-p 0 00:01 7 /memfd:x (deleted)",
       "400000-401000 - 0 /memfd:x!~"},
      // Cooked.
      {"0000000102ce0000-0000000102e64000: /usr/lib/x.dylib",
       "102ce0000-102e64000 x 0 /usr/lib/x.dylib"},
      {"400000-401000: /opt/my app/x", "400000-401000 x 0 /opt/my app/x"},
      // FreeBSD, with and without the owner after the path.
      {"0x400000 0x401000 1 0 0xfffff80003 r-x 1 0 0x0 COW NC vnode /bin/x",
       "400000-401000 x 0 /bin/x"},
      {"0x400000 0x401000 1 0 0xfffff80003 r-x 1 0 0x0 COW NC vnode /bin/my "
       "app NCH -1",
       "400000-401000 x 0 /bin/my app"},
      {"0x400000 0x401000 1 0 0xfffff80003 rwx 1 0 0x0 COW NC vnode /bin/x CH "
       "1001",
       "400000-401000 x 0 /bin/x"},
      {"0x800000 0x801000 1 0 0xfffff80003 rw- 1 0 0x0 NCOW NNC swap - CH 1001",
       "800000-801000 - 0 ~"},
      // Brief.
      {"400000 401000 /bin/x", "400000-401000 x 0 /bin/x"},
      {"400000 401000 /bin/x (@1000) abcdef", "400000-401000 x 1000 /bin/x"},
      {"400000 401000 r--p /bin/my x (@1000)",
       "400000-401000 - 1000 /bin/my x"},
      // A log library's prefix.
      {"I0101 12:00:00.000000 1234 heap.cc:12] 400000-401000 r-xp 0 00:00 0 /x",
       "400000-401000 x 0 /x"},
      {"W0101 heap.cc:12] 400000-401000: /x", "400000-401000 x 0 /x"},
  };
  for (const LineCase& c : kCases) EXPECT_EQ(ShowLine(c.line), c.entry);
}

TEST(ParseMapLineTest, KeepsTheBuildIdOfTheBriefForm) {
  const std::optional<MapEntry> entry =
      ParseMapLine("400000 401000 /bin/x (@1000) 0a1b2c");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->build_id, "0a1b2c");
}

TEST(ParseMapLineTest, RejectsLinesThatAreNotMappings) {
  for (std::string_view line :
       {"",
        "nonsense",
        "400000",
        "400000-",
        "-401000 r-xp 0 00:00 0",
        "400000-401000",
        "400000-401000 ",
        "400000-401000 rwxq",
        "400000-401000 r-xp",
        "400000-401000 r-xp x 00:00 0 /x",
        "401000-400000 r-xp 0 00:00 0 /x",
        "400000-400000 r-xp 0 00:00 0 /x",
        "40000g-401000 r-xp 0 00:00 0 /x",
        "11112222333344445-11112222333344446 r-xp 0 00:00 0 /x",
        "400000-401000 r-xp 11112222333344445 00:00 0 /x",
        "0x400000 0x401000 1 0 0xfff r-x 1 0",
        "0x401000 0x400000 1 0 0 r-x",
        "400000 401000 no path",
        "400000 401000 /bin/x (@zz)",
        "400000 401000 /bin/x (@10"}) {
    EXPECT_EQ(ShowLine(line), "none") << line;
  }
}

TEST(MemoryMapTest, SortsEntriesAndSkipsBlankLines) {
  EXPECT_THAT(ShowMap("7f00-7f10 r-xp 0 00:00 0 /b\n"
                      "\n"
                      "4000-4010 r-xp 0 00:00 0 /a\r\n"),
              ElementsAre("4000-4010 x 0 /a", "7f00-7f10 x 0 /b"));
}

TEST(MemoryMapTest, SubstitutesTheBuildVariable) {
  EXPECT_THAT(
      ShowMap("4000-4010: $build/early\n"
              "build=/home/build\n"
              "5000-5010: $build/bin/x\n"
              "6000-6010: /lib/y\n"),
      ElementsAre("4000-4010 x 0 $build/early",
                  "5000-5010 x 0 /home/build/bin/x", "6000-6010 x 0 /lib/y"));
}

TEST(MemoryMapTest, GivesOverlapsToTheLaterLine) {
  struct Case {
    std::string_view text;
    std::vector<std::string> entries;
  };
  const Case kCases[] = {
      // The same line twice.
      {"4000-5000 r-xp 100 00:00 0 /a\n4000-5000 r-xp 100 00:00 0 /a\n",
       {"4000-5000 x 100 /a"}},
      // A small one inside a large one: the offset continues after it.
      {"4000-5000 r-xp 100 00:00 0 /a\n4400-4800 r-xp 0 00:00 0 /b\n",
       {"4000-4400 x 100 /a", "4400-4800 x 0 /b", "4800-5000 x 900 /a"}},
      // A large one on top of small ones.
      {"4000-4100 r-xp 0 00:00 0 /a\n4200-4300 r-xp 0 00:00 0 /b\n"
       "3000-5000 r-xp 0 00:00 0 /c\n",
       {"3000-5000 x 0 /c"}},
      // Overlapping from the left and from the right.
      {"4000-5000 r-xp 0 00:00 0 /a\n3800-4200 r-xp 0 00:00 0 /b\n"
       "4e00-5200 r-xp 0 00:00 0 /c\n",
       {"3800-4200 x 0 /b", "4200-4e00 x 200 /a", "4e00-5200 x 0 /c"}},
      // Adjacent lines do not overlap.
      {"4000-5000 r-xp 0 00:00 0 /a\n5000-6000 r-xp 0 00:00 0 /b\n",
       {"4000-5000 x 0 /a", "5000-6000 x 0 /b"}},
  };
  for (const Case& c : kCases) EXPECT_EQ(ShowMap(c.text), c.entries) << c.text;
}

TEST(MemoryMapTest, GivesAnonymousHolesInTextToTheFile) {
  const std::string before = "4000-5000 r-xp 1000 fe:00 7 /a\n";
  const std::string after = "7000-8000 r-xp 4000 fe:00 7 /a\n";
  for (std::string_view hole :
       {"5000-7000 r-xp 00000000 00:00 0\n",
        "5000-7000 rwxp 00000000 00:00 0   /anon_hugepage (deleted)\n",
        "5000-7000 r-xp 00000000 00:00 0   [anon:text]\n"}) {
    EXPECT_THAT(ShowMap(before + std::string(hole) + after),
                ElementsAre("4000-5000 x 1000 /a", "5000-7000 x 2000 /a",
                            "7000-8000 x 4000 /a"))
        << hole;
  }
  EXPECT_THAT(ShowMap(before +
                      "5000-6000 r-xp 0 00:00 0\n"
                      "6000-7000 rwxp 0 00:00 0\n" +
                      after),
              ElementsAre("4000-5000 x 1000 /a", "5000-6000 x 2000 /a",
                          "6000-7000 x 3000 /a", "7000-8000 x 4000 /a"));
}

// The code that lld has linked shares its first and its last page in the file
// with other segments.
TEST(MemoryMapTest, GivesAHoleThatIsAWholeSegmentToTheFile) {
  EXPECT_THAT(ShowMap("4000-5000 r--p 0 fe:00 7 /a\n"
                      "5000-7000 r-xp 0 00:00 0\n"
                      "7000-8000 r--p 1000 fe:00 7 /a\n"),
              ElementsAre("4000-5000 - 0 /a", "5000-7000 x 0 /a",
                          "7000-8000 - 1000 /a"));
  // Pages of 64 KiB.
  EXPECT_THAT(ShowMap("40000-60000 r--p 10000 fe:00 7 /a\n"
                      "60000-80000 r-xp 0 00:00 0\n"
                      "80000-90000 r--p 30000 fe:00 7 /a\n"),
              ElementsAre("40000-60000 - 10000 /a", "60000-80000 x 20000 /a",
                          "80000-90000 - 30000 /a"));
}

TEST(MemoryMapTest, LeavesAnonymousCodeOutsideHolesAlone) {
  const std::string before = "4000-5000 r-xp 1000 fe:00 7 /a\n";
  const LineCase kCases[] = {
      // The offsets do not continue.
      {"5000-7000 r-xp 0 00:00 0\n7000-8000 r-xp 5000 fe:00 7 /a\n",
       "5000-7000 x 0 ~"},
      // It shares a page with one of the two.
      {"5000-7000 r-xp 0 00:00 0\n7000-8000 r-xp 3000 fe:00 7 /a\n",
       "5000-7000 x 0 ~"},
      // Another file, or another version of this one.
      {"5000-7000 r-xp 0 00:00 0\n7000-8000 r-xp 4000 fe:00 7 /b\n",
       "5000-7000 x 0 ~"},
      {"5000-7000 r-xp 0 00:00 0\n7000-8000 r-xp 4000 fe:00 8 /a\n",
       "5000-7000 x 0 ~"},
      // A gap.
      {"5000-6000 r-xp 0 00:00 0\n7000-8000 r-xp 4000 fe:00 7 /a\n",
       "5000-6000 x 0 ~"},
      // Not executable.
      {"5000-7000 rw-p 0 00:00 0\n7000-8000 r-xp 4000 fe:00 7 /a\n",
       "5000-7000 - 0 ~"},
      // The vdso is not a hole.
      {"5000-7000 r-xp 0 00:00 0 [vdso]\n7000-8000 r-xp 4000 fe:00 7 /a\n",
       "5000-7000 x 0 [vdso]~"},
      // Nothing after it.
      {"5000-7000 r-xp 0 00:00 0\n", "5000-7000 x 0 ~"},
  };
  for (const LineCase& c : kCases)
    EXPECT_EQ(ShowMap(before + std::string(c.line)).at(1), c.entry) << c.line;
}

TEST(MemoryMapTest, CountsStacksOfThreads) {
  Diagnostics diagnostics;
  const MemoryMap map = MemoryMap::Parse(
      // Two stacks, each above its guard page.
      "7f0000000000-7f0000001000 ---p 00000000 00:00 0\n"
      "7f0000001000-7f0000801000 rw-p 00000000 00:00 0\n"
      "7f0000801000-7f0000802000 ---p 00000000 00:00 0\n"
      "7f0000802000-7f0001002000 rw-p 00000000 00:00 0\n"
      // An allocator's reserve, followed by data.
      "7f1000000000-7f1004000000 ---p 00000000 00:00 0\n"
      "7f1004000000-7f1004800000 rw-p 00000000 00:00 0\n"
      // Not adjacent.
      "7f2000000000-7f2000001000 ---p 00000000 00:00 0\n"
      "7f2000002000-7f2000802000 rw-p 00000000 00:00 0\n"
      // A library's guard page, and the stack of the main thread.
      "7f3000000000-7f3000001000 ---p 00001000 fe:00 7 /lib/a.so\n"
      "7f3000001000-7f3000003000 rw-p 00002000 fe:00 7 /lib/a.so\n"
      "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n",
      "a.heap", diagnostics);
  EXPECT_EQ(map.CountThreadStacks(), 2u);
}

TEST(MemoryMapTest, IgnoresATruncatedLine) {
  EXPECT_THAT(ShowMap("4000-5000 r-xp 0 00:00 0 /a\n"
                      "5000-6000 r-xp 0 00:00 0 /usr/li"),
              ElementsAre("4000-5000 x 0 /a"));
  EXPECT_THAT(ShowMap(""), IsEmpty());
}

TEST(MemoryMapTest, SkipsBadLinesAndSaysWhichTheyAre) {
  Diagnostics diagnostics;
  const MemoryMap map = MemoryMap::Parse(
      "4000-5000 r-xp 0 00:00 0 /a\n"
      "<jemalloc>: text of others\n"
      "5000-6000 r-xp 0 00:00 0 /b\n",
      "a.heap", diagnostics);
  EXPECT_THAT(map.entries(), SizeIs(2));
  EXPECT_THAT(AllMessages(diagnostics),
              ElementsAre("a.heap: memory map, line 2: expected "
                          "'<start>-<end> <permissions> <offset> …', found "
                          "'<jemalloc>: text of others'"));
}

TEST(MemoryMapTest, FindsTheEntryThatContainsAnAddress) {
  Diagnostics diagnostics;
  const MemoryMap map =
      MemoryMap::Parse("4000-5000: /a\n6000-7000: /b\n", "a.heap", diagnostics);
  struct Case {
    uint64_t address;
    std::string_view path;
  };
  const Case kCases[] = {{0, "none"},     {0x3fff, "none"}, {0x4000, "/a"},
                         {0x4fff, "/a"},  {0x5000, "none"}, {0x6000, "/b"},
                         {0x7000, "none"}};
  for (const Case& c : kCases) {
    const MapEntry* entry = map.Find(c.address);
    EXPECT_EQ(entry == nullptr ? "none" : entry->path, c.path) << c.address;
  }
}

}  // namespace
}  // namespace heapprof
