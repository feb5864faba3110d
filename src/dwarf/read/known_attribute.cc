// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/known_attribute.h"

#include <array>

#include <dwarf.h>

namespace heapprof {
namespace {

// All attributes of the DWARF standard are less than this.
constexpr size_t kStandardAttributes = 0x90;

constexpr auto kKnownAttributes = [] {
  using enum KnownAttribute;
  std::array<KnownAttribute, kStandardAttributes> attributes;
  attributes.fill(kOther);
  attributes[DW_AT_low_pc] = kLowPc;
  attributes[DW_AT_high_pc] = kHighPc;
  attributes[DW_AT_ranges] = kRanges;
  attributes[DW_AT_entry_pc] = kEntryPc;
  attributes[DW_AT_call_file] = kCallFile;
  attributes[DW_AT_call_line] = kCallLine;
  attributes[DW_AT_call_column] = kCallColumn;
  attributes[DW_AT_abstract_origin] = kAbstractOrigin;
  attributes[DW_AT_specification] = kSpecification;
  attributes[DW_AT_linkage_name] = kLinkageName;
  attributes[DW_AT_name] = kName;
  attributes[DW_AT_external] = kExternal;
  attributes[DW_AT_decl_line] = kDeclLine;
  attributes[DW_AT_decl_file] = kDeclFile;
  attributes[DW_AT_signature] = kSignature;
  return attributes;
}();

}  // namespace

KnownAttribute KnownAttributeOf(uint64_t attribute) {
  if (attribute < kKnownAttributes.size()) return kKnownAttributes[attribute];
  return attribute == DW_AT_MIPS_linkage_name ? KnownAttribute::kLinkageName
                                              : KnownAttribute::kOther;
}

}  // namespace heapprof
