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

// Adds the same functions and inlined subroutines to both, but to `search` none
// that is inlined into a subroutine without code, as in a scan.
void AddRandomNodes(std::mt19937& random, InnermostSink& search,
                    InlineRangeFinder& inline_ranges) {
  struct Numbers {
    uint32_t in_search = InnermostFunctions::kNone;
    uint32_t in_inline_ranges = InnermostFunctions::kNone;
  };
  std::vector<Numbers> known;
  for (uint64_t die = 0; die < 12; ++die) {
    const std::vector<AddressRange> ranges = DrawRanges(random);
    FunctionNode node = {.die = die};
    Numbers numbers;
    if (known.empty() || random() % 3 == 0) {
      numbers = {search.AddFunction(node, ranges),
                 inline_ranges.AddFunction(node, ranges)};
      const bool has_code = numbers.in_search != InnermostFunctions::kNone;
      ASSERT_EQ(numbers.in_inline_ranges != InnermostFunctions::kNone,
                has_code);
      if (!has_code) continue;
    } else {
      const Numbers caller = known[random() % known.size()];
      node.parent = caller.in_search;
      if (node.parent != InnermostFunctions::kNone)
        numbers.in_search = search.AddInlinedSubroutine(node, ranges);
      node.parent = caller.in_inline_ranges;
      numbers.in_inline_ranges =
          inline_ranges.AddInlinedSubroutine(node, ranges);
    }
    known.push_back(numbers);
  }
}

constexpr uint64_t kNoDie = UINT64_MAX;

// Returns the DIE of the innermost function at each address.
std::vector<uint64_t> DiesOf(InnermostSink& search) {
  const std::vector<FunctionNode> nodes = search.TakeNodes();
  std::vector<uint64_t> dies;
  for (const uint32_t node : search.TakeInnermost())
    dies.push_back(node == InnermostFunctions::kNone ? kNoDie
                                                     : nodes[node].die);
  return dies;
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
    AddRandomNodes(random, search, inline_ranges);
    const std::vector<InlineRange> ranges = inline_ranges.Find();
    const std::vector<FunctionNode> nodes = inline_ranges.TakeNodes();
    std::vector<uint64_t> found(addresses.size(), kNoDie);
    uint64_t end = 0;
    for (const InlineRange& inline_range : ranges) {
      EXPECT_LE(end, inline_range.range.start);
      end = inline_range.range.end;
      for (size_t i = 0; i < addresses.size(); ++i)
        if (addresses[i] >= inline_range.range.start && addresses[i] < end)
          found[i] = nodes[inline_range.node].die;
    }
    EXPECT_EQ(found, DiesOf(search)) << round;
    EXPECT_FALSE(inline_ranges.exhausted());
  }
}

}  // namespace
}  // namespace heapprof
