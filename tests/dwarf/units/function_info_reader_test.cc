// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/function_info_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/units/type_units.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

// Functions of one unit with code at [0, 100).
class FunctionInfoReaderTest : public testing::Test {
 protected:
  FunctionInfoReaderTest() : unit_({0, 100}) {}

  FunctionInfo Read(const FunctionNode& node,
                    const std::vector<WrittenSymbol>& symbols = {}) {
    dwarf_.emplace(SectionsOf({&unit_}, WrittenLines({{0, 3}}, 100)), symbols);
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    FunctionInfoReader reader(*units_, dwarf_->symbols());
    FunctionInfo info = reader.Read(0, node);
    reader.Recheck(0, node, info);
    info.FindNameEnd();
    return info;
  }

  WrittenUnit unit_;
  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
};

TEST_F(FunctionInfoReaderTest, QualifiesANameByItsScopes) {
  unit_.Namespace("space");
  unit_.Type("Type");
  const uint64_t function = unit_.Abstract("function");
  for (int i = 0; i < 3; ++i) unit_.End();
  const FunctionInfo info = Read({.die = function, .origin = function});
  EXPECT_EQ(info.name.scoped_name, "space::Type::function");
  EXPECT_EQ(info.name.linkage_name, "");
}

TEST_F(FunctionInfoReaderTest, NamesScopesWithoutAName) {
  unit_.Namespace("");
  unit_.Type("");
  const uint64_t function = unit_.Abstract("function");
  for (int i = 0; i < 3; ++i) unit_.End();
  EXPECT_EQ(Read({.die = function, .origin = function}).name.scoped_name,
            "(anonymous namespace)::{unnamed type}::function");
}

TEST_F(FunctionInfoReaderTest, TakesTheSymbolAtTheEntryPc) {
  unit_.Namespace("space");
  const uint64_t function = unit_.Function("function", {16, 8});
  unit_.End();
  unit_.End();
  const FunctionNode node = {
      .die = function, .origin = function, .entry_pc = kCodeStart + 16};
  EXPECT_EQ(Read(node, {{"_ZN5space8functionEv", 16, 8}}).name.linkage_name,
            "_ZN5space8functionEv");
  // A symbol of another function: the linker has folded the two.
  EXPECT_EQ(Read(node, {{"_ZN5space5otherEv", 16, 8}}).name.scoped_name,
            "space::function");
}

// The copy has no name of its own.
TEST_F(FunctionInfoReaderTest, FollowsTheAbstractOrigin) {
  unit_.Namespace("space");
  const uint64_t origin = unit_.Abstract("function");
  unit_.End();
  unit_.End();
  const uint64_t copy = unit_.Copy(origin, {16, 8});
  unit_.End();
  EXPECT_EQ(Read({.die = copy, .origin = origin}).name.scoped_name,
            "space::function");
}

TEST_F(FunctionInfoReaderTest, EndsACircleOfOrigins) {
  constexpr uint64_t kFirstDie = 28;
  const uint64_t copy = unit_.Copy(kFirstDie, {16, 8});
  unit_.End();
  ASSERT_EQ(copy, kFirstDie);
  EXPECT_EQ(Read({.die = copy, .origin = copy}).name.scoped_name, "");
}

TEST_F(FunctionInfoReaderTest, HasNoNameForAMissingDie) {
  const FunctionInfo info = Read({.die = 100'000, .origin = 100'000});
  EXPECT_EQ(info.name.scoped_name, "");
  EXPECT_EQ(info.name.linkage_name, "");
  EXPECT_EQ(info.line_program, nullptr);
}

TEST(TypeUnitTest, NamesTheClassOfAFunction) {
  const auto name_in = [](const SignatureFile& file) {
    const OpenedDwarf dwarf(file.sections);
    TypeUnits types(dwarf.sections(), dwarf.image(), nullptr);
    UnitStore units(dwarf.sections(), dwarf.image(), 1);
    units.SetTypeUnits(&types);
    return FunctionInfoReader(units, dwarf.symbols())
        .Read(0, {.die = file.function, .origin = file.function})
        .name.scoped_name;
  };
  for (const TypeUnitIn section : {TypeUnitIn::kInfo, TypeUnitIn::kTypes})
    EXPECT_EQ(name_in(FileWithSignature(section)), "space::Less::operator()");
  EXPECT_EQ(name_in(FileWithSignature(TypeUnitIn::kNoSection)),
            "space::{unnamed type}::operator()");
}

TEST(FunctionInfoTest, FindsTheEndOfAnUnboundedName) {
  using std::string_view_literals::operator""sv;
  FunctionInfo info{.unbounded_name = "_Z1fv.cold\0_Z1gv\0"sv};
  info.FindNameEnd();
  EXPECT_EQ(info.name.linkage_name, "_Z1fv");
  EXPECT_EQ(info.unbounded_name, "");
}

}  // namespace
}  // namespace heapprof
