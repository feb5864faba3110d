// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/units/innermost_search.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// Two units with code at [0, 100) and [100, 200).
class UnitStoreTest : public testing::Test {
 protected:
  UnitStoreTest() : first_({0, 100}), second_({100, 100}, first_.end()) {}

  UnitStore& Open(const std::vector<WrittenSymbol>& symbols = {}) {
    dwarf_.emplace(SectionsOf({&first_, &second_}, WrittenLines({{0, 3}}, 200)),
                   symbols);
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    EXPECT_EQ(units_->problem(), "");
    return *units_;
  }
  // Scans a unit for addresses that functions outside of skipped DIEs cover.
  void Scan(uint32_t unit) {
    std::string problem;
    const AbbreviationTable* table = units_->Abbreviations(unit, problem);
    ASSERT_NE(table, nullptr) << problem;
    units_->PutScan(
        unit,
        FindInnermost(units_->reader(unit), *table, {}, dwarf_->image()).scan);
  }

  WrittenUnit first_;
  WrittenUnit second_;
  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
};

TEST_F(UnitStoreTest, ReadsTheRangesOfAllUnits) {
  UnitStore& units = Open();
  EXPECT_TRUE(units.is_read());
  ASSERT_EQ(units.size(), 2u);
  const auto found = units.ranges().Find(
      std::vector{kCodeStart + 99, kCodeStart + 100, kCodeStart + 200});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].unit, 0u);
  EXPECT_THAT(found[0].addresses, ElementsAre(0));
  EXPECT_EQ(found[1].unit, 1u);
  EXPECT_THAT(found[1].addresses, ElementsAre(1));
}

// In DWARF 2, a root can only have one range.
TEST(Dwarf2UnitStoreTest, AddsTheRangesOfFunctions) {
  WrittenUnit unit({0, 16});
  unit.Function("f", {32, 8});
  unit.End();
  for (const uint64_t version : {2u, 3u}) {
    DwarfBytes info = unit.bytes();
    info.Patch32(4, version);
    const OpenedDwarf dwarf({{".debug_abbrev", WrittenUnit::Abbreviations()},
                             {".debug_info", info}});
    const UnitStore units(dwarf.sections(), dwarf.image(), 1);
    const auto found = units.ranges().Find(
        std::vector{kCodeStart, kCodeStart + 16, kCodeStart + 32});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].addresses.size(), version == 2 ? 2u : 1u);
  }
}

TEST_F(UnitStoreTest, FindsTheUnitOfADie) {
  const uint64_t in_first = first_.Namespace("a");
  first_.End();
  second_ = WrittenUnit({100, 100}, first_.end());
  const uint64_t in_second = second_.Namespace("b");
  second_.End();
  UnitStore& units = Open();
  for (const uint32_t guess : {0u, 1u, 7u}) {
    EXPECT_EQ(units.FindUnit(in_first, guess), 0u);
    EXPECT_EQ(units.FindUnit(in_second, guess), 1u);
    // No DIE is in a unit header, or after the last unit.
    EXPECT_EQ(units.FindUnit(first_.end(), guess), std::nullopt);
    EXPECT_EQ(units.FindUnit(second_.end(), guess), std::nullopt);
  }
}

TEST_F(UnitStoreTest, ReadsSharedTablesOnce) {
  UnitStore& units = Open();
  std::string problem;
  EXPECT_NE(units.Abbreviations(0, problem), nullptr);
  EXPECT_EQ(units.Abbreviations(0, problem), units.Abbreviations(1, problem));
  EXPECT_NE(units.FindLineProgram(0, problem), nullptr);
  EXPECT_EQ(units.FindLineProgram(0, problem),
            units.FindLineProgram(1, problem));
  EXPECT_EQ(problem, "");
}

TEST_F(UnitStoreTest, AnswersSeveralThreads) {
  first_.Namespace("a");
  const uint64_t inner = first_.Namespace("b");
  first_.End();
  first_.End();
  second_ = WrittenUnit({100, 100}, first_.end());
  UnitStore& units = Open();
  std::vector<std::optional<uint64_t>> scopes(4);
  std::vector<std::thread> threads;
  for (std::optional<uint64_t>& scope : scopes)
    threads.emplace_back([&] { scope = units.FindScope(0, inner); });
  for (std::thread& thread : threads) thread.join();
  for (const std::optional<uint64_t>& scope : scopes)
    EXPECT_EQ(scope, scopes[0]);
  EXPECT_TRUE(scopes[0]);
}

// In skipped DIEs as well as outside of them.
TEST_F(UnitStoreTest, FindsScopes) {
  const uint64_t space = first_.Namespace("space");
  const uint64_t type = first_.Type("Type");
  const uint64_t member = first_.Abstract("Member");
  first_.End();
  first_.End();
  const uint64_t function = first_.Function("f", {0, 16});
  first_.End();
  first_.End();
  second_ = WrittenUnit({100, 100}, first_.end());
  for (const bool is_scanned : {false, true}) {
    UnitStore& units = Open();
    if (is_scanned) Scan(0);
    EXPECT_EQ(units.FindScope(0, member), type);
    EXPECT_EQ(units.FindScope(0, type), space);
    EXPECT_EQ(units.FindScope(0, function), space);
    EXPECT_EQ(units.FindScope(0, space), std::nullopt);
  }
}

// The entry PC of a copy whose origin is in the same unit, in skipped DIEs of
// it, or in another unit.
TEST_F(UnitStoreTest, FindsEntryPcs) {
  const uint64_t known = first_.Abstract("known");
  first_.End();
  const uint64_t skipped = first_.Abstract("skipped");
  first_.End();
  const uint64_t foreign = first_.Abstract("foreign");
  first_.End();
  first_.Copy(known, {16, 8});
  first_.End();
  first_.Abstract("outer");
  first_.Type("Local");
  first_.Copy(skipped, {32, 8});
  first_.End();
  first_.End();
  first_.End();
  second_ = WrittenUnit({100, 100}, first_.end());
  second_.Copy(foreign, {120, 8});
  second_.End();
  UnitStore& units = Open({{"skipped", 32, 8}});
  Scan(0);
  const SymbolTable& symbols = dwarf_->symbols();
  EXPECT_EQ(units.EntryPcOf(0, known), kCodeStart + 16);
  EXPECT_EQ(units.EntryPcOf(0, skipped), 0u);
  EXPECT_EQ(units.SkippedEntryPc(0, skipped, symbols), kCodeStart + 32);
  EXPECT_EQ(units.SkippedEntryPc(0, foreign, symbols), 0u);
  EXPECT_THAT(units.SymbolsInUncoveredCode(0, symbols), ElementsAre("skipped"));
  EXPECT_EQ(units.EntryPcInAnyUnit(foreign), kCodeStart + 120);
  EXPECT_EQ(units.EntryPcInAnyUnit(known), 0u);
}

TEST_F(UnitStoreTest, IgnoresSkippedFunctionsWithoutASymbol) {
  const uint64_t origin = first_.Abstract("skipped");
  first_.End();
  first_.Abstract("outer");
  first_.Type("Local");
  first_.Copy(origin, {32, 8});
  first_.End();
  first_.End();
  first_.End();
  second_ = WrittenUnit({100, 100}, first_.end());
  UnitStore& units = Open({{"other", 64, 8}});
  Scan(0);
  EXPECT_EQ(units.SkippedEntryPc(0, origin, dwarf_->symbols()), 0u);
}

// gcc repeats the line program of a compile unit in all of its type units, and
// dwz in partial units. They have no code.
TEST(UnitStoreLinesTest, CountsTheLineProgramsOfCompileUnitsOnly) {
  enum : uint64_t { kCompileUnit = 1, kPartialUnit };
  DwarfBytes abbreviations;
  for (const uint64_t code : {kCompileUnit, kPartialUnit})
    abbreviations.Ulebs(
        {code,
         static_cast<uint64_t>(code == kCompileUnit ? DW_TAG_compile_unit
                                                    : DW_TAG_partial_unit),
         0, DW_AT_stmt_list, DW_FORM_sec_offset, 0, 0});
  abbreviations.U8(0);
  for (const uint64_t code : {kCompileUnit, kPartialUnit}) {
    const DwarfBytes root = OldUnitHeader().U8(code).U32(0);
    const OpenedDwarf dwarf(
        {{".debug_abbrev", abbreviations},
         {".debug_info", DwarfBytes().Repeat(DwarfBytes().Unit(root), 1000)},
         {".debug_line", DwarfBytes().Unit(DwarfBytes().Number(0, 1 << 20))}});
    const UnitStore units(dwarf.sections(), dwarf.image(), 1);
    EXPECT_EQ(units.size(), 1000u);
    EXPECT_EQ(units.CanReadAllLines(), code == kPartialUnit);
  }
}

TEST_F(UnitStoreTest, ReportsAUnitThatItCannotRead) {
  auto sections = SectionsOf({&first_});
  sections[".debug_abbrev"] = DwarfBytes().U8(0);
  const OpenedDwarf dwarf(sections);
  const UnitStore units(dwarf.sections(), dwarf.image(), 1);
  EXPECT_EQ(units.problem(),
            "unit at 0x0 of .debug_info: its root DIE is damaged");
}

}  // namespace
}  // namespace heapprof
