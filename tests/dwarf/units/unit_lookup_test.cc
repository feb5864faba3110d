// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_lookup.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof::unit_lookup_test {
namespace {

using ::testing::ElementsAre;

constexpr uint32_t kNone = InnermostFunctions::kNone;
constexpr uint64_t kFunctionSize = 16;

// A unit with `count` functions of kFunctionSize bytes, each with a subroutine
// inlined into its second half, and with a line row for every half.
class LookedUpUnit {
 public:
  explicit LookedUpUnit(uint64_t count) {
    WrittenUnit unit({0, count * kFunctionSize});
    const uint64_t inlined = unit.Abstract("inlined");
    unit.End();
    std::vector<WrittenRow> rows;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t start = i * kFunctionSize;
      functions_.push_back(unit.Function(
          "a function with a name that makes the unit large enough to be split",
          {start, kFunctionSize}));
      unit.Inlined(inlined, {start + 8, 8}, 3);
      unit.End();
      unit.End();
      rows.push_back({start, 2 * i % 50 + 1});
      rows.push_back({start + 8, 2 * i % 50 + 2});
    }
    dwarf_.emplace(
        SectionsOf({&unit}, WrittenLines(rows, count * kFunctionSize)));
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    EXPECT_EQ(units_->problem(), "");
  }

  UnitLookupResult LookUp(const std::vector<uint64_t>& addresses,
                          unsigned jobs = 1, bool with_line_rows = true) {
    UnitLookupRequest request{.with_line_rows = with_line_rows};
    for (const uint64_t address : addresses)
      request.addresses.push_back(kCodeStart + address);
    const SymbolSource symbols = [this]() -> const SymbolTable& {
      ++symbol_loads_;
      return dwarf_->symbols();
    };
    std::vector<UnitLookupResult> results =
        LookUpUnits({&request, 1}, *units_, dwarf_->image(), jobs, symbols);
    EXPECT_EQ(results.size(), 1u);
    return std::move(results.at(0));
  }

  const std::vector<uint64_t>& functions() const { return functions_; }
  uint64_t size() const { return units_->unit(0).end; }
  int symbol_loads() const { return symbol_loads_; }

 private:
  std::vector<uint64_t> functions_;  // their DIEs
  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
  std::atomic<int> symbol_loads_ = 0;
};

TEST(UnitLookupTest, FindsFunctionsAndLineRows) {
  LookedUpUnit unit(3);
  const UnitLookupResult result = unit.LookUp({0, 15, 20, 100});
  EXPECT_EQ(result.problem, "");
  EXPECT_FALSE(result.is_unreadable);
  EXPECT_THAT(result.functions.innermost, ElementsAre(0, 1, 2, kNone));
  ASSERT_EQ(result.functions.nodes.size(), 3u);
  EXPECT_EQ(result.functions.nodes[0].die, unit.functions()[0]);
  EXPECT_EQ(result.functions.nodes[1].parent, 0u);
  EXPECT_EQ(result.functions.nodes[1].call_line, 3u);
  EXPECT_EQ(result.functions.nodes[2].die, unit.functions()[1]);
  ASSERT_EQ(result.rows.size(), 4u);
  EXPECT_EQ(result.rows[0].line, 1u);
  EXPECT_EQ(result.rows[1].line, 2u);
  EXPECT_EQ(result.rows[2].line, 3u);
  EXPECT_FALSE(result.rows[3].found);
}

TEST(UnitLookupTest, OmitsLineRows) {
  LookedUpUnit unit(1);
  const UnitLookupResult result = unit.LookUp({0}, 1, false);
  EXPECT_EQ(result.line_program, nullptr);
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_FALSE(result.rows[0].found);
}

TEST(UnitLookupTest, LoadsTheSymbols) {
  LookedUpUnit unit(1);
  unit.LookUp({0});
  EXPECT_GE(unit.symbol_loads(), 1);
}

// So large that several threads share the unit.
TEST(UnitLookupTest, DoesNotDependOnTheNumberOfThreads) {
  LookedUpUnit unit(3000);
  ASSERT_GT(unit.size(), 128u << 10);
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < 3000 * kFunctionSize; at += 37)
    addresses.push_back(at);
  const UnitLookupResult expected = unit.LookUp(addresses);
  for (const unsigned jobs : {2u, 3u, 8u}) {
    const UnitLookupResult result = unit.LookUp(addresses, jobs);
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.functions.innermost, expected.functions.innermost);
    EXPECT_EQ(result.rows, expected.rows);
    ASSERT_EQ(result.functions.nodes.size(), expected.functions.nodes.size());
    for (size_t i = 0; i < expected.functions.nodes.size(); ++i) {
      EXPECT_EQ(result.functions.nodes[i].die, expected.functions.nodes[i].die);
      EXPECT_EQ(result.functions.nodes[i].parent,
                expected.functions.nodes[i].parent);
    }
  }
}

}  // namespace
}  // namespace heapprof::unit_lookup_test
