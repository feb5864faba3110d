// SPDX-License-Identifier: Apache-2.0
#include "heapprof/index/index_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "index/index_testing.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The answers of an index for several addresses in one call, as text.
std::vector<std::string> Ask(const std::string& bytes,
                             const std::vector<uint64_t>& addresses,
                             unsigned jobs = 1) {
  const auto index = IndexFile::Open(BytesOf(bytes));
  EXPECT_TRUE(index) << index.error().message;
  const auto answer = index->Resolve(addresses, jobs);
  if (!answer) return {"damaged"};
  std::vector<std::string> lines;
  for (const FrameRun& run : answer->runs) {
    std::string line;
    for (uint32_t i = run.first; i < run.first + run.count; ++i) {
      const SourceFrame& frame = answer->frames[i];
      const SourceFunction& function = answer->functions[frame.function];
      line += fmt::format("{}{}{} {}:{}:{}", i == run.first ? "" : " < ",
                          function.linkage_name, function.scoped_name,
                          answer->files[frame.file], frame.line, frame.column);
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(IndexFileTest, AnswersLikeTheMap) {
  const std::string inner = "a::(anonymous namespace)::inner";
  const std::string call = " < _ZN1a5outerEv /src/a.cc:12:3";
  EXPECT_THAT(
      Ask(SmallIndex(),
          {0xfff, 0x1000, 0x100f, 0x1010, 0x1013, 0x1014, 0x1018, 0x101f,
           0x1020, 0x102f, 0x1030, 0x1fff, 0x2000, 0x200f, 0x2010, UINT64_MAX}),
      ElementsAre(
          "", "_ZN1a5outerEv /src/a.cc:10:1", "_ZN1a5outerEv /src/a.cc:10:1",
          inner + " /src/a.h:21:7" + call, inner + " /src/a.h:21:7" + call,
          inner + " /src/a.cc:0:0" + call, "_ZN1a5outerEv /src/a.cc:13:1",
          "_ZN1a5outerEv /src/a.cc:13:1", inner + " /src/a.h:22:70",
          inner + " /src/a.h:22:70", "", "", "main :0:0", "main :0:0", "", ""));
}

TEST(IndexFileTest, HasOnlyTheFunctionsOfTheAnswers) {
  const std::string bytes = SmallIndex();
  const auto index = IndexFile::Open(BytesOf(bytes));
  ASSERT_TRUE(index);
  const auto answer = index->Resolve({{0x1010}}, 1);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->functions.size(), 2u);
  const SourceFunction& inner = answer->functions[0];
  EXPECT_EQ(inner.linkage_name, "");
  EXPECT_EQ(inner.scoped_name, "a::(anonymous namespace)::inner");
  EXPECT_EQ(inner.demangled_name, "");
  EXPECT_EQ(answer->files.at(inner.file), "/src/a.h");
  EXPECT_EQ(inner.start_line, 20u);
  EXPECT_EQ(inner.start_address, 0u);  // only inlined here
  const SourceFunction& outer = answer->functions[1];
  EXPECT_EQ(outer.linkage_name, "_ZN1a5outerEv");
  EXPECT_EQ(outer.scoped_name, "");
  EXPECT_EQ(outer.demangled_name, "a::outer()");
  EXPECT_EQ(outer.start_address, 0x1000u);
  const auto more = index->Resolve({{0x1010, 0x1020}}, 1);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->functions[0].start_address, 0x1020u);
}

// More addresses, and more functions, than are read in one round.
TEST(IndexFileTest, AnswersManyAddressesOfManyFunctions) {
  constexpr uint32_t kFunctions = 9000;
  constexpr uint64_t kSize = 4;
  constexpr uint64_t kStart = 0x1000;
  CodeMap map;
  map.files = {"", "/src/a.cc"};
  for (uint32_t i = 0; i < kFunctions; ++i) {
    map.names.push_back(map.texts.emplace_back(fmt::format("f{:05}", i)));
    map.functions.push_back({i, false, 1, i});
    map.nodes.push_back({.function = i, .entry_pc = kStart + i * kSize});
    map.rows.push_back({kStart + i * kSize, i, 1, i + 1, 2});
  }
  map.ranges = {{kStart, kStart + kFunctions * kSize, 0, kFunctions}};
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes) << bytes.error().message;
  std::vector<uint64_t> addresses;
  std::vector<std::string> expected;
  for (uint64_t i = 0; i < kFunctions * kSize; ++i) {
    addresses.push_back(kStart + i);
    expected.push_back(
        fmt::format("f{:05} /src/a.cc:{}:2", i / kSize, i / kSize + 1));
  }
  EXPECT_EQ(Ask(*bytes, addresses, 1), expected);
  EXPECT_EQ(Ask(*bytes, addresses, 3), expected);
}

// Some names in a block have a demangled form, others have none.
TEST(IndexFileTest, KeepsDemangledNames) {
  constexpr uint32_t kFunctions = 300;
  constexpr uint64_t kStart = 0x1000;
  CodeMap map;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    map.names.push_back(map.texts.emplace_back(fmt::format("_Z1f{:03}", i)));
    const std::string forms[] = {"", fmt::format("f<{}>()", i),
                                 std::string(map.names[i])};
    map.demangled_names.push_back(map.texts.emplace_back(forms[i % 7 % 3]));
    map.functions.push_back({i, i % 5 == 0, 0, 0});
    map.nodes.push_back({.function = i, .entry_pc = kStart + i});
    map.rows.push_back({kStart + i, i, 0, 0, 0});
  }
  map.ranges = {{kStart, kStart + kFunctions, 0, kFunctions}};
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto index = IndexFile::Open(BytesOf(*bytes));
  ASSERT_TRUE(index) << index.error().message;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    const auto answer = index->Resolve({{kStart + i}}, 1);
    ASSERT_TRUE(answer);
    const SourceFunction& function = answer->functions.at(0);
    const bool is_scoped = i % 5 == 0;
    EXPECT_EQ(is_scoped ? function.scoped_name : function.linkage_name,
              map.names[i]);
    EXPECT_EQ(function.demangled_name, map.demangled_names[i]);
  }
}

// Resolves functions with names of that size, each in a file of its own.
ResolvedAddresses AskForLongNames(size_t size, size_t demangled_size,
                                  size_t file_size = 10) {
  constexpr uint32_t kFunctions = 400;
  CodeMap map;
  std::vector<uint64_t> addresses;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    std::string& name = map.texts.emplace_back(fmt::format("{:03}", i));
    name.resize(size, 'x');
    map.names.push_back(name);
    std::string& demangled = map.texts.emplace_back(name);
    demangled.resize(demangled_size, 'y');
    map.demangled_names.push_back(demangled);
    map.files.push_back(fmt::format("/{:03}", i));
    map.files.back().resize(file_size, 'z');
    map.functions.push_back({i, false, i + 1, 0});
    map.nodes.push_back({.function = i, .entry_pc = i});
    map.rows.push_back({i, i, 0, 0, 0});
    addresses.push_back(i);
  }
  map.ranges = {{0, kFunctions, 0, kFunctions}};
  const auto bytes = EncodeIndex(SmallKey(), &map);
  EXPECT_TRUE(bytes) << bytes.error().message;
  const auto index = IndexFile::Open(BytesOf(*bytes));
  EXPECT_TRUE(index) << index.error().message;
  auto answer = index->Resolve(addresses, 1);
  EXPECT_TRUE(answer);
  return answer ? *std::move(answer) : ResolvedAddresses();
}

constexpr size_t kLongName = 200 << 10;

// It would not fit the rest of the name.
// Bytes in use in total; a sanitizer's allocator does not report them.
size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// The most that long names may take.
constexpr size_t kKept = 64 << 20;

TEST(IndexFileTest, DropsTheRestOfANameThatIsCutAndItsDemangledForm) {
  const size_t before = AllocatedBytes();
  const ResolvedAddresses answer = AskForLongNames(kLongName, 10);
  EXPECT_GT(answer.functions.size() * kLongName, kKept + (8 << 20));
  EXPECT_LT(AllocatedBytes() - before, kKept + (4 << 20));
  size_t cut = 0;
  for (const SourceFunction& function : answer.functions) {
    const bool is_cut = function.linkage_name.size() < kLongName;
    cut += is_cut;
    EXPECT_EQ(function.demangled_name.size(), is_cut ? 0U : 10U);
  }
  EXPECT_GT(cut, 0U);
  EXPECT_LT(cut, answer.functions.size());
}

TEST(IndexFileTest, DropsDemangledFormsThatTakeTooMuchMemory) {
  size_t dropped = 0;
  const ResolvedAddresses answer = AskForLongNames(10, kLongName);
  for (const SourceFunction& function : answer.functions) {
    EXPECT_EQ(function.linkage_name.size(), 10U);
    if (function.demangled_name.empty())
      ++dropped;
    else
      EXPECT_EQ(function.demangled_name.size(), kLongName);
  }
  EXPECT_GT(dropped, 0U);
  EXPECT_LT(dropped, answer.functions.size());
}

TEST(IndexFileTest, FreesTheRestOfACutFileName) {
  const size_t before = AllocatedBytes();
  const ResolvedAddresses answer = AskForLongNames(10, 10, kLongName);
  EXPECT_GT(answer.files.size() * kLongName, kKept + (8 << 20));
  EXPECT_LT(AllocatedBytes() - before, kKept + (4 << 20));
}

TEST(IndexFileTest, CarriesKeyAndLabel) {
  const std::string bytes = SmallIndex();
  const auto index = IndexFile::Open(BytesOf(bytes));
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->has_map());
  EXPECT_EQ(index->key(), SmallKey().text);
  EXPECT_EQ(index->label(), "/bin/small");
  EXPECT_EQ(index->split_files(), "file size 56\n");
}

TEST(IndexFileTest, RecordsThatThereIsNoMap) {
  const auto bytes = EncodeIndex(SmallKey(), nullptr);
  ASSERT_TRUE(bytes);
  const auto index = IndexFile::Open(BytesOf(*bytes));
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_FALSE(index->has_map());
  EXPECT_EQ(index->key(), SmallKey().text);
  EXPECT_THAT(Ask(*bytes, {0x1000}), ElementsAre(""));
}

TEST(IndexFileTest, KeepsNumbersOfAnySize) {
  CodeMap map = SmallMap();
  map.functions[1].start_line = UINT32_MAX;
  map.nodes[1].line = 0x80000000;
  map.nodes[1].column = UINT32_MAX;
  map.rows[1].line = 1;
  map.rows[1].column = UINT32_MAX - 1;
  map.rows[2].line = UINT32_MAX - 5;
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes);
  const std::string call = " < _ZN1a5outerEv /src/a.cc:2147483648:4294967295";
  const std::string inner = "a::(anonymous namespace)::inner";
  EXPECT_THAT(Ask(*bytes, {0x1010, 0x1014}),
              ElementsAre(inner + " /src/a.h:1:4294967294" + call,
                          inner + " /src/a.cc:4294967290:0" + call));
}

// Functions by address, enough for several blocks.
TEST(IndexFileTest, FindsEveryRowInAnyCombinationOfAddresses) {
  constexpr uint32_t kCount = 3000;
  CodeMap map;
  for (uint32_t i = 0; i < kCount; ++i) {
    map.files.push_back(fmt::format("/some/long/path/{}/file{}.cc", i % 50, i));
    map.names.push_back(
        map.texts.emplace_back(fmt::format("function{:05}", i * 7 % kCount)));
    map.functions.push_back({i, i % 2 == 1, i + 1, i});
    map.nodes.push_back({.function = i, .entry_pc = 16 * i});
    map.rows.push_back({16 * i, i, i + 1, i * i, i});
    map.ranges.push_back({16 * i, 16 * i + 12 + i % 2 * 4, i, 1});
  }
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes);
  const auto expected = [&map](uint64_t address) -> std::string {
    const size_t i = address / 16;
    if (i >= kCount || address >= map.ranges[i].end) return "";
    return fmt::format("{} {}:{}:{}", map.names[i], map.files[i + 1],
                       uint32_t(i * i), i);
  };
  std::mt19937 random(3);
  for (const uint32_t step : {1u, 2u, 5u, 100u, 5000u, 60000u}) {
    std::vector<uint64_t> addresses;
    for (uint64_t at = random() % step; at < 16 * kCount + 40;
         at += 1 + random() % step)
      addresses.push_back(at);
    const std::vector<std::string> found = Ask(*bytes, addresses);
    ASSERT_EQ(found.size(), addresses.size());
    for (size_t i = 0; i < addresses.size(); ++i)
      ASSERT_EQ(found[i], expected(addresses[i])) << addresses[i];
  }
}

TEST(IndexFileTest, ShowsAGroupAsItsFirstFunction) {
  CodeMap map = SmallMap();
  for (const size_t i : {1U, 2U}) map.nodes[i].group = 1;
  map.nodes[2].function = 2;
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes);
  const std::string inner = "a::(anonymous namespace)::inner";
  EXPECT_THAT(Ask(*bytes, {0x1014, 0x1020, 0x2000}),
              ElementsAre(inner + " /src/a.cc:0:0 < _ZN1a5outerEv "
                                  "/src/a.cc:12:3",
                          inner + " /src/a.h:22:70", "main :0:0"));
  EXPECT_THAT(Ask(*bytes, {0x1020, 0x2000}),
              ElementsAre("main /src/a.h:22:70", "main :0:0"));
}

TEST(IndexFileTest, NumbersGroupsWithoutGaps) {
  CodeMap map = SmallMap();
  for (const size_t i : {1U, 2U}) map.nodes[i].group = 1000;
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(bytes);
  EXPECT_THAT(Ask(*bytes, {0x1014}), testing::Not(ElementsAre("damaged")));
}

TEST(IndexFileTest, RefusesAMapTooLargeForTheFormat) {
  CodeMap map = SmallMap();
  map.rows[5].start = map.ranges[1].start = UINT64_MAX - 100;
  map.ranges[1].end = UINT64_MAX - 50;
  const auto bytes = EncodeIndex(SmallKey(), &map);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "too large for an index");
}

TEST(IndexFileTest, SameMapGivesSameBytes) {
  EXPECT_EQ(SmallIndex(), SmallIndex());
}

std::string ErrorOf(const std::string& bytes) {
  const auto index = IndexFile::Open(BytesOf(bytes));
  return index ? "" : index.error().message;
}

TEST(IndexFileTest, RefusesOtherFiles) {
  EXPECT_EQ(ErrorOf(""), "not an index");
  EXPECT_EQ(ErrorOf("heapidx"), "not an index");
  EXPECT_EQ(ErrorOf(std::string(1000, 'x')), "not an index");
  std::string other = SmallIndex();
  other[8] = 77;
  EXPECT_EQ(ErrorOf(other),
            fmt::format("an index of version 77, expected {}", kIndexVersion));
}

TEST(IndexFileTest, RefusesAFileCutAtAnyLength) {
  const std::string whole = SmallIndex();
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(ErrorOf(whole.substr(0, size)), "") << size;
  EXPECT_NE(ErrorOf(whole + '\0'), "");
}

TEST(IndexFileTest, RefusesEveryFlippedBit) {
  const std::string whole = SmallIndex();
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
    // The reserved bytes.
    if (bit / 8 >= 12 && bit / 8 < 16) continue;
    EXPECT_NE(ErrorOf(damaged), "") << bit;
  }
}

class DamagedIndexTest : public testing::Test {
 protected:
  void TearDown() override { alarm(0); }
};

// Damage with a valid checksum. Whatever it is, the answer is consistent.
void Use(const std::string& bytes) {
  constexpr unsigned kMaxSeconds = 10;
  alarm(kMaxSeconds);
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0xff0; at < 0x2020; ++at) addresses.push_back(at);
  const auto index = IndexFile::Open(BytesOf(bytes));
  if (!index) {
    EXPECT_FALSE(index.error().message.empty());
    return;
  }
  EXPECT_LE(
      index->key().size() + index->label().size() + index->split_files().size(),
      3 * bytes.size());
  const auto answer = index->Resolve(addresses, 1);
  if (!answer) return;
  ASSERT_EQ(answer->runs.size(), addresses.size());
  for (const FrameRun& run : answer->runs)
    ASSERT_LE(run.first + run.count, answer->frames.size());
  for (const SourceFrame& frame : answer->frames) {
    ASSERT_LT(frame.function, answer->functions.size());
    ASSERT_LT(frame.file, answer->files.size());
  }
}

TEST_F(DamagedIndexTest, SurvivesBeingCutAfterAValidHeader) {
  const std::string whole = SmallIndex();
  for (size_t size = kIndexHeaderSize; size < whole.size(); ++size) {
    std::string cut = whole.substr(0, size);
    Seal(cut);
    Use(cut);
  }
}

TEST_F(DamagedIndexTest, SurvivesMutations) {
  const std::string original = SmallIndex();
  std::mt19937 random(5);
  const auto draw = [&random](uint64_t limit) { return random() % limit; };
  const size_t rounds = Scaled(2000, 100'000);
  size_t opened = 0;
  for (size_t round = 0; round < rounds; ++round) {
    std::string bytes = original;
    for (uint64_t i = 1 + draw(6); i > 0; --i) {
      // Mostly after the header.
      const size_t first = draw(8) == 0 ? kHashedFrom : kIndexHeaderSize;
      const size_t at = first + draw(bytes.size() - first);
      const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, draw(256)};
      bytes[at] = static_cast<char>(values[draw(6)]);
    }
    Seal(bytes);
    opened += IndexFile::Open(BytesOf(bytes)).has_value();
    SCOPED_TRACE(round);
    Use(bytes);
  }
  EXPECT_GT(opened, rounds / 2);
}

// Replaces section `section` of `bytes`.
void Replace(std::string& bytes, IndexSection section,
             const std::string& content) {
  const size_t at = kHashedFrom + 8 + 16 * static_cast<size_t>(section);
  const uint64_t place[] = {bytes.size(), content.size()};
  std::memcpy(bytes.data() + at, place, sizeof(place));
  bytes += content;
  Seal(bytes);
}

TEST_F(DamagedIndexTest, LimitsStringsThatGrowEndlessly) {
  // Each shares 2^20 bytes with the one before.
  std::string strings;
  strings.append(1, 0).append("\x80\x80\x80\x01", 4).append(1 << 20, 'x');
  for (int i = 0; i < 7; ++i) strings.append("\x80\x80\x40", 3).append(1, 0);
  std::string bytes = SmallIndex();
  Replace(bytes, IndexSection::kStrings, strings);
  Replace(bytes, IndexSection::kStringBlocks, std::string(4, 0));
  Use(bytes);
}

TEST_F(DamagedIndexTest, LimitsTheLengthOfInlineChains) {
  // Nodes of 5 bytes, each inlined into the one before.
  std::string nodes("\0\0\0", 3);
  for (int i = 0; i < 5000; ++i)
    nodes.append(1, 0)
        .append(1, static_cast<char>((i == 0 ? 3 : 5) << 1 | 1))
        .append(3, 0);
  std::string bytes = SmallIndex();
  Replace(bytes, IndexSection::kNodes, nodes);
  // A row with the last node.
  std::string rows("\0", 1);
  uint64_t node = 2 * (nodes.size() - 5 + 1);
  for (; node >= 0x80; node >>= 7) rows += static_cast<char>(node | 0x80);
  rows += static_cast<char>(node);
  rows.append(3, 0);
  Replace(bytes, IndexSection::kRows, rows);
  Replace(bytes, IndexSection::kInfo,
          std::string("\1\0\0\0\0\0\0\0"
                      "\0\x10\0\0\0\0\0\0"
                      "\1\1\1\1",
                      20));
  EXPECT_THAT(Ask(bytes, {0x1000}), ElementsAre("damaged"));
}

}  // namespace
}  // namespace heapprof
