// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/known_attribute.h"

#include <cstdint>

#include <dwarf.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(KnownAttributeTest, NumbersTheAttributesOfCodeFirst) {
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

TEST(KnownAttributeTest, AcceptsTheOldLinkageName) {
  EXPECT_EQ(KnownAttributeOf(DW_AT_MIPS_linkage_name),
            KnownAttribute::kLinkageName);
}

// Some of these would become known attributes if cut to 16 or 32 bits.
TEST(KnownAttributeTest, KnowsNoOthers) {
  for (const uint64_t attribute :
       {uint64_t{0}, uint64_t{DW_AT_sibling}, uint64_t{DW_AT_decl_column},
        uint64_t{0x8f}, uint64_t{0x90}, uint64_t{0x2008},
        uint64_t{0x10000 + DW_AT_low_pc},
        (uint64_t{1} << 32) + DW_AT_MIPS_linkage_name, UINT64_MAX})
    EXPECT_EQ(KnownAttributeOf(attribute), KnownAttribute::kOther) << attribute;
}

}  // namespace
}  // namespace heapprof
