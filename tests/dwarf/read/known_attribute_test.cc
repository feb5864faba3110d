// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/known_attribute.h"

#include <cstdint>

#include <dwarf.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(AttributeFieldTest, NumbersThoseOfCodeFirst) {
  for (const uint64_t attribute :
       {DW_AT_low_pc, DW_AT_high_pc, DW_AT_ranges, DW_AT_entry_pc,
        DW_AT_call_file, DW_AT_call_line, DW_AT_call_column,
        DW_AT_abstract_origin, DW_AT_specification})
    EXPECT_LT(static_cast<size_t>(KnownAttributeOf(attribute)),
              kCodeAttributeCount)
        << attribute;
  for (const uint64_t attribute :
       {DW_AT_linkage_name, DW_AT_name, DW_AT_external, DW_AT_decl_line,
        DW_AT_decl_file}) {
    EXPECT_GE(static_cast<size_t>(KnownAttributeOf(attribute)),
              kCodeAttributeCount)
        << attribute;
    EXPECT_NE(KnownAttributeOf(attribute), KnownAttribute::kOther) << attribute;
  }
}

TEST(AttributeFieldTest, TakesTheOldLinkageNameForOne) {
  EXPECT_EQ(KnownAttributeOf(DW_AT_MIPS_linkage_name),
            KnownAttribute::kLinkageName);
}

// A number that is cut off would be one of ours.
TEST(AttributeFieldTest, KnowsNoOthers) {
  for (const uint64_t attribute :
       {uint64_t{0}, uint64_t{DW_AT_sibling}, uint64_t{DW_AT_decl_column},
        uint64_t{0x8f}, uint64_t{0x90}, uint64_t{0x2008},
        uint64_t{0x10000 + DW_AT_low_pc},
        (uint64_t{1} << 32) + DW_AT_MIPS_linkage_name, UINT64_MAX})
    EXPECT_EQ(KnownAttributeOf(attribute), KnownAttribute::kOther) << attribute;
}

}  // namespace
}  // namespace heapprof
