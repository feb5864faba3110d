// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/libdw_units.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

OpenedLibdw Open(const DwarfBytes& info) {
  return OpenedLibdw(
      {{".debug_abbrev", SampleAbbreviations()}, {".debug_info", info}});
}

DwarfBytes UnitHeader(uint64_t version = 4) {
  return OldUnitHeader(0, version);
}

// "UNIT:OFFSET,OFFSET " of the units that hold kCodeStart + `offsets`.
std::string Find(const OpenedLibdw& file,
                 const std::vector<uint64_t>& offsets) {
  std::vector<uint64_t> addresses;
  for (const uint64_t offset : offsets)
    addresses.push_back(kCodeStart + offset);
  std::string text;
  for (const UnitLookup& lookup : file.units().Find(addresses)) {
    text += std::to_string(lookup.unit) + ':';
    for (const uint32_t i : lookup.addresses)
      text += std::to_string(offsets[i]) + ',';
    text.back() = ' ';
  }
  return text;
}

TEST(LibdwUnitsTest, FindsUnitsByTheRangesOfTheirRoots) {
  DwarfBytes info;
  info.Unit(UnitHeader().Append(UnitDie(0, 16)).U8(kEnd));
  info.Unit(UnitHeader().Append(UnitDie(8, 16)).U8(kEnd));
  OpenedLibdw file = Open(info);
  EXPECT_EQ(Find(file, {0, 8, 15, 16, 24}), "0:0,8,15 1:8,15,16 ");
  EXPECT_THAT(file.problems().problems(), IsEmpty());
}

TEST(LibdwUnitsTest, KnowsWhereUnitsStartAndEnd) {
  DwarfBytes info;
  info.Unit(UnitHeader().Append(UnitDie()).U8(kEnd));
  const uint64_t second = info.size();
  info.Unit(UnitHeader().Append(UnitDie()).U8(kEnd));
  const OpenedLibdw file = Open(info);
  const std::vector<LibdwUnit>& units = file.units().units();
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(units[0].offset, 0u);
  EXPECT_EQ(units[1].offset, second);
  for (const LibdwUnit& unit : units)
    EXPECT_EQ(static_cast<uint64_t>(
                  unit.end - static_cast<const uint8_t*>(unit.root.addr)),
              second - kFirstRoot);
}

TEST(LibdwUnitsTest, UsesTheRangesOfFunctionsIfTheRootHasNone) {
  DwarfBytes dies = DwarfBytes().U8(kBareUnit);
  dies.Append(FunctionDie("f", 0, 8)).U8(kEnd);
  dies.Append(ScopeDie(kNamespace, "n"));
  dies.Append(FunctionDie("g", 32, 8)).U8(kEnd).U8(kEnd).U8(kEnd);
  const OpenedLibdw file(OneUnit(dies));
  EXPECT_EQ(Find(file, {0, 8, 32, 40}), "0:0,32 ");
}

// In DWARF 2, a root can only have one range.
TEST(LibdwUnitsTest, AddsTheRangesOfFunctionsInDwarf2) {
  for (const auto& [version, expected] :
       std::map<uint64_t, std::string>{{2, "0:0,32 "}, {3, "0:0 "}}) {
    DwarfBytes info;
    info.Unit(UnitHeader(version)
                  .Append(UnitDie(0, 16))
                  .Append(FunctionDie("f", 32, 8))
                  .U8(kEnd)
                  .U8(kEnd));
    EXPECT_EQ(Find(Open(info), {0, 32, 40}), expected) << version;
  }
}

TEST(LibdwUnitsTest, ContinuesAfterAUnitOfUnknownVersion) {
  DwarfBytes info;
  info.Unit(UnitHeader(9).Append(UnitDie(0, 16)).U8(kEnd));
  info.Unit(UnitHeader().Append(UnitDie(0, 16)).U8(kEnd));
  OpenedLibdw file = Open(info);
  EXPECT_EQ(Find(file, {0}), "0:0 ");
  EXPECT_THAT(file.problems().problems(),
              ElementsAre(StartsWith("unit at 0x0 of .debug_info is damaged or "
                                     "has an unknown version: ")));
}

TEST(LibdwUnitsTest, StopsAtADamagedHeader) {
  DwarfBytes info;
  info.Unit(UnitHeader().Append(UnitDie(0, 16)).U8(kEnd))
      .U32(0xfffffff0)
      .U32(0);
  OpenedLibdw file = Open(info);
  EXPECT_EQ(Find(file, {0}), "0:0 ");
  EXPECT_THAT(
      file.problems().problems(),
      ElementsAre(StartsWith("unit header at 0x1e of .debug_info is damaged; "
                             "it and the units after it are not read: ")));
}

TEST(LibdwUnitsTest, ReturnsNoEndForARootInAnotherSection) {
  const OpenedLibdw file(OneUnit(UnitDie().U8(kEnd)));
  const std::vector<uint8_t> other(100);
  EXPECT_EQ(UnitOf(file.root(), other).end, nullptr);
}

}  // namespace
}  // namespace heapprof
