// SPDX-License-Identifier: Apache-2.0
#include "view/moved_code.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

// An entry whose change is known up to `error`.
ComparisonEntry Changed(std::string key, double change, double error = 0) {
  ComparisonEntry entry;
  entry.key = std::move(key);
  entry.change = change;
  entry.interval = {change - error, change + error};
  entry.is_new = change > 0;
  entry.is_gone = change < 0;
  return entry;
}

// The entry from which the first one was moved; empty if none was found.
std::string OriginOfFirst(std::vector<ComparisonEntry> entries,
                          CompareBy by = CompareBy::kFunction) {
  Comparison comparison = {.by = by};
  comparison.entries = std::move(entries);
  MarkMoved(comparison);
  return comparison.entries.front().maybe_moved;
}

TEST(MarkMovedTest, PrefersTheSameFileNameInAnotherFolder) {
  const std::vector<ComparisonEntry> entries = {
      Changed("new/f.cc", 8), Changed("old/f.cc", -8), Changed("old/g.cc", -8)};
  EXPECT_EQ(OriginOfFirst(entries, CompareBy::kFile), "old/f.cc");
  EXPECT_EQ(OriginOfFirst(entries, CompareBy::kModule), "old/f.cc");
  // Whole stacks and threads have no last part.
  EXPECT_EQ(OriginOfFirst(entries, CompareBy::kStack), "");
  EXPECT_EQ(OriginOfFirst(entries, CompareBy::kThread), "");
}

TEST(MarkMovedTest, IgnoresArgumentsOfTheLastPart) {
  EXPECT_EQ(OriginOfFirst({Changed("b::f(int)", 8), Changed("a::f(long)", -8),
                           Changed("a::g(int)", -8)}),
            "a::f(long)");
}

TEST(MarkMovedTest, AddsTheErrorsOfBothSidesAsSquares) {
  // Errors of 3 and 4 allow a difference of 5.
  EXPECT_EQ(OriginOfFirst({Changed("f", 105, 3), Changed("g", -100, 4)}), "g");
  EXPECT_EQ(OriginOfFirst({Changed("f", 106, 3), Changed("g", -100, 4)}), "");
  EXPECT_EQ(OriginOfFirst({Changed("f", 100, 3), Changed("g", -105, 4)}), "g");
  EXPECT_EQ(OriginOfFirst({Changed("f", 100, 3), Changed("g", -106, 4)}), "");
}

TEST(MarkMovedTest, LeavesOutNoiseAndEntriesOfBothSides) {
  ComparisonEntry noise = Changed("g", -8);
  noise.is_noise = true;
  EXPECT_EQ(OriginOfFirst({Changed("f", 8), noise}), "");
  ComparisonEntry on_both_sides = Changed("g", -8);
  on_both_sides.is_gone = false;
  EXPECT_EQ(OriginOfFirst({Changed("f", 8), on_both_sides}), "");
}

TEST(MarkMovedTest, ExaminesOnlyTheLargestEntries) {
  const auto origin_behind = [](int larger) {
    std::vector<ComparisonEntry> entries = {Changed("f", 1)};
    for (int i = 0; i < larger; ++i)
      entries.push_back(Changed(fmt::format("x{}", i), -1000 - i));
    entries.push_back(Changed("g", -1));
    return OriginOfFirst(std::move(entries));
  };
  EXPECT_EQ(origin_behind(99), "g");
  EXPECT_EQ(origin_behind(100), "");
}

}  // namespace
}  // namespace heapprof
