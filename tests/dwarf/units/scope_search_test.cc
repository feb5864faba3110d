// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/scope_search.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

// struct Outer { void First(); struct Inner { void Second(); }; };
class ScopeSearchTest : public testing::Test {
 protected:
  ScopeSearchTest() : unit_({0, 16}) {
    outer_ = unit_.Type("Outer");
    first_ = unit_.Abstract("First");
    unit_.End();
    inner_ = unit_.Type("Inner");
    second_ = unit_.Abstract("Second");
    unit_.End();
    unit_.End();
    unit_.End();
    dwarf_.emplace(SectionsOf({&unit_}));
    const DwarfBytes abbreviations = WrittenUnit::Abbreviations();
    LittleEndianCursor cursor(abbreviations.bytes(), 0);
    std::string problem;
    table_ = AbbreviationTable::Read(cursor, dwarf_->unit().encoding, problem);
    EXPECT_TRUE(table_) << problem;
  }

  std::optional<EnclosingScope> Search(uint64_t start, uint64_t die) const {
    const UnitReader reader = dwarf_->reader();
    // Without the null entry that ends the children of the root.
    return SearchScope(reader, *table_, {start, unit_.end() - 1}, die);
  }

  WrittenUnit unit_;
  uint64_t outer_ = 0;
  uint64_t first_ = 0;
  uint64_t inner_ = 0;
  uint64_t second_ = 0;
  std::optional<OpenedDwarf> dwarf_;
  std::unique_ptr<AbbreviationTable> table_;
};

TEST_F(ScopeSearchTest, FindsTheInnermostScope) {
  EXPECT_EQ(Search(outer_, first_).value().scope, outer_);
  EXPECT_EQ(Search(outer_, inner_).value().scope, outer_);
  EXPECT_EQ(Search(outer_, second_).value().scope, inner_);
}

TEST_F(ScopeSearchTest, FindsNoScopeAtTheStartOfTheSkippedDies) {
  EXPECT_EQ(Search(outer_, outer_).value().scope, std::nullopt);
  EXPECT_EQ(Search(inner_, inner_).value().scope, std::nullopt);
}

TEST_F(ScopeSearchTest, FailsWhereNoDieStarts) {
  EXPECT_FALSE(Search(outer_, first_ + 1));
  EXPECT_FALSE(Search(outer_, unit_.end() + 10));
}

// Each namespace is stepped through, as it has no DW_AT_sibling.
TEST_F(ScopeSearchTest, GivesUpAfterTooManyDies) {
  constexpr int kMany = 2000;
  WrittenUnit unit({0, 16});
  const uint64_t first = unit.Namespace("n");
  unit.End();
  for (int i = 0; i < kMany; ++i) {
    unit.Namespace("n");
    unit.End();
  }
  const uint64_t last = unit.Namespace("n");
  unit.End();
  const OpenedDwarf dwarf(SectionsOf({&unit}));
  const UnitReader reader = dwarf.reader();
  EXPECT_TRUE(SearchScope(reader, *table_, {first, unit.end() - 1}, first));
  EXPECT_FALSE(SearchScope(reader, *table_, {first, unit.end() - 1}, last));
}

}  // namespace
}  // namespace heapprof
