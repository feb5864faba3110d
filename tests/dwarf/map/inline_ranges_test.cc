// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/inline_ranges.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/units/innermost_search.h"

namespace heapprof {
namespace {

constexpr uint64_t kEnd = 200;

std::vector<AddressRange> DrawRanges(std::mt19937& random) {
  std::vector<AddressRange> ranges(1 + random() % 3);
  for (AddressRange& range : ranges) {
    range.start = random() % kEnd;
    range.end = range.start + 1 + random() % 40;
  }
  return ranges;
}

// The example in the header.
TEST(InlineRangesTest, EndWhereTheInnermostFunctionChanges) {
  const std::vector<AddressRange> wanted = {{0, 300}};
  const std::vector<AddressRange> f = {{100, 180}}, g = {{120, 150}},
                                  h = {{130, 140}}, k = {{160, 200}};
  InlineRangeFinder finder(wanted);
  ASSERT_EQ(finder.AddFunction({}, f), 0u);
  ASSERT_EQ(finder.AddInlinedSubroutine({.parent = 0}, g), 1u);
  ASSERT_EQ(finder.AddInlinedSubroutine({.parent = 1}, h), 2u);
  ASSERT_EQ(finder.AddFunction({}, k), 3u);
  std::string text;
  for (const InlineRange& found : finder.Find())
    text += std::to_string(found.range.start) + '-' +
            std::to_string(found.range.end) + ' ' + "fghk"[found.node] + ' ';
  EXPECT_EQ(text,
            "100-120 f 120-130 g 130-140 h 140-150 g 150-180 f 180-200 k ");
}

// Random functions and inlined subroutines, with nested functions among them.
TEST(InlineRangesTest, AgreeWithASearchForEachAddress) {
  std::mt19937 random(23);
  for (int round = 0; round < 300; ++round) {
    std::vector<AddressRange> wanted;
    for (uint64_t at = random() % 20; at < kEnd; at += 1 + random() % 30) {
      wanted.push_back({at, at + 1 + random() % 60});
      at = wanted.back().end;
    }
    std::vector<uint64_t> addresses;
    for (const AddressRange& range : wanted)
      for (uint64_t at = range.start; at < range.end; ++at)
        addresses.push_back(at);
    InnermostSink search(addresses);
    InlineRangeFinder inline_ranges(wanted);
    std::vector<uint32_t> known;  // nodes with code
    for (uint64_t die = 0; die < 12; ++die) {
      const std::vector<AddressRange> ranges = DrawRanges(random);
      FunctionNode node = {.die = die};
      if (known.empty() || random() % 3 == 0) {
        const uint32_t number = search.AddFunction(node, ranges);
        ASSERT_EQ(inline_ranges.AddFunction(node, ranges), number);
        if (number != InnermostFunctions::kNone) known.push_back(number);
      } else {
        node.parent = known[random() % known.size()];
        const uint32_t number = search.AddInlinedSubroutine(node, ranges);
        ASSERT_EQ(inline_ranges.AddInlinedSubroutine(node, ranges), number);
        known.push_back(number);
      }
    }
    std::vector<uint32_t> found(addresses.size(), InnermostFunctions::kNone);
    uint64_t end = 0;
    for (const InlineRange& inline_range : inline_ranges.Find()) {
      EXPECT_LE(end, inline_range.range.start);
      end = inline_range.range.end;
      for (size_t i = 0; i < addresses.size(); ++i)
        if (addresses[i] >= inline_range.range.start && addresses[i] < end)
          found[i] = inline_range.node;
    }
    EXPECT_EQ(found, search.TakeInnermost()) << round;
    EXPECT_FALSE(inline_ranges.exhausted());
  }
}

}  // namespace
}  // namespace heapprof
