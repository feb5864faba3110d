// SPDX-License-Identifier: Apache-2.0
#include "dwarf/code_layout.h"

#include <dwarf.h>

#include "dwarf/abbreviations.h"

namespace heapprof {

std::optional<CodeField> CodeFieldOf(uint16_t attribute) {
  switch (attribute) {
    case DW_AT_low_pc:
      return CodeField::kLowPc;
    case DW_AT_high_pc:
      return CodeField::kHighPc;
    case DW_AT_ranges:
      return CodeField::kRanges;
    case DW_AT_entry_pc:
      return CodeField::kEntryPc;
    case DW_AT_abstract_origin:
      return CodeField::kAbstractOrigin;
    case DW_AT_specification:
      return CodeField::kSpecification;
    case DW_AT_call_file:
      return CodeField::kCallFile;
    case DW_AT_call_line:
      return CodeField::kCallLine;
    case DW_AT_call_column:
      return CodeField::kCallColumn;
    default:
      return std::nullopt;
  }
}

std::optional<CodeLayout> MakeCodeLayout(
    std::span<const AttributeSpec> attributes) {
  CodeLayout layout = {};
  uint64_t offset = 0;
  for (const AttributeSpec& spec : attributes) {
    const uint16_t size = spec.step.size;
    if (spec.step.kind != SkipStep::Kind::kFixed || offset > UINT16_MAX)
      return std::nullopt;
    if (const auto field = CodeFieldOf(spec.attribute)) {
      FieldPlace place = {.form = spec.form,
                          .offset = static_cast<uint16_t>(offset)};
      if (size <= sizeof(uint64_t)) place.size = static_cast<uint8_t>(size);
      if (spec.form == DW_FORM_implicit_const)
        place.constant = spec.implicit_const;
      else if (spec.form == DW_FORM_flag_present)
        place.constant = 1;
      layout[static_cast<size_t>(*field)] = place;
    }
    offset += size;
  }
  return layout;
}

}  // namespace heapprof
