// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/code_attribute_layout.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/read/abbreviations.h"

namespace heapprof {
namespace {

constexpr UnitEncoding kDwarf4 = {
    .version = 5, .address_size = 8, .offset_size = 4};

AttributeSpec Spec(KnownAttribute attribute, uint64_t form,
                   int32_t constant = 0) {
  AttributeSpec spec = MakeAttributeSpec(form, kDwarf4).value();
  spec.attribute = attribute;
  if (form == DW_FORM_implicit_const) spec.constant = constant;
  return spec;
}

const AttributePlace& PlaceOf(const CodeAttributeLayout& layout,
                              KnownAttribute attribute) {
  return layout[static_cast<size_t>(attribute)];
}

TEST(CodeAttributeLayoutTest, AddsUpTheSizesOfAttributes) {
  const std::vector<AttributeSpec> specs = {
      Spec(KnownAttribute::kName, DW_FORM_strp),
      Spec(KnownAttribute::kLowPc, DW_FORM_addr),
      Spec(KnownAttribute::kOther, DW_FORM_data16),
      Spec(KnownAttribute::kHighPc, DW_FORM_data2)};
  const auto layout = MakeCodeAttributeLayout(specs);
  ASSERT_TRUE(layout);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kLowPc).offset, 4);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kLowPc).size, 8);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kLowPc).form, DW_FORM_addr);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kHighPc).offset, 28);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kHighPc).size, 2);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kRanges).form, 0);
}

TEST(CodeAttributeLayoutTest, NeedsFixedSizesOnly) {
  for (const uint64_t form : {DW_FORM_udata, DW_FORM_string, DW_FORM_block1,
                              DW_FORM_exprloc, DW_FORM_indirect}) {
    const std::vector<AttributeSpec> specs = {
        Spec(KnownAttribute::kLowPc, DW_FORM_addr),
        Spec(KnownAttribute::kOther, form)};
    EXPECT_FALSE(MakeCodeAttributeLayout(specs)) << form;
  }
}

// Offsets have 16 bits: one that does not fit must not wrap around.
TEST(CodeAttributeLayoutTest, RejectsOffsetsThatDoNotFit) {
  std::vector<AttributeSpec> specs(
      4095, Spec(KnownAttribute::kOther, DW_FORM_data16));
  specs.push_back(Spec(KnownAttribute::kOther, DW_FORM_data8));
  specs.push_back(Spec(KnownAttribute::kOther, DW_FORM_data4));
  specs.push_back(Spec(KnownAttribute::kOther, DW_FORM_data2));
  specs.push_back(Spec(KnownAttribute::kOther, DW_FORM_data1));
  specs.push_back(Spec(KnownAttribute::kLowPc, DW_FORM_addr));
  const auto layout = MakeCodeAttributeLayout(specs);
  ASSERT_TRUE(layout);
  EXPECT_EQ(PlaceOf(*layout, KnownAttribute::kLowPc).offset, UINT16_MAX);
  specs.insert(specs.begin(), Spec(KnownAttribute::kOther, DW_FORM_data1));
  EXPECT_FALSE(MakeCodeAttributeLayout(specs));
}

TEST(AttributePlaceTest, CutsTheValueToItsSize) {
  constexpr uint64_t kBits = 0x8877665544332211;
  for (const auto& [size, value] :
       std::vector<std::pair<uint8_t, uint64_t>>{{0, 0},
                                                 {1, 0x11},
                                                 {2, 0x2211},
                                                 {3, 0x332211},
                                                 {4, 0x44332211},
                                                 {8, kBits}}) {
    const AttributePlace place = {.form = 1, .size = size};
    EXPECT_EQ(place.ValueIn(kBits), value) << int{size};
  }
}

TEST(AttributePlaceTest, ReturnsTheConstantOfAValueWithoutBytes) {
  const std::vector<AttributeSpec> specs = {
      Spec(KnownAttribute::kCallFile, DW_FORM_implicit_const, 9),
      Spec(KnownAttribute::kCallLine, DW_FORM_implicit_const, -1),
      Spec(KnownAttribute::kCallColumn, DW_FORM_flag_present)};
  const auto layout = MakeCodeAttributeLayout(specs);
  ASSERT_TRUE(layout);
  const auto value = [&](KnownAttribute attribute) {
    return PlaceOf(*layout, attribute).ValueIn(0x1234);
  };
  EXPECT_EQ(value(KnownAttribute::kCallFile), 9u);
  EXPECT_EQ(value(KnownAttribute::kCallLine), UINT64_MAX);
  EXPECT_EQ(value(KnownAttribute::kCallColumn), 1u);
}

}  // namespace
}  // namespace heapprof
