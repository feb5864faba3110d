// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/attribute_field.h"

#include <array>

#include <dwarf.h>

namespace heapprof {
namespace {

// Those of the standard are below.
constexpr size_t kStandardAttributes = 0x90;

constexpr auto kFields = [] {
  using enum AttributeField;
  std::array<AttributeField, kStandardAttributes> fields;
  fields.fill(kOther);
  fields[DW_AT_low_pc] = kLowPc;
  fields[DW_AT_high_pc] = kHighPc;
  fields[DW_AT_ranges] = kRanges;
  fields[DW_AT_entry_pc] = kEntryPc;
  fields[DW_AT_call_file] = kCallFile;
  fields[DW_AT_call_line] = kCallLine;
  fields[DW_AT_call_column] = kCallColumn;
  fields[DW_AT_abstract_origin] = kAbstractOrigin;
  fields[DW_AT_specification] = kSpecification;
  fields[DW_AT_linkage_name] = kLinkageName;
  fields[DW_AT_name] = kName;
  fields[DW_AT_external] = kExternal;
  fields[DW_AT_decl_line] = kDeclLine;
  fields[DW_AT_decl_file] = kDeclFile;
  return fields;
}();

}  // namespace

AttributeField FieldOf(uint64_t attribute) {
  if (attribute < kFields.size()) return kFields[attribute];
  return attribute == DW_AT_MIPS_linkage_name ? AttributeField::kLinkageName
                                              : AttributeField::kOther;
}

}  // namespace heapprof
