// SPDX-License-Identifier: Apache-2.0
#include "index/chain_reader.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// The chains of `addresses`: "line:column" per frame, innermost first, then the
// entry PC.
std::vector<std::string> Read(std::string_view index,
                              std::span<const uint8_t> nodes,
                              const std::vector<uint64_t>& addresses) {
  const FunctionRecords functions(SectionIn(index, IndexSection::kInfo),
                                  SectionIn(index, IndexSection::kFunctions),
                                  SectionIn(index, IndexSection::kVariants));
  constexpr uint64_t kRows = 8;  // of SmallMap(), with two for the gaps
  const RowFinder rows(SectionIn(index, IndexSection::kBlockStarts),
                       SectionIn(index, IndexSection::kBlockOffsets),
                       SectionIn(index, IndexSection::kRows), kRows, 0x1000);
  const InlineChains chains =
      ChainReader(nodes, functions, rows, FrameLimit(addresses.size()))
          .Read(addresses);
  if (!chains.is_valid) return {"damaged"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < addresses.size(); ++i) {
    std::string& text = texts.emplace_back();
    for (const SourceFrame& frame :
         std::span(chains.frames)
             .subspan(chains.runs.at(i).first, chains.runs[i].count))
      text +=
          std::to_string(frame.line) + ':' + std::to_string(frame.column) + ' ';
    text += std::to_string(chains.entry_pcs.at(i));
  }
  return texts;
}

TEST(ChainReaderTest, ReadsInlineChains) {
  const std::string index = SmallIndex();
  EXPECT_THAT(Read(index, SectionIn(index, IndexSection::kNodes),
                   {0xfff, 0x1000, 0x1010, 0x1020, 0x1030, 0x2000}),
              ElementsAre("0", "10:1 4096", "21:7 12:3 4096", "22:70 4128", "0",
                          "0:0 8192"));
}

TEST(ChainReaderTest, ReadsMoreAddressesThanABatch) {
  const std::string index = SmallIndex();
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < 300; ++at) addresses.push_back(0x1000 - 200 + at);
  const auto chains =
      Read(index, SectionIn(index, IndexSection::kNodes), addresses);
  ASSERT_EQ(chains.size(), 300u);
  EXPECT_EQ(chains[199], "0");
  EXPECT_EQ(chains[200], "10:1 4096");
  EXPECT_EQ(chains[248], "0");
}

TEST(ChainReaderTest, NoticesNodesThatAreCutOff) {
  const std::string index = SmallIndex();
  const auto nodes = SectionIn(index, IndexSection::kNodes);
  EXPECT_THAT(Read(index, nodes.first(1), {0x2000}), ElementsAre("damaged"));
}

// The parent of each node must come before it.
TEST(ChainReaderTest, NoticesParentsBeforeTheFirstNode) {
  const std::string index = SmallIndex();
  const std::string nodes(100, '\x7f');
  EXPECT_THAT(Read(index, BytesOf(nodes), {0x1000}), ElementsAre("damaged"));
}

}  // namespace
}  // namespace heapprof
