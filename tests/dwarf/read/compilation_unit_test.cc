// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/compilation_unit.h"

#include <cstdint>
#include <string>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"

namespace heapprof::compilation_unit_test {
namespace {

// A root DIE with a directory and the start of its code.
DwarfBytes Abbreviations() {
  return DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_comp_dir,
                             DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, 0, 0,
                             0});
}
DwarfBytes UnitDieAtStart() {
  return DwarfBytes().U8(1).Text("/src").U64(kCodeStart);
}

OpenedDwarf Open(const DwarfBytes& info) {
  return OpenedDwarf(
      {{".debug_abbrev", Abbreviations()}, {".debug_info", info}});
}

TEST(CompilationUnitTest, ReadsHeadersOfAllVersions) {
  DwarfBytes info;
  for (const uint64_t version : {2U, 3U, 4U})
    info.Unit(OldUnitHeader(0, version).Append(UnitDieAtStart()));
  info.Unit(UnitHeader5().Append(UnitDieAtStart()));
  const OpenedDwarf dwarf = Open(info);
  ASSERT_EQ(dwarf.list().units.size(), 4u);
  EXPECT_EQ(dwarf.list().problem, "");
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(dwarf.unit(i).problem, "");
    EXPECT_EQ(dwarf.unit(i).encoding.version, i + 2);
    EXPECT_EQ(dwarf.unit(i).encoding.address_size, 8);
    EXPECT_EQ(dwarf.unit(i).encoding.offset_size, 4);
    EXPECT_TRUE(dwarf.unit(i).is_compile_unit);
    EXPECT_EQ(dwarf.unit(i).directory, "/src");
    EXPECT_EQ(dwarf.unit(i).base_address, kCodeStart);
  }
  EXPECT_EQ(dwarf.unit(3).end, info.size());
}

TEST(CompilationUnitTest, ReadsThe64BitFormat) {
  DwarfBytes old;
  old.U16(4).U64(0).U8(8).Append(UnitDieAtStart());
  DwarfBytes five;
  five.U16(5).U8(DW_UT_compile).U8(8).U64(0).Append(UnitDieAtStart());
  DwarfBytes info;
  for (const DwarfBytes* content : {&old, &five})
    info.U32(0xffffffff).U64(content->size()).Append(*content);
  const OpenedDwarf dwarf = Open(info);
  ASSERT_EQ(dwarf.list().units.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(dwarf.unit(i).problem, "");
    EXPECT_EQ(dwarf.unit(i).encoding.offset_size, 8);
    EXPECT_EQ(dwarf.unit(i).directory, "/src");
  }
}

TEST(CompilationUnitTest, SkipsPaddingBetweenUnits) {
  DwarfBytes info;
  info.U32(0).Unit(OldUnitHeader().Append(UnitDieAtStart())).U32(0).U32(0);
  const OpenedDwarf dwarf = Open(info);
  ASSERT_EQ(dwarf.list().units.size(), 1u);
  EXPECT_EQ(dwarf.unit().offset, 4u);
  EXPECT_EQ(dwarf.list().problem, "");
}

TEST(CompilationUnitTest, SaysWhyAUnitCannotBeRead) {
  struct Case {
    DwarfBytes content;
    std::string problem;
  };
  const DwarfBytes valid = OldUnitHeader().Append(UnitDieAtStart());
  for (const Case& c : {
           Case{DwarfBytes().U16(6).Number(0, 20), "unknown version 6"},
           Case{DwarfBytes().U16(1).Number(0, 20), "unknown version 1"},
           Case{DwarfBytes().U16(4).U32(0).U8(3).Append(UnitDieAtStart()),
                "unsupported address size 3"},
           Case{DwarfBytes().U16(4).U32(0), "its header is cut off"},
           Case{
               DwarfBytes().U16(5).U8(DW_UT_hi_user).U8(8).U32(0).Number(0, 12),
               "unknown unit type 0xff"},
           Case{DwarfBytes().U16(5).U8(DW_UT_type).U8(8).U32(0).U64(1),
                "its header is cut off"},
           Case{OldUnitHeader().U8(0), "its root DIE is damaged"},
           Case{OldUnitHeader().U8(9), "its root DIE is damaged"},
           Case{OldUnitHeader(), "its root DIE is damaged"},
           Case{OldUnitHeader(1000).Append(UnitDieAtStart()),
                "its root DIE is damaged"},
           Case{DwarfBytes(valid.bytes().first(valid.size() - 1)),
                "its root DIE is damaged"},
       }) {
    const OpenedDwarf dwarf = Open(DwarfBytes().Unit(c.content));
    ASSERT_EQ(dwarf.list().units.size(), 1u) << c.problem;
    EXPECT_EQ(dwarf.unit().problem, c.problem);
  }
}

TEST(CompilationUnitTest, SaysWhereHeadersAreDamaged) {
  const DwarfBytes valid = OldUnitHeader().Append(UnitDieAtStart());
  for (const DwarfBytes& rest :
       {DwarfBytes().U32(1), DwarfBytes().U16(0), DwarfBytes().U32(0xfffffff0),
        DwarfBytes().U32(0xffffffff).U64(UINT64_MAX),
        DwarfBytes().U32(0xffffffff).U32(0)}) {
    const OpenedDwarf dwarf = Open(DwarfBytes().Unit(valid).Append(rest));
    EXPECT_EQ(dwarf.list().units.size(), 1u);
    EXPECT_EQ(dwarf.list().problem,
              "unit header at 0x19 of .debug_info is damaged");
  }
}

// The bases come last, after the attributes that need them.
TEST(CompilationUnitTest, ResolvesIndicesByBasesThatComeLater) {
  DwarfBytes abbreviations;
  abbreviations.Ulebs({1, DW_TAG_compile_unit, 0});
  abbreviations.Ulebs({DW_AT_comp_dir, DW_FORM_strx1, DW_AT_low_pc,
                       DW_FORM_addrx, DW_AT_ranges, DW_FORM_rnglistx,
                       DW_AT_str_offsets_base, DW_FORM_sec_offset,
                       DW_AT_addr_base, DW_FORM_sec_offset, DW_AT_rnglists_base,
                       DW_FORM_sec_offset, 0, 0, 0});
  DwarfBytes unit = UnitHeader5();
  unit.U8(1).U8(1).Uleb(2).Uleb(1).U32(16).U32(24).U32(12);
  DwarfBytes offsets;
  offsets.Number(0, 16).U32(0).U32(4);
  DwarfBytes addresses;
  addresses.Number(0, 24).U64(1).U64(2).U64(kCodeStart + 5);
  DwarfBytes lists;
  lists.Number(0, 12).U32(100).U32(8).U8(DW_RLE_end_of_list);
  const OpenedDwarf dwarf({{".debug_abbrev", abbreviations},
                           {".debug_info", DwarfBytes().Unit(unit)},
                           {".debug_str", DwarfBytes().Text("one").Text("two")},
                           {".debug_str_offsets", offsets},
                           {".debug_addr", addresses},
                           {".debug_rnglists", lists}});
  EXPECT_EQ(dwarf.unit().problem, "");
  EXPECT_EQ(dwarf.unit().directory, "two");
  EXPECT_EQ(dwarf.unit().base_address, kCodeStart + 5);
  ASSERT_TRUE(dwarf.code().ranges);
  EXPECT_EQ(dwarf.reader().RangeListOf(*dwarf.code().ranges), 20u);
}

// Opens a unit whose DW_AT_low_pc has this form and these bytes. An attribute
// follows. The address with the index 1 is kCodeStart.
OpenedDwarf OpenWithLowPc(uint16_t form, const DwarfBytes& low_pc) {
  DwarfBytes abbreviations;
  abbreviations.Ulebs({1, DW_TAG_compile_unit, 0});
  abbreviations.Ulebs({DW_AT_low_pc, form, DW_AT_language, DW_FORM_data1});
  abbreviations.Ulebs({0, 0, 0});
  const DwarfBytes unit =
      UnitHeader5().U8(1).Append(low_pc).U8(DW_LANG_C_plus_plus);
  return OpenedDwarf(
      {{".debug_abbrev", abbreviations},
       {".debug_info", DwarfBytes().Unit(unit)},
       {".debug_addr", DwarfBytes().Number(0, 8).U64(7).U64(kCodeStart)}});
}

TEST(CompilationUnitTest, AddsTheOffsetAfterAnIndex) {
  const OpenedDwarf dwarf =
      OpenWithLowPc(kFormAddressAndOffset, DwarfBytes().Uleb(1).U32(0x20));
  EXPECT_EQ(dwarf.unit().problem, "");
  EXPECT_EQ(dwarf.code().low_pc, kCodeStart + 0x20);
  EXPECT_EQ(dwarf.unit().language, DW_LANG_C_plus_plus);
  EXPECT_FALSE(dwarf.reader().AddressOf(
      {.form = kFormAddressAndOffset, .number = UINT64_MAX}));
}

TEST(CompilationUnitTest, AddsWhatAnExpressionAddsToAnIndexedAddress) {
  const auto low_pc = [](const DwarfBytes& expression) {
    const OpenedDwarf dwarf =
        OpenWithLowPc(DW_FORM_exprloc,
                      DwarfBytes().Uleb(expression.size()).Append(expression));
    EXPECT_EQ(dwarf.unit().problem, "");
    EXPECT_EQ(dwarf.unit().language, DW_LANG_C_plus_plus);
    return dwarf.code().low_pc;
  };
  const DwarfBytes sum = DwarfBytes()
                             .U8(DW_OP_addrx)
                             .Uleb(1)
                             .U8(DW_OP_const4u)
                             .U32(0x20)
                             .U8(DW_OP_plus);
  EXPECT_EQ(low_pc(sum), kCodeStart + 0x20);
  // Other expressions are no addresses that we know.
  EXPECT_FALSE(low_pc(DwarfBytes()));
  EXPECT_FALSE(low_pc(DwarfBytes().U8(DW_OP_addrx).Uleb(1)));
  EXPECT_FALSE(low_pc(DwarfBytes(sum).U8(DW_OP_deref)));
}

TEST(CompilationUnitTest, FindsNothingAtIndicesBeyondTheTables) {
  const OpenedDwarf dwarf(
      {{".debug_abbrev", Abbreviations()},
       {".debug_info",
        DwarfBytes().Unit(UnitHeader5().Append(UnitDieAtStart()))},
       {".debug_addr", DwarfBytes().Number(0, 8).U64(7)}});
  const UnitReader reader = dwarf.reader();
  EXPECT_EQ(reader.AddressOf({.form = DW_FORM_addrx, .number = 0}), 7u);
  for (const uint64_t index : {uint64_t{1}, UINT64_MAX / 8, UINT64_MAX})
    EXPECT_FALSE(reader.AddressOf({.form = DW_FORM_addrx, .number = index}));
  EXPECT_EQ(reader.StringOf({.form = DW_FORM_strp, .number = 99}), "");
  EXPECT_EQ(reader.StringOf({.form = DW_FORM_strx, .number = UINT64_MAX}), "");
  EXPECT_FALSE(reader.AddressOf({.form = DW_FORM_data8, .number = 1}));
}

TEST(CompilationUnitTest, FollowsReferencesWithinTheUnitAndTheSection) {
  const DwarfBytes unit = OldUnitHeader().Append(UnitDieAtStart());
  const OpenedDwarf dwarf = Open(DwarfBytes().Unit(unit).Unit(unit));
  const UnitReader reader = dwarf.reader(1);
  const uint64_t size = 4 + unit.size();
  EXPECT_EQ(reader.ReferenceOf({.form = DW_FORM_ref4, .number = 11}),
            size + 11);
  EXPECT_FALSE(reader.ReferenceOf({.form = DW_FORM_ref8, .number = size}));
  EXPECT_FALSE(
      reader.ReferenceOf({.form = DW_FORM_ref8, .number = UINT64_MAX}));
  EXPECT_EQ(reader.ReferenceOf({.form = DW_FORM_ref_addr, .number = 3}), 3u);
  EXPECT_FALSE(reader.ReferenceOf({.form = DW_FORM_ref_sig8, .number = 3}));
}

TEST(CompilationUnitTest, NamesTheSplitFileThatHoldsItsDies) {
  const OpenedDwarf dwarf(
      {{".debug_abbrev",
        DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_GNU_dwo_name,
                            DW_FORM_string, DW_AT_GNU_dwo_id, DW_FORM_data1,
                            DW_AT_GNU_ranges_base, DW_FORM_data1, 0, 0, 0})},
       {".debug_info",
        DwarfBytes().Unit(OldUnitHeader().U8(1).Text("a.dwo").U8(7).U8(9))}});
  EXPECT_EQ(dwarf.unit().problem, "");
  ASSERT_TRUE(dwarf.unit().split);
  EXPECT_EQ(dwarf.unit().split->name, "a.dwo");
  EXPECT_EQ(dwarf.unit().id, 7u);
  EXPECT_EQ(dwarf.unit().split->ranges_base, 9u);
}

}  // namespace
}  // namespace heapprof::compilation_unit_test
