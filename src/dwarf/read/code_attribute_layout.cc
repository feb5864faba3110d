// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/code_attribute_layout.h"

#include "dwarf/read/abbreviations.h"

namespace heapprof {

std::optional<CodeAttributeLayout> MakeCodeAttributeLayout(
    std::span<const AttributeSpec> attributes) {
  CodeAttributeLayout layout = {};
  uint64_t offset = 0;
  for (const AttributeSpec& spec : attributes) {
    const uint16_t size = spec.step.size;
    if (spec.step.kind != SkipStep::Kind::kFixed || offset > UINT16_MAX)
      return std::nullopt;
    const auto attribute = static_cast<size_t>(spec.attribute);
    if (attribute < layout.size()) {
      AttributePlace& place = layout[attribute];
      place = {.form = spec.form,
               .offset = static_cast<uint16_t>(offset),
               .constant = spec.constant};
      if (size <= sizeof(uint64_t)) place.size = static_cast<uint8_t>(size);
    }
    offset += size;
  }
  return layout;
}

}  // namespace heapprof
