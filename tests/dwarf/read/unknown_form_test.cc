// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a unit whose abbreviations use an unknown form: see
// abbreviations.h.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof::unknown_form_test {
namespace {

using ::testing::IsEmpty;

DwarfBytes UnitAbbreviation() {
  return DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 1, DW_AT_low_pc,
                             DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0});
}
DwarfBytes FunctionAbbreviation() {
  return DwarfBytes().Ulebs({2, DW_TAG_subprogram, 0, DW_AT_name,
                             DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
                             DW_AT_high_pc, DW_FORM_data4, 0, 0});
}
// No DIE uses it.
DwarfBytes AbbreviationWithForm(uint64_t form) {
  return DwarfBytes().Ulebs({3, DW_TAG_variable, 0, DW_AT_name, form, 0, 0});
}

struct Outcome {
  std::string name;  // of the function at kCodeStart
  bool has_map = false;
  std::vector<std::string> problems;
};

// The code of a unit as its root DIE states it.
DwarfBytes RootCode() { return DwarfBytes().U64(kCodeStart).U32(64); }

// A unit with the function f() at kCodeStart.
Outcome ResolveWith(const DwarfBytes& abbreviations,
                    const DwarfBytes& root_values = RootCode()) {
  const DwarfBytes dies = DwarfBytes()
                              .U8(1)
                              .Append(root_values)
                              .U8(2)
                              .Text("f")
                              .U64(kCodeStart)
                              .U32(16)
                              .U8(0);
  const TemporaryFile file(MakeElf(
      {{".debug_abbrev", DwarfBytes(abbreviations).U8(0)},
       {".debug_info", DwarfBytes().Unit(OldUnitHeader().Append(dies))}}));
  const Result<ElfImage> image = ElfImage::Open(file.path());
  EXPECT_TRUE(image) << image.error().message;
  const SymbolTable symbols;
  const auto resolver = OpenDwarfResolver(*image, *image, symbols, 1, {});
  EXPECT_TRUE(resolver) << resolver.error().message;
  Outcome outcome;
  outcome.has_map = (*resolver)->MapCode(1).has_value();
  const ResolvedAddresses answers =
      (*resolver)->Resolve(std::vector<uint64_t>{kCodeStart});
  outcome.problems = (*resolver)->problems();
  if (answers.runs[0].count == 1)
    outcome.name =
        answers.functions[answers.frames[answers.runs[0].first].function]
            .scoped_name;
  return outcome;
}

TEST(UnknownFormTest, IsNotInTheUsualTable) {
  const Outcome outcome =
      ResolveWith(UnitAbbreviation()
                      .Append(FunctionAbbreviation())
                      .Append(AbbreviationWithForm(DW_FORM_string)));
  EXPECT_EQ(outcome.name, "f");
  EXPECT_TRUE(outcome.has_map);
  EXPECT_THAT(outcome.problems, IsEmpty());
}

TEST(UnknownFormTest, MakesLibdwAnswerIfItFollowsTheRootsAbbreviation) {
  const Outcome outcome = ResolveWith(UnitAbbreviation()
                                          .Append(FunctionAbbreviation())
                                          .Append(AbbreviationWithForm(0x99)));
  EXPECT_EQ(outcome.name, "f");
  EXPECT_FALSE(outcome.has_map);
  EXPECT_THAT(outcome.problems, IsEmpty());
}

TEST(UnknownFormTest, MakesLibdwReadTheFileIfItPrecedesTheRootsAbbreviation) {
  const Outcome outcome = ResolveWith(AbbreviationWithForm(0x99)
                                          .Append(UnitAbbreviation())
                                          .Append(FunctionAbbreviation()));
  EXPECT_EQ(outcome.name, "f");
  EXPECT_FALSE(outcome.has_map);
  EXPECT_THAT(outcome.problems, IsEmpty());
}

TEST(UnknownFormTest, MakesLibdwReadTheFileIfTheRootDoesNotStateItsCode) {
  const DwarfBytes root_abbreviation =
      DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 1, 0, 0});
  const Outcome outcome = ResolveWith(DwarfBytes(root_abbreviation)
                                          .Append(FunctionAbbreviation())
                                          .Append(AbbreviationWithForm(0x99)),
                                      DwarfBytes());
  EXPECT_EQ(outcome.name, "f");
  EXPECT_FALSE(outcome.has_map);
  EXPECT_THAT(outcome.problems, IsEmpty());
}

}  // namespace
}  // namespace heapprof::unknown_form_test
