// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_map_builder.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class CodeMapBuilderTest : public testing::Test {
 protected:
  void Open(const std::vector<const WrittenUnit*>& units,
            const std::vector<WrittenSymbol>& symbols = {}) {
    dwarf_.emplace(SectionsOf(units, WrittenLines({{0, 1}, {40, 2}}, 100)),
                   symbols);
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    ASSERT_EQ(units_->problem(), "");
  }

  CodeMap Build(unsigned jobs = 1) {
    CodeMapBuilder builder(dwarf_->image(), dwarf_->symbols(), jobs);
    EXPECT_TRUE(builder.AddUnits(*units_));
    return builder.Finish();
  }
  // "start-end name:line" of each row, with the names of the functions that the
  // innermost one is inlined into.
  static std::vector<std::string> RowsOf(const CodeMap& map) {
    std::vector<std::string> texts;
    for (const MapRange& range : map.ranges)
      for (uint32_t i = 0; i < range.row_count; ++i) {
        const MapRow& row = map.rows[range.first_row + i];
        const uint64_t end = i + 1 < range.row_count
                                 ? map.rows[range.first_row + i + 1].start
                                 : range.end;
        std::string text = std::to_string(row.start - kCodeStart) + '-' +
                           std::to_string(end - kCodeStart);
        for (uint32_t node = row.node; node != MapNode::kNone;
             node = map.nodes[node].parent)
          text.append(" ").append(
              map.names[map.functions[map.nodes[node].function].name]);
        texts.push_back(text + ':' + std::to_string(row.line));
      }
    return texts;
  }

  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
};

TEST_F(CodeMapBuilderTest, MapsFunctionsAndInlinedSubroutines) {
  WrittenUnit unit({0, 32});
  const uint64_t inlined = unit.Abstract("inlined");
  unit.End();
  unit.Function("outer", {0, 32});
  unit.Inlined(inlined, {8, 8}, 5);
  unit.End();
  unit.End();
  Open({&unit});
  const CodeMap map = Build();
  EXPECT_THAT(RowsOf(map), ElementsAre("0-8 outer:1", "8-16 inlined outer:1",
                                       "16-32 outer:1"));
  EXPECT_EQ(map.ranges.size(), 1u);
}

TEST_F(CodeMapBuilderTest, GivesCodeToTheFirstUnitWithAFunction) {
  WrittenUnit first({0, 50});
  first.Function("first", {8, 8});
  first.End();
  WrittenUnit second({0, 50}, first.end());
  second.Function("second", {0, 24});
  second.End();
  Open({&first, &second});
  for (const unsigned jobs : {1u, 4u})
    EXPECT_THAT(RowsOf(Build(jobs)),
                ElementsAre("0-8 second:1", "8-16 first:1", "16-24 second:1"));
}

// The first 100 units describe the same code twice, and the last one more code.
TEST_F(CodeMapBuilderTest, MapsTheSameFromAnyBatchesOfUnits) {
  constexpr size_t kFunctions = 50;
  std::deque<WrittenUnit> written;
  std::vector<const WrittenUnit*> units;
  std::vector<std::string> rows;
  const auto add = [&](const std::string& name, uint64_t start) {
    const uint64_t offset = written.empty() ? 0 : written.back().end();
    WrittenUnit& unit =
        written.emplace_back(WrittenUnit::Range{start, 1}, offset);
    unit.Function(name, {start, 1});
    unit.End();
    units.push_back(&unit);
  };
  for (size_t i = 0; i < 2 * kFunctions; ++i) {
    const uint64_t start = i % kFunctions;
    add("f" + std::to_string(i), start);
    if (i < kFunctions)
      rows.push_back(
          fmt::format("{}-{} f{}:{}", start, start + 1, i, start < 40 ? 1 : 2));
  }
  add("last", 60);
  rows.push_back("60-61 last:2");
  Open(units);
  for (const unsigned jobs : {1u, 2u, 4u})
    EXPECT_THAT(RowsOf(Build(jobs)), ElementsAreArray(rows)) << jobs;
}

// With the position of the line row there.
TEST_F(CodeMapBuilderTest, GivesTheRestToSymbols) {
  WrittenUnit unit({0, 100});
  unit.Function("function", {0, 16});
  unit.End();
  Open({&unit}, {{"function", 0, 16}, {"symbol", 32, 32}});
  EXPECT_THAT(RowsOf(Build()), ElementsAre("0-16 function:1", "32-40 symbol:1",
                                           "40-64 symbol:2"));
}

TEST_F(CodeMapBuilderTest, StoresAFunctionOnce) {
  WrittenUnit first({0, 20});
  const uint64_t inlined = first.Abstract("inlined");
  first.End();
  for (const uint64_t start : {0u, 8u}) {
    first.Function("outer", {start, 8});
    first.Inlined(inlined, {start + 2, 2}, 5);
    first.End();
    first.End();
  }
  Open({&first});
  const CodeMap map = Build();
  EXPECT_THAT(map.names, ElementsAre("outer", "inlined"));
  EXPECT_EQ(map.functions.size(), 2u);
  EXPECT_EQ(map.nodes.size(), 4u);
}

TEST_F(CodeMapBuilderTest, IgnoresLineRowsOutsideFunctionsIfAsked) {
  WrittenUnit unit({0, 100});
  Open({&unit}, {{"symbol", 0, 100}});
  for (const bool with_rows : {false, true}) {
    CodeMapBuilder builder(dwarf_->image(), dwarf_->symbols(), 1);
    const CodeMapBuilder::Source source = {
        .units = &*units_,
        .ranges = {{kCodeStart, kCodeStart + 100}},
        .with_rows_outside_functions = with_rows};
    EXPECT_TRUE(builder.Add({&source, 1}));
    if (with_rows)
      EXPECT_THAT(RowsOf(builder.Finish()),
                  ElementsAre("0-40 symbol:1", "40-100 symbol:2"));
    else
      EXPECT_THAT(RowsOf(builder.Finish()), ElementsAre("0-100 symbol:0"));
  }
}

TEST_F(CodeMapBuilderTest, FailsOnADamagedUnit) {
  WrittenUnit unit({0, 100});
  auto sections = SectionsOf({&unit}, WrittenLines({{0, 1}}, 100));
  // A DIE without an abbreviation.
  sections[".debug_info"] = DwarfBytes().Unit(
      OldUnitHeader().U8(1).U64(kCodeStart).U32(100).U32(0).U8(99).U8(0));
  dwarf_.emplace(sections);
  units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
  CodeMapBuilder builder(dwarf_->image(), dwarf_->symbols(), 1);
  EXPECT_FALSE(builder.AddUnits(*units_));
}

TEST_F(CodeMapBuilderTest, MakesAnEmptyMapWithoutUnits) {
  Open({});
  EXPECT_THAT(RowsOf(Build()), IsEmpty());
}

}  // namespace
}  // namespace heapprof
