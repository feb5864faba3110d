// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/abbreviations.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"

namespace heapprof {
namespace {

constexpr UnitEncoding kEncoding = {
    .version = 5, .address_size = 8, .offset_size = 4};

std::unique_ptr<AbbreviationTable> ReadTable(
    const DwarfBytes& bytes, std::string& problem,
    const UnitEncoding& encoding = kEncoding) {
  LittleEndianCursor cursor(bytes);
  return AbbreviationTable::Read(cursor, encoding, problem);
}

// The size of the value of `form` at the start of `content`.
uint64_t SizeOf(uint64_t form, const DwarfBytes& content,
                const UnitEncoding& encoding) {
  const auto spec = MakeAttributeSpec(form, encoding);
  if (!spec) return UINT64_MAX;
  LittleEndianCursor cursor(content);
  SkipValue(spec->step, encoding, cursor);
  EXPECT_TRUE(cursor.ok()) << form;
  return cursor.offset();
}

// DWARF 5, section 7.5.6.
TEST(AbbreviationsTest, KnowsTheSizeOfEveryForm) {
  struct Case {
    uint64_t form;
    uint64_t size;
  };
  DwarfBytes content;
  content.U8(0x83).U8(2).Number(0, 300);
  for (const Case& c : {
           Case{DW_FORM_flag_present, 0},
           Case{DW_FORM_implicit_const, 0},
           Case{DW_FORM_data1, 1},
           Case{DW_FORM_ref1, 1},
           Case{DW_FORM_flag, 1},
           Case{DW_FORM_strx1, 1},
           Case{DW_FORM_addrx1, 1},
           Case{DW_FORM_data2, 2},
           Case{DW_FORM_ref2, 2},
           Case{DW_FORM_strx2, 2},
           Case{DW_FORM_addrx2, 2},
           Case{DW_FORM_strx3, 3},
           Case{DW_FORM_addrx3, 3},
           Case{DW_FORM_data4, 4},
           Case{DW_FORM_ref4, 4},
           Case{DW_FORM_strx4, 4},
           Case{DW_FORM_addrx4, 4},
           Case{DW_FORM_ref_sup4, 4},
           Case{DW_FORM_data8, 8},
           Case{DW_FORM_ref8, 8},
           Case{DW_FORM_ref_sig8, 8},
           Case{DW_FORM_ref_sup8, 8},
           Case{DW_FORM_data16, 16},
           Case{DW_FORM_addr, 8},
           Case{DW_FORM_ref_addr, 4},
           Case{DW_FORM_sec_offset, 4},
           Case{DW_FORM_strp, 4},
           Case{DW_FORM_line_strp, 4},
           Case{DW_FORM_strp_sup, 4},
           Case{DW_FORM_GNU_ref_alt, 4},
           Case{DW_FORM_GNU_strp_alt, 4},
           Case{DW_FORM_udata, 2},
           Case{DW_FORM_sdata, 2},
           Case{DW_FORM_ref_udata, 2},
           Case{DW_FORM_strx, 2},
           Case{DW_FORM_addrx, 2},
           Case{kFormAddressAndOffset, 6},
           Case{DW_FORM_loclistx, 2},
           Case{DW_FORM_rnglistx, 2},
           Case{DW_FORM_GNU_addr_index, 2},
           Case{DW_FORM_GNU_str_index, 2},
           Case{DW_FORM_string, 3},
           Case{DW_FORM_block1, 1 + 0x83},
           Case{DW_FORM_block, 2 + 0x103},
           Case{DW_FORM_exprloc, 2 + 0x103},
       })
    EXPECT_EQ(SizeOf(c.form, content, kEncoding), c.size) << c.form;
  EXPECT_EQ(
      SizeOf(DW_FORM_block2, DwarfBytes().U16(3).U32(0).U32(0), kEncoding), 5u);
  EXPECT_EQ(
      SizeOf(DW_FORM_block4, DwarfBytes().U32(3).U32(0).U32(0), kEncoding), 7u);
  EXPECT_EQ(SizeOf(DW_FORM_indirect,
                   DwarfBytes().Uleb(DW_FORM_data2).U16(7).U8(0), kEncoding),
            3u);
}

TEST(AbbreviationsTest, SizesOffsetsAndAddressesByTheUnit) {
  const DwarfBytes content = DwarfBytes().Number(0, 16);
  const UnitEncoding wide{.version = 4, .address_size = 4, .offset_size = 8};
  EXPECT_EQ(SizeOf(DW_FORM_addr, content, wide), 4u);
  for (const uint64_t form :
       {DW_FORM_sec_offset, DW_FORM_strp, DW_FORM_line_strp, DW_FORM_ref_addr})
    EXPECT_EQ(SizeOf(form, content, wide), 8u) << form;
  // In version 2 it is as large as an address.
  const UnitEncoding old{.version = 2, .address_size = 8, .offset_size = 4};
  EXPECT_EQ(SizeOf(DW_FORM_ref_addr, content, old), 8u);
}

TEST(AbbreviationsTest, RejectsUnknownForms) {
  for (const uint64_t form :
       {uint64_t{0}, uint64_t{2}, uint64_t{0x2d}, uint64_t{0x1f22}, UINT64_MAX})
    EXPECT_FALSE(MakeAttributeSpec(form, kEncoding)) << form;
}

TEST(AbbreviationsTest, FailsOnIndirectFormsThatAreUnknownOrIndirect) {
  const auto spec = MakeAttributeSpec(DW_FORM_indirect, kEncoding);
  ASSERT_TRUE(spec);
  for (const uint64_t form : {uint64_t{DW_FORM_indirect}, uint64_t{0x7777}}) {
    const DwarfBytes content = DwarfBytes().Uleb(form).Number(0, 16);
    LittleEndianCursor cursor(content);
    SkipValue(spec->step, kEncoding, cursor);
    EXPECT_FALSE(cursor.ok()) << form;
  }
}

TEST(AbbreviationsTest, FindsCodesInAnyOrderAndOfAnySize) {
  const std::vector<uint64_t> codes = {3, 1, 2, 127, 128, uint64_t{1} << 60};
  DwarfBytes bytes;
  for (const uint64_t code : codes)
    bytes.Ulebs({code, 100 + code % 50, 0, 0, 0});
  std::string problem;
  const auto table = ReadTable(bytes.U8(0), problem);
  ASSERT_NE(table, nullptr) << problem;
  for (const uint64_t code : codes) {
    ASSERT_NE(table->Find(code), nullptr) << code;
    EXPECT_EQ(table->Find(code)->tag, 100 + code % 50);
  }
  for (const uint64_t code :
       {uint64_t{0}, uint64_t{4}, uint64_t{126}, uint64_t{129}, UINT64_MAX})
    EXPECT_EQ(table->Find(code), nullptr) << code;
}

// Abbreviations 1 and 2 are of leaves: DIEs of 4 and 1 bytes with their codes.
class LeavesTest : public testing::Test {
 protected:
  void SetUp() override {
    DwarfBytes bytes;
    bytes.Ulebs({1, DW_TAG_variable, 0, DW_AT_decl_line, DW_FORM_data1,
                 DW_AT_decl_column, DW_FORM_data2, 0, 0});
    bytes.Ulebs({2, DW_TAG_unspecified_parameters, 0, 0, 0});
    bytes.Ulebs({3, DW_TAG_lexical_block, 1, 0, 0});
    bytes.Ulebs({4, DW_TAG_namespace, 0, 0, 0});
    bytes.Ulebs({5, DW_TAG_variable, 0, DW_AT_location, DW_FORM_exprloc, 0, 0});
    bytes.Ulebs({6, DW_TAG_variable, 0});
    for (int i = 0; i < 16; ++i) bytes.Ulebs({DW_AT_name, DW_FORM_data16});
    bytes.Ulebs({0, 0, 130, DW_TAG_variable, 0, 0, 0}).U8(0);
    std::string problem;
    table_ = ReadTable(bytes, problem);
    ASSERT_NE(table_, nullptr) << problem;
  }

  // The offset in `dies` where SkipLeaves() stops.
  uint64_t Skip(const DwarfBytes& dies, uint64_t end = UINT64_MAX) {
    LittleEndianCursor cursor(dies);
    table_->SkipLeaves(cursor, end);
    EXPECT_TRUE(cursor.ok());
    return cursor.offset();
  }

  std::unique_ptr<AbbreviationTable> table_;
  const DwarfBytes leaves_ = DwarfBytes().U8(1).U8(7).U16(0x0102).U8(2);
};

TEST_F(LeavesTest, AreSkipped) {
  EXPECT_EQ(Skip(leaves_), 5u);
  EXPECT_EQ(Skip(DwarfBytes().Repeat(leaves_, 3)), 15u);
  EXPECT_EQ(Skip({}), 0u);
}

TEST_F(LeavesTest, AreSkippedUpToADieThatIsNotALeaf) {
  // Code 0 ends a list of siblings; code 9 is unknown.
  for (const uint64_t code : {3u, 4u, 5u, 6u, 130u, 0u, 9u}) {
    const DwarfBytes dies =
        DwarfBytes(leaves_).Uleb(code).Number(0, 300).Append(leaves_);
    EXPECT_EQ(Skip(dies), 5u) << code;
  }
}

TEST_F(LeavesTest, AreSkippedIfTheyStartBeforeTheEnd) {
  const DwarfBytes dies = DwarfBytes().Repeat(leaves_, 2);
  EXPECT_EQ(Skip(dies, 0), 0u);
  EXPECT_EQ(Skip(dies, 4), 4u);
  EXPECT_EQ(Skip(dies, 6), 9u);
}

TEST_F(LeavesTest, AreNotSkippedIfTheyAreCutOff) {
  EXPECT_EQ(Skip(DwarfBytes(leaves_).U8(1).U8(7).U8(0)), 5u);
}

// DIEs of all kinds, some of which SkipQuickly() does not skip. Odd codes have
// no children, even ones have.
class ChildrenTest : public testing::Test {
 protected:
  // A value in a DIE: its form, and its bytes if its form has a length.
  struct Value {
    uint64_t form;
    DwarfBytes bytes;
  };

  void SetUp() override {
    const DwarfBytes block3 = DwarfBytes().Uleb(3).Number(0, 3);
    const DwarfBytes block300 = DwarfBytes().Uleb(300).Number(0, 300);
    AddBoth({{DW_FORM_data4, DwarfBytes().U32(1)}});
    AddBoth({});
    AddBoth({{DW_FORM_data1, DwarfBytes().U8(0xff)},
             {DW_FORM_exprloc, block3},
             {DW_FORM_ref4, DwarfBytes().U32(~0u)}});
    AddBoth({{DW_FORM_exprloc, block300}});
    AddBoth({{DW_FORM_exprloc, block3}, {DW_FORM_exprloc, block3}});
    AddBoth({{DW_FORM_block1, DwarfBytes().U8(200).Number(0, 200)}});
    AddBoth({{DW_FORM_block2, DwarfBytes().U16(3).Number(0, 3)}});
    AddBoth({{DW_FORM_udata, DwarfBytes().Uleb(0x7f)},
             {DW_FORM_data2, DwarfBytes().U16(0)}});
    AddBoth({{DW_FORM_udata, DwarfBytes().Uleb(0x80)},
             {DW_FORM_data2, DwarfBytes().U16(0)}});
    AddBoth({{DW_FORM_string, DwarfBytes().Text("name")}});
    std::vector<Value> large(20, {DW_FORM_data16, DwarfBytes().Number(0, 16)});
    AddBoth(large);
    next_code_ = 201;  // takes two bytes
    AddBoth({{DW_FORM_data8, DwarfBytes().U64(0)}});
    table_bytes_.U8(0);
    std::string problem;
    table_ = ReadTable(table_bytes_, problem);
    ASSERT_NE(table_, nullptr) << problem;
  }

  void AddBoth(const std::vector<Value>& values) {
    for (const uint64_t has_children : {0, 1}) {
      // The tag of a DIE does not matter, unless it is a function with code.
      table_bytes_.Ulebs({next_code_, DW_TAG_lexical_block, has_children});
      DwarfBytes die = DwarfBytes().Uleb(next_code_);
      for (const Value& value : values) {
        table_bytes_.Ulebs({DW_AT_name, value.form});
        die.Append(value.bytes);
      }
      table_bytes_.Ulebs({0, 0});
      (has_children == 0 ? leaves_ : parents_).push_back(die);
      ++next_code_;
    }
  }

  // Random DIEs, and the null entry after the last one.
  DwarfBytes RandomChildren(std::minstd_rand& random, int levels) const {
    DwarfBytes dies;
    for (auto count = random() % 8; count > 0; --count) {
      const auto& from = levels > 0 && random() % 2 == 0 ? parents_ : leaves_;
      dies.Append(from[random() % from.size()]);
      if (&from == &parents_) dies.Append(RandomChildren(random, levels - 1));
    }
    return dies.U8(0);
  }

  // The offset after the children at the start of `dies`; nothing if they are
  // damaged.
  std::optional<uint64_t> Skip(const DwarfBytes& dies) const {
    LittleEndianCursor cursor(dies);
    if (!table_->SkipChildren(cursor)) return std::nullopt;
    return cursor.offset();
  }

  std::unique_ptr<AbbreviationTable> table_;
  std::vector<DwarfBytes> leaves_, parents_;

 private:
  DwarfBytes table_bytes_;
  uint64_t next_code_ = 1;
};

TEST_F(ChildrenTest, AreSkipped) {
  std::minstd_rand random(1);
  for (int i = 0; i < 500; ++i) {
    const DwarfBytes children = RandomChildren(random, 4);
    // Near the end of the bytes, DIEs are skipped in another way.
    for (const size_t rest : {0, 1, 10'000})
      ASSERT_EQ(Skip(DwarfBytes(children).Number(0, rest)), children.size())
          << i;
  }
}

TEST_F(ChildrenTest, AreDamagedIfTheyAreCutOff) {
  std::minstd_rand random(2);
  for (int i = 0; i < 20; ++i) {
    const DwarfBytes children = RandomChildren(random, 3);
    for (size_t size = 0; size < children.size(); ++size)
      ASSERT_EQ(Skip(DwarfBytes(children.bytes().first(size))), std::nullopt)
          << i << " " << size;
  }
}

TEST_F(ChildrenTest, AreDamagedIfACodeIsUnknown) {
  for (const uint64_t code : {99u, 1000u})
    for (const DwarfBytes& parent : parents_)
      EXPECT_EQ(Skip(DwarfBytes(parent).Uleb(code).Number(0, 10'000)),
                std::nullopt);
}

TEST(AbbreviationsTest, SkipsQuicklyUpToAFunctionWithCode) {
  DwarfBytes bytes;
  bytes.Ulebs({1, DW_TAG_namespace, 1, 0, 0, 2, DW_TAG_subprogram, 0, 0, 0});
  bytes.Ulebs({3, DW_TAG_subprogram, 0, DW_AT_ranges, DW_FORM_sec_offset, 0, 0})
      .U8(0);
  std::string problem;
  const auto table = ReadTable(bytes, problem);
  ASSERT_NE(table, nullptr) << problem;
  const DwarfBytes dies = DwarfBytes().U8(1).U8(2).U8(3).Number(0, 1000);
  LittleEndianCursor cursor(dies);
  EXPECT_EQ(table->SkipQuickly(cursor, 1), 2u);
  EXPECT_EQ(cursor.offset(), 2u);
}

TEST(AbbreviationsTest, TakesTheFirstOfTwoAbbreviationsWithOneCode) {
  DwarfBytes bytes;
  bytes.Ulebs({1, DW_TAG_subprogram, 0, 0, 0});
  bytes.Ulebs({1, DW_TAG_namespace, 1, 0, 0}).U8(0);
  std::string problem;
  const auto table = ReadTable(bytes, problem);
  ASSERT_NE(table, nullptr) << problem;
  EXPECT_EQ(table->Find(1)->tag, DW_TAG_subprogram);
}

TEST(AbbreviationsTest, KeepsAttributesAndTheStepsThatSkipThem) {
  DwarfBytes bytes;
  bytes.Ulebs({1, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string,
               DW_AT_decl_file, DW_FORM_implicit_const, 9, DW_AT_low_pc,
               DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0, 0});
  std::string problem;
  const auto table = ReadTable(bytes, problem);
  ASSERT_NE(table, nullptr) << problem;
  const Abbreviation& abbreviation = *table->Find(1);
  EXPECT_EQ(abbreviation.kind, DieKind::kFunction);
  EXPECT_TRUE(abbreviation.has_children);
  EXPECT_TRUE(abbreviation.has_code);
  const auto attributes = table->AttributesOf(abbreviation);
  ASSERT_EQ(attributes.size(), 4u);
  EXPECT_EQ(attributes[1].constant, 9);
  EXPECT_EQ(abbreviation.step_count, 2u);
  const DwarfBytes content = DwarfBytes().Text("name").Number(0, 12).U8(7);
  LittleEndianCursor cursor(content);
  table->Skip(abbreviation, cursor);
  EXPECT_EQ(cursor.U8(), 7u);
  EXPECT_TRUE(cursor.ok());
}

TEST(AbbreviationsTest, SaysWhyATableCannotBeRead) {
  std::string problem;
  EXPECT_EQ(
      ReadTable(DwarfBytes().Ulebs({1, 17, 0, 3, 0x99, 0, 0, 0}), problem),
      nullptr);
  EXPECT_EQ(problem, "unknown form 0x99");
  const DwarfBytes whole = DwarfBytes().Ulebs({1, 17, 0, 3, 8, 0, 0, 0});
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(ReadTable(DwarfBytes(whole.bytes().first(size)), problem),
              nullptr);
    EXPECT_EQ(problem, "its abbreviations are cut off") << size;
  }
}

}  // namespace
}  // namespace heapprof
