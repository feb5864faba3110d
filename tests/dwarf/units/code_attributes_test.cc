// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/code_attributes.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"

namespace heapprof::code_attributes_test {
namespace {

constexpr UnitEncoding kEncoding = {
    .version = 5, .address_size = 8, .offset_size = 4};

// A DIE, after its abbreviation code.
class DieFile {
 public:
  // `attributes` are pairs of attribute and form.
  DieFile(const DwarfBytes& attributes, const DwarfBytes& values)
      : dwarf_({{".debug_abbrev", DwarfBytes()
                                      .Ulebs({1, DW_TAG_compile_unit, 0,
                                              DW_AT_low_pc, DW_FORM_addr, 0, 0})
                                      .U8(0)},
                {".debug_info", DwarfBytes().Unit(UnitHeader5()
                                                      .U8(1)
                                                      .U64(kCodeStart)
                                                      .Append(values)
                                                      .Number(0, 64))}}),
        reader_(dwarf_.reader()),
        size_(values.size()) {
    DwarfBytes table;
    table.Ulebs({1, DW_TAG_inlined_subroutine, 0});
    table.Append(attributes).Ulebs({0, 0, 0});
    LittleEndianCursor cursor(table);
    std::string problem;
    table_ = AbbreviationTable::Read(cursor, kEncoding, problem);
  }

  bool has_layout() const {
    return table_->LayoutOf(*table_->Find(1)) != nullptr;
  }
  // "low high ranges entry | origin | file:line:column", with "-" for what the
  // DIE does not have. `after` bytes follow the DIE.
  std::string Read(uint64_t after) const {
    const uint64_t start = reader_.unit().root + 1 + sizeof(uint64_t);
    LittleEndianCursor cursor(
        reader_.sections().info.first(start + size_ + after), start);
    FunctionNode node{.die = 7};
    const CodeAttributes code =
        ReadCodeAttributes(reader_, *table_, *table_->Find(1), cursor, node);
    EXPECT_TRUE(cursor.ok());
    EXPECT_EQ(cursor.remaining(), after);
    std::string text;
    for (const KnownAttribute field :
         {KnownAttribute::kLowPc, KnownAttribute::kHighPc,
          KnownAttribute::kRanges, KnownAttribute::kEntryPc}) {
      const CodeValue& value = code[field];
      text += value.has_value() ? std::to_string(value.number) + ' ' : "- ";
    }
    text += "| " + std::to_string(node.origin - reader_.unit().offset) + " | ";
    text += node.call_file ? std::to_string(*node.call_file) : "-";
    return text + ':' + std::to_string(node.call_line) + ':' +
           std::to_string(node.call_column);
  }

 private:
  OpenedDwarf dwarf_;
  UnitReader reader_;
  uint64_t size_;
  std::unique_ptr<AbbreviationTable> table_;
};

// The values do not depend on what follows the DIE.
void ExpectValues(const DieFile& file, const std::string& expected) {
  for (const uint64_t after : std::initializer_list<uint64_t>{0, 1, 7, 8, 32})
    EXPECT_EQ(file.Read(after), expected) << after;
}

TEST(CodeAttributesTest, ReadsDiesOfFixedSize) {
  const DieFile file(
      DwarfBytes().Ulebs(
          {DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_entry_pc, DW_FORM_addr,
           DW_AT_GNU_entry_view, DW_FORM_data1, DW_AT_low_pc, DW_FORM_addr,
           DW_AT_high_pc, DW_FORM_data8, DW_AT_call_file, DW_FORM_data1,
           DW_AT_call_line, DW_FORM_data2, DW_AT_call_column, DW_FORM_data1}),
      DwarfBytes().U32(20).U64(4097).U8(9).U64(4096).U64(64).U8(3).U16(258).U8(
          255));
  EXPECT_TRUE(file.has_layout());
  ExpectValues(file, "4096 64 - 4097 | 20 | 3:258:255");
}

TEST(CodeAttributesTest, ReadsValuesThatTakeNoBytes) {
  const DieFile file(
      DwarfBytes().Ulebs({DW_AT_ranges, DW_FORM_sec_offset, DW_AT_call_file,
                          DW_FORM_implicit_const, 5, DW_AT_call_column,
                          DW_FORM_flag_present, DW_AT_call_line,
                          DW_FORM_strx3}),
      DwarfBytes().U32(77).U8(1).U8(2).U8(3));
  EXPECT_TRUE(file.has_layout());
  ExpectValues(file, "- - 77 - | 7 | 5:197121:1");
}

TEST(CodeAttributesTest, ReadsOtherDiesValueByValue) {
  const DieFile file(
      DwarfBytes().Ulebs({DW_AT_specification, DW_FORM_ref_udata, DW_AT_low_pc,
                          DW_FORM_addr, DW_AT_name, DW_FORM_string,
                          DW_AT_high_pc, DW_FORM_udata, DW_AT_call_line,
                          DW_FORM_data1}),
      DwarfBytes().Uleb(30).U64(4096).U8('f').U8(0).Uleb(300).U8(12));
  EXPECT_FALSE(file.has_layout());
  ExpectValues(file, "4096 300 - - | 30 | -:12:0");
}

}  // namespace
}  // namespace heapprof::code_attributes_test
