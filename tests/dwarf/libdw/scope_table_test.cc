// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/scope_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

Dwarf_Die DieAt(const OpenedLibdw& file, uint64_t offset) {
  Dwarf_Die die = {};
  EXPECT_NE(dwarf_offdie(file.dwarf(), offset, &die), nullptr) << offset;
  return die;
}

std::string PrefixAt(const OpenedLibdw& file, uint64_t offset) {
  ScopeTables tables;
  return ScopePrefix(DieAt(file, offset), tables);
}

TEST(ScopeTableTest, JoinsTheScopesAroundAFunction) {
  DwarfBytes dies = UnitDie();
  dies.Append(ScopeDie(kNamespace, "a")).Append(ScopeDie(kNamespace, ""));
  dies.Append(ScopeDie(kClass, "B<int>"));
  const uint64_t method = kFirstRoot + dies.size();
  dies.Append(FunctionDie("f", 0, 8)).U8(kEnd).Repeat(DwarfBytes().U8(kEnd), 3);
  const uint64_t plain = kFirstRoot + dies.size();
  dies.Append(FunctionDie("g", 8, 8)).U8(kEnd).U8(kEnd);
  const OpenedLibdw file(OneUnit(dies));
  EXPECT_EQ(PrefixAt(file, method), "a::(anonymous namespace)::B<int>::");
  EXPECT_EQ(PrefixAt(file, plain), "");
}

TEST(ScopeTableTest, NamesLambdasByTheirMembers) {
  DwarfBytes dies = UnitDie();
  dies.Append(ScopeDie(kClass, ""));
  const uint64_t in_lambda = kFirstRoot + dies.size();
  dies.Append(FunctionDie("operator()", 0, 8)).U8(kEnd);
  dies.Append(FunctionDie("<lambda>", 8, 8)).U8(kEnd).U8(kEnd);
  dies.Append(ScopeDie(kClass, ""));
  const uint64_t in_unnamed = kFirstRoot + dies.size();
  dies.Append(FunctionDie("f", 16, 8)).U8(kEnd).U8(kEnd).U8(kEnd);
  const OpenedLibdw file(OneUnit(dies));
  EXPECT_EQ(PrefixAt(file, in_lambda), "{lambda}::");
  EXPECT_EQ(PrefixAt(file, in_unnamed), "{unnamed type}::");
}

// A local class in the out-of-line copy of a function: the scopes around the
// function's declaration count.
TEST(ScopeTableTest, FollowsTheOriginOfAScope) {
  DwarfBytes dies = UnitDie().Append(ScopeDie(kNamespace, "n"));
  const uint64_t declaration = 4 + 7 + dies.size();
  dies.Append(FunctionDie("f", 0, 8)).U8(kEnd).U8(kEnd);
  dies.U8(kDefinition).U32(declaration).Append(AddressAttributes(8, 8));
  dies.Append(ScopeDie(kClass, "Local"));
  const uint64_t method = kFirstRoot + dies.size();
  dies.Append(FunctionDie("m", 16, 8));
  const OpenedLibdw file(OneUnit(dies.Repeat(DwarfBytes().U8(kEnd), 4)));
  EXPECT_EQ(PrefixAt(file, method), "n::f::Local::");
}

TEST(ScopeTableTest, NamesAClassByItsTypeUnit) {
  for (const TypeUnitIn section : {TypeUnitIn::kInfo, TypeUnitIn::kTypes}) {
    const SignatureFile whole = FileWithSignature(section);
    EXPECT_EQ(PrefixAt(OpenedLibdw(whole.sections), whole.function),
              "space::Less::");
  }
  const SignatureFile cut = FileWithSignature(TypeUnitIn::kNoSection);
  EXPECT_EQ(PrefixAt(OpenedLibdw(cut.sections), cut.function),
            "space::{unnamed type}::");
}

TEST(ScopeTableTest, EndsWhereOriginsFormACircle) {
  DwarfBytes dies = UnitDie();
  const uint64_t circle = kFirstRoot + dies.size();
  dies.U8(kDefinition).U32(circle).Append(AddressAttributes(0, 8));
  const uint64_t inner = kFirstRoot + dies.size();
  dies.Append(FunctionDie("f", 0, 8));
  const OpenedLibdw file(OneUnit(dies.Repeat(DwarfBytes().U8(kEnd), 3)));
  EXPECT_EQ(PrefixAt(file, inner), "{unnamed type}::");
}

TEST(ScopeTableTest, FindsTheParentsOfScopesOnly) {
  DwarfBytes dies = UnitDie();
  const uint64_t outer = kFirstRoot + dies.size();
  dies.Append(ScopeDie(kNamespace, "a"));
  const uint64_t inner = kFirstRoot + dies.size();
  dies.Append(ScopeDie(kClass, "b"));
  const uint64_t variable = kFirstRoot + dies.size();
  dies.U8(kVariable).Repeat(DwarfBytes().U8(kEnd), 3);
  const OpenedLibdw file(OneUnit(dies));
  ScopeTable table;
  const LibdwUnit& unit = file.units().units()[0];
  DieWalker walker(unit.root, unit.end);
  while (walker.Next()) table.Add(walker);
  EXPECT_EQ(table.FindParent(DieAt(file, inner).addr), DieAt(file, outer).addr);
  EXPECT_EQ(table.FindParent(DieAt(file, outer).addr), nullptr);
  EXPECT_EQ(table.FindParent(DieAt(file, variable).addr), nullptr);
}

}  // namespace
}  // namespace heapprof
