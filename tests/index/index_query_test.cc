// SPDX-License-Identifier: Apache-2.0
#include "index/index_query.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

ResolvedAddresses RunQuery(const std::string& index,
                           const std::vector<uint64_t>& addresses,
                           unsigned jobs = 1) {
  std::optional<ResolvedAddresses> answers =
      IndexQuery(BytesOf(index), jobs).Run(addresses);
  EXPECT_TRUE(answers);
  return std::move(*answers);
}

std::string_view NameOf(const ResolvedAddresses& answers, uint32_t frame) {
  const SourceFunction& function =
      answers.functions.at(answers.frames.at(frame).function);
  return function.linkage_name.empty() ? function.scoped_name
                                       : function.linkage_name;
}

TEST(IndexQueryTest, NumbersFunctionsAndFilesInTheOrderOfTheAnswers) {
  const ResolvedAddresses answers = RunQuery(SmallIndex(), {0x1010, 0x2000});
  ASSERT_EQ(answers.runs.size(), 2u);
  EXPECT_EQ(answers.runs[0].count, 2u);
  EXPECT_EQ(answers.runs[1].count, 1u);
  EXPECT_EQ(NameOf(answers, 0), "a::(anonymous namespace)::inner");
  EXPECT_EQ(NameOf(answers, 1), "_ZN1a5outerEv");
  EXPECT_EQ(NameOf(answers, 2), "main");
  EXPECT_EQ(answers.frames[1].function, 1u);
  EXPECT_EQ(answers.functions[1].demangled_name, "a::outer()");
  EXPECT_THAT(answers.files, ElementsAre("", "/src/a.h", "/src/a.cc"));
}

// "inner" has an out-of-line part, at 0x1020.
TEST(IndexQueryTest, TakesTheLowestEntryPcOfTheAnswers) {
  EXPECT_EQ(RunQuery(SmallIndex(), {0x1010}).functions.at(0).start_address, 0u);
  EXPECT_EQ(
      RunQuery(SmallIndex(), {0x1010, 0x1020}).functions.at(0).start_address,
      0x1020u);
}

TEST(IndexQueryTest, ShowsTheFirstFunctionOfAGroup) {
  CodeMap map = SmallMap();
  map.nodes[0].group = 1;
  map.nodes[3].group = 1;
  const std::string index = *EncodeIndex(SmallKey(), &map);
  EXPECT_EQ(NameOf(RunQuery(index, {0x1000, 0x2000}), 1), "_ZN1a5outerEv");
  EXPECT_EQ(NameOf(RunQuery(index, {0x2000}), 0), "main");
}

TEST(IndexQueryTest, HasNoFramesOutsideOfTheMap) {
  const ResolvedAddresses answers = RunQuery(SmallIndex(), {0, 0x1800, 0x3000});
  ASSERT_EQ(answers.runs.size(), 3u);
  for (const FrameRun& run : answers.runs) EXPECT_EQ(run.count, 0u);
  EXPECT_TRUE(answers.functions.empty());
}

TEST(IndexQueryTest, DoesNotDependOnTheNumberOfThreads) {
  CodeMap map;
  constexpr uint32_t kCount = 5000;
  std::vector<std::string> names(kCount);
  map.functions.resize(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    names[i] = "f" + std::to_string(i);
    map.functions[i].name = i;
    map.nodes.push_back({.function = i, .entry_pc = 16 * i + 16});
    map.rows.push_back({.start = 16 * i + 16, .node = i, .line = i});
  }
  map.names = {names.begin(), names.end()};
  map.ranges = {{16, 16 * kCount + 16, 0, kCount}};
  const std::string index = *EncodeIndex(SmallKey(), &map);
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < 16 * kCount; at += 8) addresses.push_back(at);
  const ResolvedAddresses expected = RunQuery(index, addresses);
  EXPECT_EQ(expected.functions.size(), kCount - 1);
  const ResolvedAddresses answers = RunQuery(index, addresses, 4);
  ASSERT_EQ(answers.frames.size(), expected.frames.size());
  for (uint32_t i = 0; i < expected.frames.size(); ++i) {
    EXPECT_EQ(NameOf(answers, i), NameOf(expected, i));
    EXPECT_EQ(answers.frames[i].line, expected.frames[i].line);
  }
}

TEST(IndexQueryTest, RefusesADamagedIndex) {
  std::string index = SmallIndex();
  const auto nodes = SectionIn(index, IndexSection::kNodes);
  const auto at = static_cast<size_t>(nodes.data() - BytesOf(index).data());
  for (size_t i = 0; i < nodes.size(); ++i) index[at + i] = '\x7f';
  Seal(index);
  const auto file = IndexFile::Open(BytesOf(index));
  ASSERT_TRUE(file);
  EXPECT_FALSE(
      IndexQuery(BytesOf(index), 1).Run(std::vector<uint64_t>{0x1000}));
}

}  // namespace
}  // namespace heapprof
