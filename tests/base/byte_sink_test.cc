// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/byte_sink.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Collects the blocks that a sink writes.
struct Blocks {
  std::vector<std::string> blocks;

  ByteSink::WriteBlock Writer() {
    return [this](std::string_view block) {
      blocks.emplace_back(block);
      return Result<void>();
    };
  }
  std::string Joined() const {
    std::string all;
    for (const std::string& block : blocks) all += block;
    return all;
  }
};

TEST(ByteSinkTest, WritesNothingOfNothing) {
  Blocks blocks;
  ByteSink sink(blocks.Writer());
  EXPECT_TRUE(sink.Finish());
  EXPECT_TRUE(blocks.blocks.empty());
}

TEST(ByteSinkTest, CollectsSmallPieces) {
  Blocks blocks;
  ByteSink sink(blocks.Writer());
  sink.Append("main;f ");
  sink.Format("{}\n", 42);
  EXPECT_TRUE(blocks.blocks.empty());
  EXPECT_TRUE(sink.Finish());
  EXPECT_EQ(blocks.blocks, std::vector<std::string>{"main;f 42\n"});
}

TEST(ByteSinkTest, KeepsTheOrderAndHoldsNoMoreThanABlock) {
  Blocks blocks;
  ByteSink sink(blocks.Writer());
  const std::string half(ByteSink::kBlockSize / 2, 'h');
  const std::string large(ByteSink::kBlockSize + 1, 'l');
  sink.Append("a");
  sink.Append(large);
  EXPECT_EQ(blocks.Joined(), "a" + large);
  sink.Append(half);
  sink.Format("{}", half);
  EXPECT_EQ(blocks.Joined(), "a" + large + half + half);
  sink.Append("z");
  EXPECT_TRUE(sink.Finish());
  EXPECT_EQ(blocks.Joined(), "a" + large + half + half + "z");
}

TEST(ByteSinkTest, AddsOnlyWhatIsWritten) {
  Blocks blocks;
  ByteSink sink(blocks.Writer());
  sink.Append("a");
  sink.AppendBy(100, [](char* to) {
    *to++ = 'b';
    *to = '-';  // room that is written to, but not added
    return to;
  });
  sink.AppendBy(0, [](char* to) { return to; });
  sink.AppendBy(ByteSink::kBlockSize, [](char* to) {
    return std::fill_n(to, ByteSink::kBlockSize, 'c');
  });
  EXPECT_EQ(blocks.Joined(), "ab" + std::string(ByteSink::kBlockSize, 'c'));
}

TEST(ByteSinkTest, StopsAtTheFirstErrorAndReturnsIt) {
  int calls = 0;
  ByteSink sink([&calls](std::string_view) -> Result<void> {
    return Fail(ErrorKind::kIo, fmt::format("write {}", ++calls));
  });
  sink.Append(std::string(ByteSink::kBlockSize, 'x'));
  sink.Append(std::string(ByteSink::kBlockSize, 'x'));
  sink.Append("x");
  const auto done = sink.Finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "write 1");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace heapprof
