// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/die_walker.h"

#include <string>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"

namespace heapprof {
namespace {

// "DEPTH:OFFSET " of every DIE visited, from the root on; offsets are from the
// root. "damaged" and "too deep" at the end if the walker says so.
std::string Walk(const DwarfBytes& dies) {
  const OpenedLibdw file(OneUnit(dies));
  const LibdwUnit& unit = file.units().units().at(0);
  DieWalker walker(unit.root, unit.end);
  std::string text;
  while (walker.Next())
    text += std::to_string(walker.depth()) + ':' +
            std::to_string(dwarf_dieoffset(walker.die()) - kFirstRoot) + ' ';
  if (walker.damaged()) text += "damaged";
  if (walker.too_deep()) text += "too deep";
  return text;
}

// A root of 1 byte, so that offsets are easy to follow.
DwarfBytes BareUnitDie() { return DwarfBytes().U8(kBareUnit); }

TEST(DieWalkerTest, VisitsEveryDieOnceInPreorder) {
  DwarfBytes dies = BareUnitDie();
  dies.Append(ScopeDie(kNamespace, "a"));  // at 1, 3 bytes
  dies.Append(ScopeDie(kClass, "b"));      // at 4, in the namespace
  dies.U8(kVariable).U8(kEnd);             // at 7, in the class
  dies.U8(kVariable).U8(kEnd);             // at 9, in the namespace
  dies.U8(kVariable).U8(kEnd);             // at 11, in the root
  EXPECT_EQ(Walk(dies), "0:0 1:1 2:4 3:7 2:9 1:11 ");
}

TEST(DieWalkerTest, AcceptsEmptyListsOfChildren) {
  DwarfBytes dies = BareUnitDie();
  dies.Append(ScopeDie(kNamespace, "a")).U8(kEnd).U8(kVariable).U8(kEnd);
  EXPECT_EQ(Walk(dies), "0:0 1:1 1:5 ");
  EXPECT_EQ(Walk(BareUnitDie().U8(kEnd)), "0:0 ");
}

TEST(DieWalkerTest, EndsAfterTheChildrenOfTheRoot) {
  EXPECT_EQ(Walk(BareUnitDie().U8(kVariable).U8(kEnd).U8(kVariable)),
            "0:0 1:1 ");
  EXPECT_EQ(Walk(BareUnitDie().U8(kEnd).U8(kEnd).U8(kVariable)), "0:0 ");
}

TEST(DieWalkerTest, EndsWhereTheUnitIsCut) {
  EXPECT_EQ(Walk(BareUnitDie()), "0:0 ");
  EXPECT_EQ(Walk(BareUnitDie().U8(kVariable).U8(kVariable)), "0:0 1:1 1:2 ");
}

TEST(DieWalkerTest, StopsAtAnUnknownAbbreviation) {
  EXPECT_EQ(Walk(BareUnitDie().U8(kVariable).U8(99).U8(kVariable).U8(kEnd)),
            "0:0 1:1 damaged");
}

TEST(DieWalkerTest, StopsAfterADieWithAnUnknownForm) {
  EXPECT_EQ(Walk(BareUnitDie().U8(kUnknownForm).U8(kVariable).U8(kEnd)),
            "0:0 1:1 damaged");
}

TEST(DieWalkerTest, SkipsTheChildrenOfDiesThatAreTooDeep) {
  constexpr size_t kLevels = DieWalker::kMaxDepth + 5;
  const DwarfBytes block = ScopeDie(kNamespace, "n");
  DwarfBytes dies = BareUnitDie();
  dies.Repeat(block, kLevels).Repeat(DwarfBytes().U8(kEnd), kLevels);
  const size_t sibling = dies.size();
  const std::string text = Walk(dies.U8(kVariable).U8(kEnd));
  const std::string deepest = std::to_string(DieWalker::kMaxDepth) + ':';
  EXPECT_NE(text.find(' ' + deepest), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" 1:" + std::to_string(sibling) + " too deep"))
      << text;
}

}  // namespace
}  // namespace heapprof
