// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/unit_walk.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t kNone = InnermostFunctions::kNone;

UnitWalk Walk(OpenedLibdw& file, const std::vector<uint64_t>& offsets) {
  std::vector<uint64_t> addresses;
  for (const uint64_t offset : offsets)
    addresses.push_back(kCodeStart + offset);
  return WalkUnit(file.units().units().at(0), addresses, file.ranges(),
                  file.problems());
}

TEST(UnitWalkTest, FindsTheInnermostFunction) {
  DwarfBytes dies = UnitDie();
  dies.Append(FunctionDie("f", 0, 32));
  dies.Append(InlinedDie(8, 16));           // into f
  dies.Append(InlinedDie(12, 4)).U8(kEnd);  // into the first
  dies.U8(kEnd).U8(kEnd);
  dies.Append(FunctionDie("g", 64, 8)).U8(kEnd).U8(kEnd);
  OpenedLibdw file(OneUnit(dies));
  const UnitWalk walk = Walk(file, {0, 8, 12, 16, 24, 32, 64});
  EXPECT_THAT(walk.innermost, ElementsAre(0, 1, 2, 1, 0, kNone, 3));
  ASSERT_EQ(walk.nodes.size(), 4u);
  EXPECT_EQ(walk.nodes[0].parent, kNone);
  EXPECT_EQ(walk.nodes[1].parent, 0u);
  EXPECT_EQ(walk.nodes[2].parent, 1u);
  EXPECT_EQ(walk.nodes[3].parent, kNone);
  EXPECT_EQ(walk.nodes[3].entry_pc, kCodeStart + 64);
  EXPECT_EQ(walk.nodes[1].entry_pc, 0u);
  EXPECT_THAT(file.problems().problems(), IsEmpty());
}

// The DIE of a lambda may be in the DIE of the function that contains it.
TEST(UnitWalkTest, TreatsNestedFunctionsAsFunctionsOfTheirOwn) {
  DwarfBytes dies = UnitDie();
  dies.Append(FunctionDie("f", 0, 16));
  dies.Append(FunctionDie("nested", 32, 16));
  dies.Append(InlinedDie(36, 4)).U8(kEnd).U8(kEnd);  // into nested
  dies.Append(InlinedDie(4, 4)).U8(kEnd);            // into f
  dies.U8(kEnd).U8(kEnd);
  OpenedLibdw file(OneUnit(dies));
  const UnitWalk walk = Walk(file, {0, 4, 32, 36});
  EXPECT_THAT(walk.innermost, ElementsAre(0, 3, 1, 2));
  EXPECT_EQ(walk.nodes[1].parent, kNone);
  EXPECT_EQ(walk.nodes[2].parent, 1u);
  EXPECT_EQ(walk.nodes[3].parent, 0u);
}

TEST(UnitWalkTest, KeepsNoFunctionsWithoutAddresses) {
  DwarfBytes dies = UnitDie();
  dies.Append(FunctionDie("f", 0, 8));
  dies.Append(InlinedDie(8, 8)).U8(kEnd).U8(kEnd);  // not even in f's range
  dies.Append(FunctionDie("g", 8, 8)).U8(kEnd).U8(kEnd);
  OpenedLibdw file(OneUnit(dies));
  const UnitWalk walk = Walk(file, {8});
  EXPECT_EQ(walk.nodes.size(), 1u);
  EXPECT_THAT(walk.innermost, ElementsAre(0));
}

// Even if no address is in the out-of-line copy: its symbol names the inlined
// copies.
TEST(UnitWalkTest, RecordsTheEntryPcsOfOutOfLineCopies) {
  DwarfBytes dies = UnitDie();
  const uint64_t origin = kFirstRoot + dies.size();
  dies.Append(FunctionDie("f", 0, 8)).U8(kEnd);
  dies.U8(kDefinition).U32(origin).Append(AddressAttributes(64, 8)).U8(kEnd);
  OpenedLibdw file(OneUnit(dies.U8(kEnd)));
  const UnitWalk walk = Walk(file, {0});
  Dwarf_Die die = {};
  ASSERT_NE(dwarf_offdie(file.dwarf(), origin, &die), nullptr);
  ASSERT_TRUE(walk.entry_pcs.contains(die.addr));
  EXPECT_EQ(walk.entry_pcs.at(die.addr), kCodeStart + 64);
}

TEST(UnitWalkTest, KeepsFunctionsBeforeTheDamage) {
  DwarfBytes dies = UnitDie();
  dies.Append(FunctionDie("f", 0, 8)).U8(kEnd).U8(99);
  OpenedLibdw file(OneUnit(dies.Append(FunctionDie("g", 8, 8))));
  EXPECT_THAT(Walk(file, {0, 8}).innermost, ElementsAre(0, kNone));
  EXPECT_THAT(file.problems().problems(),
              ElementsAre("unit at 0x0 of .debug_info: its DIEs are damaged; "
                          "the rest is not read"));
}

}  // namespace
}  // namespace heapprof
