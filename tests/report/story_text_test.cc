// SPDX-License-Identifier: Apache-2.0
#include "report/story_text.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

StoryChain ChainOf(std::vector<std::string> frames, double percent,
                   double error = 0) {
  StoryChain chain = {.frames = std::move(frames), .percent = percent};
  chain.cell.change.now.value = percent * 1000;
  if (error != 0)
    chain.percent_interval = Interval{percent - error, percent + error};
  return chain;
}

TEST(StoryTextTest, AlignsSharesAndChains) {
  EXPECT_THAT(StoryLines({ChainOf({"Open", "Insert"}, 61.4, 1.2),
                          ChainOf({"Load"}, 9.5, 0.01)},
                         {}),
              ElementsAre("  61.4% ±1.2  Open → Insert", "   9.5%       Load"));
}

TEST(StoryTextTest, SaysWhatIsAPieceOfTheLineBefore) {
  StoryChain piece = ChainOf({"Open", "Read", "Fill"}, 20);
  piece.part_of = 0;
  EXPECT_THAT(
      StoryLines({ChainOf({"Serve"}, 61.4), piece}, {}),
      ElementsAre("  61.4%  Serve", "  20.0%  of it: Open → Read → Fill"));
  EXPECT_THAT(StoryLines({piece}, {.columns = 33}),
              ElementsAre("  20.0%  of it: Open → … → Fill"));
}

TEST(StoryTextTest, SaysThatThereAreFewSamples) {
  const auto amount = [](double error) {
    return StoryAmount(ChainOf({"Fill"}, 42.4, error), /*is_comparison=*/false,
                       Unit::kMegabytes);
  };
  EXPECT_EQ(amount(42.3), "42.4% ±42.3");
  EXPECT_EQ(amount(57.6), "42.4% (few samples)");
}

TEST(StoryTextTest, AComparisonHasChanges) {
  StoryChain chain = ChainOf({"Open"}, 50);
  chain.cell.change.now.value = 3 << 20;
  chain.cell.change.base.value = 1 << 20;
  chain.cell.interval = Interval{1.5 * (1 << 20), 2.5 * (1 << 20)};
  EXPECT_THAT(StoryLines({chain}, {.is_comparison = true}),
              ElementsAre("  +2.0 ± 0.5 MiB  Open"));
  EXPECT_EQ(StoryAmount(chain, /*is_comparison=*/true, Unit::kObjects),
            "+2097152 objects");
}

TEST(StoryTextTest, AlignsTheChangesOfAComparison) {
  StoryChain large = ChainOf({"Open"}, 90);
  large.cell.change.now.value = 221.5 * (1 << 20);
  large.cell.interval = Interval{214.5 * (1 << 20), 228.5 * (1 << 20)};
  StoryChain small = ChainOf({"Load"}, 10);
  small.cell.change.now.value = 2.6 * (1 << 20);
  small.cell.interval = Interval{0.6 * (1 << 20), 6.0 * (1 << 20)};
  EXPECT_THAT(StoryLines({large, small}, {.is_comparison = true}),
              ElementsAre("  +221.5 ± 7.0 MiB           Open",
                          "    +2.6 (+0.6 to +6.0) MiB  Load"));
}

TEST(StoryTextTest, LeavesOutTheMiddleThenThePlaceThenPartsOfNames) {
  StoryChain chain = ChainOf(
      {"Server::Run", "Session::Open", "Cache::Get", "Cache::Insert"}, 50);
  chain.file = "/src/store/cache.cc";
  chain.line = 61;
  EXPECT_EQ(ChainText(chain, 0, 0),
            "Server::Run → Session::Open → Cache::Get → Cache::Insert, "
            "cache.cc:61");
  EXPECT_EQ(ChainText(chain, 0, 60),
            "Server::Run → … → Cache::Get → Cache::Insert, cache.cc:61");
  EXPECT_EQ(ChainText(chain, 10, 60),
            "Server::Run → … → Cache::Insert, cache.cc:61");
  EXPECT_EQ(ChainText(chain, 24, 60), "Server::Run → … → Cache::Insert");
  EXPECT_EQ(Columns(ChainText(chain, 30, 60)), 30u);
}

TEST(StoryTextTest, NamesOnlyTheFileIfTheLineIsUnknown) {
  StoryChain chain = ChainOf({"Server::Run"}, 50);
  chain.file = "/src/server.cc";
  EXPECT_EQ(ChainText(chain, 0, 0), "Server::Run, server.cc");
}

TEST(StoryTextTest, KeepsTheLastPartsOfBothNames) {
  const StoryChain chain =
      ChainOf({"PrimaryLog::queue_transactions", "Store::queue"}, 50);
  EXPECT_EQ(ChainText(chain, 0, 40),
            "Prim…::queue_transactions → Store::queue");
  EXPECT_EQ(ChainText(chain, 0, 33), "queue_transactions → Store::queue");
}

TEST(StoryTextTest, ShowsWhereChainsDifferThatWouldLookEqual) {
  const std::string start = "ThreadMain", end = "Queue::Initialize";
  EXPECT_THAT(
      StoryLines(
          {ChainOf({start, "Heap::Initialize", "Arguments::Make", end}, 12),
           ChainOf({start, "Heap::Initialize", "Young::Make", end}, 11),
           ChainOf({start, end}, 10)},
          {.columns = 48}),
      ElementsAre("  12.0%  … → Arguments::Make → Queue::Initialize",
                  "  11.0%  … → Young::Make → Queue::Initialize",
                  "  10.0%  ThreadMain → Queue::Initialize"));
}

TEST(StoryTextTest, PrintsNoControlCharacters) {
  EXPECT_EQ(ChainText(ChainOf({"a\x1b[2J", "b"}, 1), 0, 0).find('\x1b'),
            std::string::npos);
}

}  // namespace
}  // namespace heapprof
