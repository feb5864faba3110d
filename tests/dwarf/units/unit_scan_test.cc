// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"
#include "dwarf/units/innermost_search.h"
#include "dwarf/written_unit.h"

namespace heapprof::unit_scan_test {
namespace {

using ::testing::ElementsAre;

// 1 is a unit with code, 2 a function and 3 an inlined subroutine, both with
// code and children. 4 is a function with code, 5 one without and 6 a type, all
// with children and DW_AT_sibling. 7 is a call site with children and
// DW_AT_sibling, 8 one without the latter, and 9 an argument.
DwarfBytes Abbreviations() {
  DwarfBytes table;
  uint64_t code = 0;
  for (const uint64_t tag :
       {DW_TAG_compile_unit, DW_TAG_subprogram, DW_TAG_inlined_subroutine})
    table.Ulebs({++code, tag, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data4, 0, 0});
  table.Ulebs({++code, DW_TAG_subprogram, 1, DW_AT_low_pc, DW_FORM_addr,
               DW_AT_high_pc, DW_FORM_data4, DW_AT_sibling, DW_FORM_ref4, 0,
               0});
  for (const uint64_t tag : {DW_TAG_subprogram, DW_TAG_structure_type})
    table.Ulebs({++code, tag, 1, DW_AT_sibling, DW_FORM_ref4, 0, 0});
  table.Ulebs({++code, DW_TAG_call_site, 1, DW_AT_sibling, DW_FORM_ref4, 0, 0});
  table.Ulebs({++code, DW_TAG_call_site, 1, 0, 0});
  table.Ulebs({++code, DW_TAG_call_site_parameter, 0, DW_AT_location,
               DW_FORM_data1, 0, 0});
  return table.U8(0);
}

class UnitUnderTest {
 public:
  UnitUnderTest() { unit_.U8(1).U64(kCodeStart).U32(kCodeSize); }

  // Returns the offset of the new DIE.
  uint64_t Open(uint64_t code, uint64_t start, uint64_t size) {
    const uint64_t die = 4 + unit_.size();
    unit_.Uleb(code).U64(kCodeStart + start).U32(size);
    return die;
  }
  void Close() { unit_.U8(0); }
  void Add(const DwarfBytes& dies) { unit_.Append(dies); }
  // A function that ends `beyond` bytes after its DW_AT_sibling.
  uint64_t AddFunction(uint64_t start, uint64_t size,
                       const DwarfBytes& children, uint64_t beyond = 0) {
    const uint64_t die = Open(4, start, size);
    AddChildren(children, beyond);
    return die;
  }
  void AddWithoutCode(uint64_t code, const DwarfBytes& children) {
    unit_.Uleb(code);
    AddChildren(children, 0);
  }

  InnermostNodes Search(const std::vector<uint64_t>& addresses) {
    const OpenedDwarf dwarf({{".debug_abbrev", Abbreviations()},
                             {".debug_info", DwarfBytes().Unit(unit_)}});
    std::string problem;
    const DwarfBytes abbreviations = Abbreviations();
    LittleEndianCursor cursor(abbreviations.bytes(), 0);
    const auto table =
        AbbreviationTable::Read(cursor, dwarf.unit().encoding, problem);
    EXPECT_TRUE(table) << problem;
    return FindInnermost(dwarf.reader(), *table, addresses, dwarf.image());
  }

 private:
  void AddChildren(const DwarfBytes& children, uint64_t beyond) {
    constexpr size_t kLength = 4;
    constexpr size_t kSibling = 4;
    unit_.U32(kLength + unit_.size() + kSibling + children.size() + 1 - beyond);
    unit_.Append(children).U8(0);
  }

  DwarfBytes unit_ = OldUnitHeader();
};

// A function without children.
DwarfBytes Function(uint64_t start, uint64_t size) {
  return DwarfBytes().Uleb(2).U64(kCodeStart + start).U32(size).U8(0);
}

TEST(UnitScanTest, KeepsTheNodesOfInlineChainsOnly) {
  UnitUnderTest unit;
  unit.Open(2, 0, 16);
  unit.Close();
  const uint64_t function = unit.Open(2, 16, 100);
  unit.Open(3, 20, 4);  // no address in it is looked up
  unit.Close();
  unit.Open(3, 30, 20);  // its only address is in the next subroutine
  unit.Open(3, 40, 4);   // one address in it is looked up
  unit.Close();
  unit.Open(3, 44, 4);
  unit.Close();
  unit.Close();
  unit.Close();
  unit.Close();
  const InnermostNodes found =
      unit.Search({kCodeStart + 18, kCodeStart + 41, kCodeStart + 200});
  ASSERT_EQ(found.nodes.size(), 3u);
  EXPECT_EQ(found.nodes[0].die, function);
  EXPECT_EQ(found.nodes[1].parent, 0u);
  EXPECT_EQ(found.nodes[2].parent, 1u);
  EXPECT_THAT(found.innermost, ElementsAre(0u, 2u, InnermostFunctions::kNone));
}

// A function inside a type, a function without code or another function is
// read only if an address has no function yet.
TEST(UnitScanTest, FindsFunctionsInSkippedDies) {
  UnitUnderTest unit;
  unit.AddWithoutCode(6, Function(0, 16));
  unit.AddWithoutCode(5, Function(16, 16));
  unit.AddFunction(200, 16, Function(32, 16));  // no address in it is looked up
  const uint64_t outer = unit.AddFunction(48, 16, Function(64, 16));
  unit.Close();
  InnermostNodes found = unit.Search({kCodeStart + 50});
  EXPECT_EQ(found.scan.skipped.size(), 2u);
  EXPECT_FALSE(found.scan.skipped_entry_pcs);
  found = unit.Search({kCodeStart, kCodeStart + 20, kCodeStart + 40,
                       kCodeStart + 50, kCodeStart + 70});
  EXPECT_TRUE(found.scan.skipped_entry_pcs);
  EXPECT_EQ(found.scan.problem, "");
  ASSERT_EQ(found.nodes.size(), 5u);
  EXPECT_EQ(found.nodes[0].die, outer);
  EXPECT_THAT(found.innermost, ElementsAre(4u, 1u, 2u, 0u, 3u));
}

// The same holds for DIEs without DW_AT_sibling: their children are stepped
// over one by one.
TEST(UnitScanTest, SkipsDiesWithoutSibling) {
  UnitUnderTest unit;
  const uint64_t unneeded = unit.Open(2, 0, 16);
  unit.Open(3, 0, 8);
  unit.Add(DwarfBytes().Repeat(Function(200, 8), 100));
  unit.Close();
  unit.Close();
  const uint64_t function = unit.Open(2, 16, 16);
  const uint64_t inlined = unit.Open(3, 16, 8);  // no address in it is wanted
  unit.Close();
  unit.Close();
  unit.Close();
  InnermostNodes found = unit.Search({kCodeStart + 30});
  EXPECT_EQ(found.scan.problem, "");
  ASSERT_EQ(found.scan.skipped.size(), 2u);
  EXPECT_EQ(found.scan.skipped[0].start, unneeded);
  EXPECT_EQ(found.scan.skipped[0].end, function);
  EXPECT_EQ(found.scan.skipped[1].start, inlined);
  EXPECT_THAT(found.innermost, ElementsAre(0u));
  found = unit.Search({kCodeStart + 30, kCodeStart + 200});
  EXPECT_THAT(found.innermost, ElementsAre(0u, 1u));
}

// A scan of damaged DIEs must not read to the damage again and again.
TEST(UnitScanTest, ReadsManyLevelsOfDamagedDiesOnce) {
  constexpr int kLevels = 100'000;
  UnitUnderTest unit;
  for (int i = 0; i < kLevels; ++i) unit.Open(2, 0, 16);
  unit.Add(DwarfBytes().Uleb(99));  // an unknown code
  const InnermostNodes found = unit.Search({kCodeStart + 30});
  EXPECT_NE(found.scan.problem, "");
}

InnermostNodes SearchIn(const WrittenUnit& unit,
                        const std::vector<uint64_t>& addresses) {
  const OpenedDwarf dwarf(SectionsOf({&unit}));
  std::string problem;
  const DwarfBytes abbreviations = WrittenUnit::Abbreviations();
  LittleEndianCursor cursor(abbreviations.bytes(), 0);
  const auto table =
      AbbreviationTable::Read(cursor, dwarf.unit().encoding, problem);
  EXPECT_TRUE(table) << problem;
  return FindInnermost(dwarf.reader(), *table, addresses, dwarf.image());
}

// Of the skipped DIEs, types outside of functions and declarations of functions
// come last. All others may have code in practice, such as a type that is local
// to a function.
TEST(UnitScanTest, ReadsTypesAndDeclarationsLast) {
  WrittenUnit unit({0, 96});
  const auto add = [&unit](WrittenUnit::Range code) {
    const uint64_t die = unit.Function("f", code);
    unit.End();
    return die;
  };
  unit.Type("Global");
  const uint64_t in_type = add({0, 16});
  add({32, 16});
  unit.End();
  unit.Declaration("declared");
  const uint64_t in_declaration = add({64, 16});
  unit.End();
  unit.Abstract("without_code");
  unit.Type("Local");
  const uint64_t in_local_type = add({32, 16});
  unit.End();
  unit.End();
  unit.Function("with_code", {48, 16});
  unit.Type("Local");
  const uint64_t in_other_type = add({80, 16});
  unit.End();
  unit.End();

  InnermostNodes found = SearchIn(unit, {kCodeStart + 32, kCodeStart + 80});
  ASSERT_THAT(found.innermost, ElementsAre(0u, 1u));
  EXPECT_EQ(found.nodes[0].die, in_local_type);
  EXPECT_EQ(found.nodes[1].die, in_other_type);

  found = SearchIn(unit, {kCodeStart, kCodeStart + 32, kCodeStart + 64});
  ASSERT_THAT(found.innermost, ElementsAre(1u, 0u, 2u));
  EXPECT_EQ(found.nodes[0].die, in_local_type);
  EXPECT_EQ(found.nodes[1].die, in_type);
  EXPECT_EQ(found.nodes[2].die, in_declaration);
}

// The order of the functions does not matter, nor whether an address of the
// outer one is looked up.
TEST(UnitScanTest, PrefersFunctionsOutsideOfSkippedDies) {
  UnitUnderTest unit;
  unit.AddWithoutCode(6, Function(0, 16));
  unit.AddFunction(100, 16, Function(0, 16));
  const uint64_t outer = unit.AddFunction(0, 16, DwarfBytes());
  unit.Close();
  for (const uint64_t other : {kCodeStart + 100, kCodeStart + 300}) {
    const InnermostNodes found = unit.Search({kCodeStart, other});
    ASSERT_NE(found.innermost[0], InnermostFunctions::kNone);
    EXPECT_EQ(found.nodes[found.innermost[0]].die, outer);
  }
}

TEST(UnitScanTest, ContinuesAfterCallSites) {
  UnitUnderTest unit;
  unit.Open(2, 0, 64);
  unit.AddWithoutCode(7, DwarfBytes().Uleb(9).U8(1).Uleb(9).U8(2));
  unit.Open(3, 20, 4);
  unit.Add(DwarfBytes().Uleb(8).Uleb(9).U8(1).U8(0));
  unit.Close();
  unit.Close();
  const uint64_t second = unit.Open(2, 64, 16);
  unit.Close();
  unit.Close();
  const InnermostNodes found = unit.Search({kCodeStart + 20, kCodeStart + 64});
  EXPECT_EQ(found.scan.problem, "");
  ASSERT_EQ(found.nodes.size(), 3u);
  EXPECT_EQ(found.nodes[1].parent, 0u);
  EXPECT_EQ(found.nodes[2].die, second);
  EXPECT_THAT(found.innermost, ElementsAre(1u, 2u));
}

TEST(UnitScanTest, ReportsDiesThatDoNotEndAtTheirSibling) {
  UnitUnderTest unit;
  unit.AddFunction(0, 16, Function(100, 16), 14);
  unit.Close();
  EXPECT_EQ(unit.Search({kCodeStart}).scan.problem,
            "its DIEs are damaged; the rest is not read");
}

}  // namespace
}  // namespace heapprof::unit_scan_test
