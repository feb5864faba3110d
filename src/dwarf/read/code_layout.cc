// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/code_layout.h"

#include "dwarf/read/abbreviations.h"

namespace heapprof {

std::optional<CodeLayout> MakeCodeLayout(
    std::span<const AttributeSpec> attributes) {
  CodeLayout layout = {};
  uint64_t offset = 0;
  for (const AttributeSpec& spec : attributes) {
    const uint16_t size = spec.step.size;
    if (spec.step.kind != SkipStep::Kind::kFixed || offset > UINT16_MAX)
      return std::nullopt;
    const auto field = static_cast<size_t>(spec.field);
    if (field < layout.size()) {
      FieldPlace& place = layout[field];
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
