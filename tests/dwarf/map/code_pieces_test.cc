// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_pieces.h"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/units/owner_walk.h"

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

// Functions and calls at random, nested functions among them: for every
// address the pieces say what the owners do.
TEST(CodePiecesTest, AgreesWithAddressOwners) {
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
    OwnerSink owners(addresses);
    CodePieceFinder pieces(wanted);
    std::vector<uint32_t> known;  // functions and calls that code is in
    for (uint64_t entry = 0; entry < 12; ++entry) {
      const std::vector<AddressRange> ranges = DrawRanges(random);
      FunctionNode node = {.entry = entry};
      if (known.empty() || random() % 3 == 0) {
        const uint32_t number = owners.AddFunction(node, ranges);
        ASSERT_EQ(pieces.AddFunction(node, ranges), number);
        if (number != AddressOwners::kNone) known.push_back(number);
      } else {
        node.parent = known[random() % known.size()];
        const uint32_t number = owners.AddInlinedCall(node, ranges);
        ASSERT_EQ(pieces.AddInlinedCall(node, ranges), number);
        known.push_back(number);
      }
    }
    std::vector<uint32_t> found(addresses.size(), AddressOwners::kNone);
    uint64_t end = 0;
    for (const CodePiece& piece : pieces.Find()) {
      EXPECT_LE(end, piece.range.start);
      end = piece.range.end;
      for (size_t i = 0; i < addresses.size(); ++i)
        if (addresses[i] >= piece.range.start && addresses[i] < end)
          found[i] = piece.node;
    }
    EXPECT_EQ(found, owners.TakeInnermost()) << round;
    EXPECT_FALSE(pieces.exhausted());
  }
}

}  // namespace
}  // namespace heapprof
