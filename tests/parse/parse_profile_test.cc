// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/parse_profile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/parse_testing.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using namespace std::string_view_literals;

constexpr std::string_view kDump =
    "heap_v2/524288\n"
    "@ 0x401000\n"
    "  t*: 4: 4096 [0: 0]\n"
    "\n"
    "MAPPED_LIBRARIES:\n"
    "00400000-00500000 r-xp 00000000 fe:00 7 /bin/prog\n";

TEST(ParseProfileTest, RecognisesFormatsByTheirFirstBytes) {
  struct Case {
    std::string_view bytes;
    std::string_view format;
  };
  const Case kCases[] = {
      {"heap_v2/524288\n", "heap_v2"},
      {"%warn x\n%other\nheap_v2/1\n", "heap_v2"},
      {"<jemalloc>: Leak approximation summary\nheap_v2/1\n", "heap_v2"},
      {"--- heap\nheap_v2/1\n", "heap_v2"},
      {"--- growth\nheap profile: 1: 2\n", "flat"},
      {"heap profile: 1: 2 [1: 2] @ heapprofile\n", "flat"},
      {"--- symbol\n", "symbolized"},
      {"%warn x\n--- symbol\n", "symbolized"},
      {"---symbol\n", "symbolized"},
      {"---   symbol\n", "symbolized"},
      {"---  heap\nheap_v2/1\n", "heap_v2"},
      {"---growth\nheap_v2/1\n", "heap_v2"},
      {"\x0a\x04\x08\x01\x10\x02", "pprof"},
      // A CPU profile of Go: the time, then the types of samples.
      {"\x48\xcb\xcb\xcf\xd4\xc4\xbc\xfb\xf5\x18\x0a\x04\x08\x01\x10\x02",
       "pprof"},
      {"\x48\xcb", "unknown"},
      {"HPH\n", "unknown"},
      {"---", "unknown"},
      {"---   ", "unknown"},
      {"--- contention\n", "contention"},
      {"--- contentionz 1\n", "contention"},
      {"--- Stacks:\n", "contention"},
      {"{\"info\":{}}", "json"},
      {"\x7f"
       "ELF\x02",
       "elf"},
      {"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"sv, "cpu"},
      // Field 1 is a message of 4 bytes: type 1, unit 2.
      {"\x0a\x04\x08\x01\x10\x02"sv, "pprof"},
      {"\x5a\x04\x08\x01\x10\x02"sv, "pprof"},
      {"", "empty"},
      {"\n", "unknown"},
      {"heap\n", "unknown"},
      {"MZ\x90", "unknown"},
      {"%warn only\n", "unknown"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(DetectFormat(c.bytes).name, c.format) << c.bytes;
}

TEST(ParseProfileTest, SaysWhatAnUnreadableInputIs) {
  struct Case {
    std::string_view bytes;
    std::string_view what;
  };
  const Case kCases[] = {
      {"--- contention\n", "a lock contention profile"},
      {"\0\0\0\0\0\0\0\0\x03\0\0\0"sv, "a gperftools CPU profile"},
      {"\x7f"
       "ELF",
       "an ELF file"},
      {"\x7f"
       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0"sv,
       "a core file, the memory of a process"},
      {"hello\n", "a text file"},
      {"int main() {}\n", "a text file"},
      {"hello\0\n"sv, "a binary file of unknown format"},
      {"PERFILE2\x68\0"sv, "a perf.data file of Linux perf"},
      {"SQLite format 3\0\x10"sv, "a SQLite database"},
      {"#!/bin/sh\n", "a script"},
  };
  for (const Case& c : kCases) {
    Diagnostics diagnostics;
    const Result<Profile> profile =
        ParseProfile(c.bytes, "a.heap", diagnostics);
    ASSERT_FALSE(profile) << c.what;
    EXPECT_EQ(profile.error().kind, ErrorKind::kOtherFormat);
    EXPECT_EQ(profile.error().message,
              "a.heap: " + std::string(c.what) +
                  ", not a profile; expected a heap dump ('heap_v2/…' or "
                  "'heap profile:'), a symbolized profile ('--- symbol'), a "
                  "pprof profile or folded stacks ('main;f 4096' on each "
                  "line)");
  }
}

TEST(ParseProfileTest, SaysWhyAFileMayBeEmpty) {
  Diagnostics diagnostics;
  const auto profile = ParseProfile("", "a.heap", diagnostics);
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().message,
            "a.heap: an empty file, not a profile; what wrote it has failed, "
            "as on a full disk");
}

TEST(ParseProfileTest, AsksForAgesOnlyWhereTheyAreKnown) {
  for (const std::string_view bytes :
       {"\x0a\x04\x08\x01\x10\x02"sv, "{\"recent_alloc\": []}"sv}) {
    Diagnostics diagnostics;
    const auto profile = ParseProfile(bytes, "a", diagnostics, {.min_age = 1});
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().kind, ErrorKind::kNoData);
    EXPECT_EQ(profile.error().message,
              "a: --min-age: the file does not say how old the live objects "
              "are");
  }
}

TEST(ParseProfileTest, TakesSampleTypesOnlyForPprofProfiles) {
  Diagnostics diagnostics;
  const auto profile =
      ParseProfile(kDump, "a.heap", diagnostics, {.sample_type = "space"});
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(profile.error().message,
            "a.heap: --sample-type is for pprof profiles, and this is a "
            "jemalloc heap dump");
}

// An editor or a copy to Windows may have put the mark there.
TEST(ParseProfileTest, ReadsADumpBehindAByteOrderMark) {
  for (
      const std::string text :
      {"heap_v2/1\n@ 0x10\n  t*: 1: 8 [0: 0]\n",
       "%warn a\nheap_v2/1\r\n@ 0x10\r\n  t*: 1: 8 [0: 0]\r\n",
       "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x10\n",
       "--- symbol\nbinary=a\n0x10 f\n---\n--- heap\nheap_v2/1\n@ 0x10\n"
       "  t*: 1: 8 [0: 0]\n",
       "a;b 8\n",
       R"({"sample_interval":1,"recent_alloc":[{"usize":8,"alloc_trace":["0x10"]}]})"}) {
    Diagnostics diagnostics;
    const Result<Profile> profile =
        ParseProfile("\xef\xbb\xbf" + text, "a.heap", diagnostics);
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->samples.size(), 1u) << text;
  }
}

// As of "kubectl exec … cat" or "curl -i".
TEST(ParseProfileTest, LeavesOutWhatComesBeforeADump) {
  const std::string dump =
      "heap_v2/1\r\n  t*: 1: 8 [0: 0]\n@ 0x1\n  t*: 1: 8 [0: 0]\n";
  for (const auto& [before, line] :
       std::initializer_list<std::pair<std::string, int>>{
           {"# a\n\xef\xbb\xbf", 2},
           {"\n\n", 3},
           {"%warn a\n$ cat 1.heap\n", 3},
           {"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", 4}}) {
    Diagnostics diagnostics;
    const Result<Profile> profile =
        ParseProfile(before + dump, "a.heap", diagnostics);
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->samples.size(), 1u);
    ASSERT_EQ(diagnostics.Count(WarningKind::kForeignLines), 1u);
    const auto warning =
        std::ranges::find(diagnostics.warnings(), WarningKind::kForeignLines,
                          &Diagnostics::Warning::kind);
    EXPECT_EQ(warning->messages.front(),
              fmt::format("a.heap: left out what comes before the dump, which "
                          "begins at line {}",
                          line));
  }
}

TEST(ParseProfileTest, TakesNoMentionOfTheFormatForADump) {
  Diagnostics diagnostics;
  const Result<Profile> profile = ParseProfile(
      "if (text.starts_with(\"heap_v2/\"))\n", "a.cc", diagnostics);
  ASSERT_FALSE(profile);
  EXPECT_TRUE(profile.error().message.starts_with(
      "a.cc: a text file, not a profile; expected a heap dump"));
}

TEST(CheckPackedHeadTest, LetsProfilesAndTheirPreamblesPass) {
  for (const std::string_view head :
       {"heap_v2/1\n"sv, "heap profile: 1: 8 [1: 8]"sv, "--- symbol\n"sv,
        "{\"info\""sv, "\x0a\x04\x08\x01\x10\x02"sv, "%warn a\n%warn b\n"sv,
        "%warn a\nheap_v2/1\n"sv})
    EXPECT_TRUE(CheckPackedHead(head, "gzip")) << head;
  const auto error = [](std::string_view head) {
    const auto checked = CheckPackedHead(head, "xz");
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(error(""), "an empty file compressed with xz, not a profile");
  EXPECT_EQ(error("int main() {}\n"),
            "a text file compressed with xz, not a profile");
  EXPECT_EQ(error("%warn a\nint main() {}\n"),
            "a text file compressed with xz, not a profile");
  EXPECT_EQ(error("\x7f"
                  "ELF\2\1"),
            "an ELF file compressed with xz, not a profile");
  EXPECT_EQ(error(std::string(1 << 16, '\0')),
            "a file of zeros compressed with xz, not a profile");
}

// A parser without a row compiles, but nothing would ever call it.
TEST(InputFormatsTest, HasARowForEveryParser) {
  const fs::path folder = fs::path(HEAPPROF_TESTDATA) / "../src/parse";
  const auto contents = [](const fs::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string table = contents(folder / "parse_profile.cc");
  const std::regex parser(R"(\nResult<Profile> (\w+)\()");
  size_t parsers = 0;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".h") continue;
    const std::string text = contents(file.path());
    for (std::sregex_iterator it(text.begin(), text.end(), parser), end;
         it != end; ++it, ++parsers)
      EXPECT_TRUE(table.contains((*it)[1].str())) << (*it)[1] << " has no row";
  }
  EXPECT_GE(parsers, 5u);
}

TEST(ParseProfileTest, SkipsLeakTextBeforeTheHeader) {
  const Parsed dump = ParseText(
      "<jemalloc>: Leak approximation summary: ~4096 bytes, ~4 objects, >= 1 "
      "context\n"
      "<jemalloc>: Run jeprof on dump output for leak detail\n" +
      std::string(kDump));
  EXPECT_THAT(dump.warnings, IsEmpty());
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
}

TEST(ParseProfileTest, PassesOnWarningsOfTheProfileItself) {
  const Parsed dump =
      ParseText("%warn sampled by half\n%other\n" + std::string(kDump));
  EXPECT_THAT(dump.warnings, ElementsAre("a.heap: sampled by half"));
  EXPECT_THAT(dump.profile.samples, SizeIs(1));
}

TEST(ParseMapsTest, TakesTheMapOfADumpOrACopyOfProcMaps) {
  for (const std::string& bytes :
       {std::string(kDump), std::string(kDump.substr(kDump.find("0040")))}) {
    Diagnostics diagnostics;
    const auto map = ParseMaps(bytes, "maps", diagnostics);
    ASSERT_TRUE(map) << bytes;
    ASSERT_THAT(map->entries(), SizeIs(1));
    EXPECT_EQ(map->entries()[0].path, "/bin/prog");
    EXPECT_TRUE(diagnostics.empty());
  }
}

TEST(ParseMapsTest, SaysWhatItFoundInsteadOfAMap) {
  struct Case {
    std::string_view bytes;
    std::string_view what;
  };
  const Case kCases[] = {
      {"", "an empty file"},
      {"hello\n", "a text file"},
      {"heap_v2/1\n", "a profile without a memory map"},
      {"heap profile: 1: 8 [1: 8]\n", "a profile without a memory map"},
  };
  for (const Case& c : kCases) {
    Diagnostics diagnostics;
    const auto map = ParseMaps(c.bytes, "maps", diagnostics);
    ASSERT_FALSE(map) << c.what;
    EXPECT_EQ(map.error().message,
              "maps: expected a dump with a memory map or a copy of "
              "/proc/PID/maps, found " +
                  std::string(c.what));
    EXPECT_TRUE(diagnostics.empty());
  }
}

TEST(ParseProfileTest, BorrowsAMapOnlyForDumpsWithoutAWholeOne) {
  Diagnostics diagnostics;
  const auto other =
      ParseMaps("400000-500000: /bin/other\n", "maps", diagnostics);
  ASSERT_TRUE(other);
  const ParseOptions options = {.maps = &*other};
  const size_t marker = kDump.find("\nMAPPED");
  struct Case {
    std::string_view dump;
    std::string_view program;
  };
  for (const Case& c :
       {Case{kDump, "/bin/prog"}, Case{kDump.substr(0, marker), "/bin/other"},
        Case{kDump.substr(0, kDump.size() - 1), "/bin/other"}}) {
    const auto profile = ParseProfile(c.dump, "a.heap", diagnostics, options);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->String(profile->main_binary), c.program);
  }
  EXPECT_EQ(diagnostics.Count(WarningKind::kNoMemoryMap), 0u);
}

TEST(ParseProfileTest, CountsLinesFromTheTopOfTheFile) {
  const Parsed dump =
      ParseText("%warn x\n<jemalloc>: y\nheap_v2/1\n  t*: 1: 1 [0: 0]\nt1\n");
  EXPECT_THAT(dump.warnings,
              Contains("a.heap:5: expected '@ <addresses>' or 't<id>: "
                       "<objects>: <bytes> [<objects>: <bytes>]', found "
                       "'t1'"));
}

}  // namespace
}  // namespace heapprof
