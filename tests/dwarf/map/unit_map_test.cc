// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/unit_map.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The function at [0, 32), with a subroutine inlined into [8, 16), has node 0;
// that at [48, 64) in a type has node 2. Line rows start at 0, 12 and 48.
class UnitMapTest : public testing::Test {
 protected:
  UnitMapTest() : unit_({0, 64}) {
    const uint64_t inlined = unit_.Abstract("inlined");
    unit_.End();
    unit_.Function("outer", {0, 32});
    unit_.Inlined(inlined, {8, 8}, 5);
    unit_.End();
    unit_.End();
    unit_.Type("Type");
    unit_.Function("member", {48, 16});
    unit_.End();
    unit_.End();
  }

  UnitMap Map(const std::vector<WrittenUnit::Range>& wanted,
              const std::vector<WrittenSymbol>& symbols = {}) {
    dwarf_.emplace(
        SectionsOf({&unit_}, WrittenLines({{0, 1}, {12, 2}, {48, 3}}, 64)),
        symbols);
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    std::vector<AddressRange> ranges;
    for (const WrittenUnit::Range& range : wanted)
      ranges.push_back(
          {kCodeStart + range.start, kCodeStart + range.start + range.size});
    UnitMap map =
        MapUnit(*units_, 0, ranges, dwarf_->image(), dwarf_->symbols());
    EXPECT_TRUE(map.is_complete);
    return map;
  }
  // "start-end node:line" of each row, with "-" for no node.
  std::vector<std::string> Rows(
      const std::vector<WrittenUnit::Range>& wanted,
      const std::vector<WrittenSymbol>& symbols = {}) {
    std::vector<std::string> texts;
    for (const UnitMapRow& row : Map(wanted, symbols).rows) {
      const std::string node = row.node == InnermostFunctions::kNone
                                   ? "-"
                                   : std::to_string(row.node);
      texts.push_back(std::to_string(row.range.start - kCodeStart) + '-' +
                      std::to_string(row.range.end - kCodeStart) + ' ' + node +
                      ':' + std::to_string(row.line_row.line));
    }
    return texts;
  }

  WrittenUnit unit_;
  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
};

TEST_F(UnitMapTest, LaysInlineRangesOverLineRows) {
  EXPECT_THAT(Rows({{0, 64}}),
              ElementsAre("0-8 0:1", "8-12 1:1", "12-16 1:2", "16-32 0:2",
                          "32-48 -:2", "48-64 2:3"));
}

TEST_F(UnitMapTest, HasOnlyTheWantedCode) {
  EXPECT_THAT(Rows({{4, 6}, {50, 4}}),
              ElementsAre("4-8 0:1", "8-10 1:1", "50-54 2:3"));
  EXPECT_THAT(Rows({}), IsEmpty());
}

TEST_F(UnitMapTest, HasTheNodesOfTheRows) {
  const UnitMap map = Map({{0, 64}});
  ASSERT_EQ(map.nodes.size(), 3u);
  EXPECT_EQ(map.nodes[1].parent, 0u);
  EXPECT_EQ(map.nodes[1].call_line, 5u);
  EXPECT_EQ(map.nodes[2].entry_pc, kCodeStart + 48);
  EXPECT_TRUE(map.scan.skipped_entry_pcs);
}

// The function in the type is not wanted, and [32, 48) is padding.
TEST_F(UnitMapTest, DoesNotReadSkippedDiesForPadding) {
  EXPECT_FALSE(Map({{0, 48}}, {{"outer", 0, 32}}).scan.skipped_entry_pcs);
  EXPECT_THAT(Rows({{30, 10}}, {{"outer", 0, 32}}),
              ElementsAre("30-32 0:2", "32-40 -:2"));
}

}  // namespace
}  // namespace heapprof
