// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"
#include "dwarf/units/owner_walk.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// 1 is a unit with code, 2 a function and 3 a call inlined into one, both with
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

  // Returns the offset of the new entry.
  uint64_t Open(uint64_t code, uint64_t start, uint64_t size) {
    const uint64_t entry = 4 + unit_.size();
    unit_.Uleb(code).U64(kCodeStart + start).U32(size);
    return entry;
  }
  void Close() { unit_.U8(0); }
  void Add(const DwarfBytes& entries) { unit_.Append(entries); }
  // Entries that end `beyond` bytes behind the sibling they state.
  uint64_t AddFunction(uint64_t start, uint64_t size,
                       const DwarfBytes& children, uint64_t beyond = 0) {
    const uint64_t entry = Open(4, start, size);
    AddChildren(children, beyond);
    return entry;
  }
  void AddWithoutCode(uint64_t code, const DwarfBytes& children) {
    unit_.Uleb(code);
    AddChildren(children, 0);
  }

  FunctionWalk Walk(const std::vector<uint64_t>& addresses) {
    const OpenedDwarf dwarf({{".debug_abbrev", Abbreviations()},
                             {".debug_info", DwarfBytes().Unit(unit_)}});
    std::string problem;
    const DwarfBytes abbreviations = Abbreviations();
    LittleEndianCursor cursor(abbreviations.bytes(), 0);
    const auto table =
        AbbreviationTable::Read(cursor, dwarf.unit().encoding, problem);
    EXPECT_TRUE(table) << problem;
    return WalkFunctions(dwarf.reader(), *table, addresses, dwarf.image());
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

TEST(FunctionWalkTest, KeepsWhatOwnsAnAddressOrEnclosesAnOwner) {
  UnitUnderTest unit;
  unit.Open(2, 0, 16);
  unit.Close();
  const uint64_t function = unit.Open(2, 16, 100);
  unit.Open(3, 20, 4);  // nothing of it is asked
  unit.Close();
  unit.Open(3, 30, 20);  // some of it
  unit.Open(3, 40, 4);   // this
  unit.Close();
  unit.Open(3, 44, 4);
  unit.Close();
  unit.Close();
  unit.Close();
  unit.Close();
  const FunctionWalk walk =
      unit.Walk({kCodeStart + 18, kCodeStart + 41, kCodeStart + 200});
  ASSERT_EQ(walk.nodes.size(), 3u);
  EXPECT_EQ(walk.nodes[0].entry, function);
  EXPECT_EQ(walk.nodes[1].parent, 0u);
  EXPECT_EQ(walk.nodes[2].parent, 1u);
  EXPECT_THAT(walk.innermost, ElementsAre(0u, 2u, AddressOwners::kNone));
}

// Unlike a function at the top of the unit, one inside of a type, of a function
// without code or of another function is only looked for where code is left.
TEST(FunctionWalkTest, FindsFunctionsInDeferredEntries) {
  UnitUnderTest unit;
  unit.AddWithoutCode(6, Function(0, 16));
  unit.AddWithoutCode(5, Function(16, 16));
  unit.AddFunction(200, 16, Function(32, 16));  // nothing of it is asked
  const uint64_t outer = unit.AddFunction(48, 16, Function(64, 16));
  unit.Close();
  FunctionWalk walk = unit.Walk({kCodeStart + 50});
  EXPECT_EQ(walk.scan.deferred.size(), 2u);
  EXPECT_FALSE(walk.scan.deferred_entries);
  walk = unit.Walk({kCodeStart, kCodeStart + 20, kCodeStart + 40,
                    kCodeStart + 50, kCodeStart + 70});
  EXPECT_TRUE(walk.scan.deferred_entries);
  EXPECT_EQ(walk.scan.problem, "");
  ASSERT_EQ(walk.nodes.size(), 5u);
  EXPECT_EQ(walk.nodes[0].entry, outer);
  EXPECT_THAT(walk.innermost, ElementsAre(1u, 2u, 3u, 0u, 4u));
}

// Whichever comes first, and whether or not the outer one is asked for.
TEST(FunctionWalkTest, PrefersFunctionsThatAreNotDeferred) {
  UnitUnderTest unit;
  unit.AddWithoutCode(6, Function(0, 16));
  unit.AddFunction(100, 16, Function(0, 16));
  const uint64_t outer = unit.AddFunction(0, 16, DwarfBytes());
  unit.Close();
  for (const uint64_t other : {kCodeStart + 100, kCodeStart + 300}) {
    const FunctionWalk walk = unit.Walk({kCodeStart, other});
    ASSERT_NE(walk.innermost[0], AddressOwners::kNone);
    EXPECT_EQ(walk.nodes[walk.innermost[0]].entry, outer);
  }
}

TEST(FunctionWalkTest, GoesOnBehindCallSites) {
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
  const FunctionWalk walk = unit.Walk({kCodeStart + 20, kCodeStart + 64});
  EXPECT_EQ(walk.scan.problem, "");
  ASSERT_EQ(walk.nodes.size(), 3u);
  EXPECT_EQ(walk.nodes[1].parent, 0u);
  EXPECT_EQ(walk.nodes[2].entry, second);
  EXPECT_THAT(walk.innermost, ElementsAre(1u, 2u));
}

TEST(FunctionWalkTest, ReportsEntriesThatEndElsewhereThanTheySay) {
  UnitUnderTest unit;
  unit.AddFunction(0, 16, Function(100, 16), 14);
  unit.Close();
  EXPECT_EQ(unit.Walk({kCodeStart}).scan.problem,
            "its entries are damaged; the rest is not read");
}

}  // namespace
}  // namespace heapprof
