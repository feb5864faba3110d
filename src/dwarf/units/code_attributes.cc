// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/code_attributes.h"

#include <cstring>

namespace heapprof {
namespace {

// Reads the attributes of a DIE whose attributes have fixed offsets and take
// `size` bytes in total. Each value is read as 8 bytes, whatever its size.
// Returns false if such a read could go beyond the end of the unit.
bool ReadFixed(const CodeAttributeLayout& layout, uint32_t size,
               LittleEndianCursor& cursor, CodeAttributes& code) {
  if (cursor.remaining() < size + sizeof(uint64_t)) return false;
  const uint8_t* die = cursor.Bytes(size).data();
  for (size_t i = 0; i < layout.size(); ++i) {
    const AttributePlace& place = layout[i];
    uint64_t bits = 0;
    std::memcpy(&bits, die + place.offset, sizeof(bits));
    code.values[i] = {place.form, place.ValueIn(bits)};
  }
  return true;
}

void ReadEach(const UnitReader& reader, std::span<const AttributeSpec> specs,
              LittleEndianCursor& cursor, CodeAttributes& code) {
  for (const AttributeSpec& spec : specs) {
    const auto attribute = static_cast<size_t>(spec.attribute);
    if (attribute < code.values.size()) {
      const FormValue value = reader.Read(spec, cursor);
      code.values[attribute] = {value.form, value.number};
    } else if (spec.step.kind == SkipStep::Kind::kFixed) {
      cursor.Skip(spec.step.size);
    } else {
      SkipValue(spec.step, reader.unit().encoding, cursor);
    }
  }
}

}  // namespace

CodeAttributes ReadCodeAttributes(const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const Abbreviation& abbreviation,
                                  LittleEndianCursor& cursor,
                                  FunctionNode& node) {
  CodeAttributes code;
  const CodeAttributeLayout* layout = abbreviations.LayoutOf(abbreviation);
  if (layout == nullptr ||
      !ReadFixed(*layout, abbreviation.first_step, cursor, code))
    ReadEach(reader, abbreviations.AttributesOf(abbreviation), cursor, code);

  const auto reference =
      [&](KnownAttribute attribute) -> std::optional<uint64_t> {
    const CodeValue& value = code[attribute];
    return value.has_value() ? reader.ReferenceOf(value.value()) : std::nullopt;
  };
  if (const auto origin = reference(KnownAttribute::kAbstractOrigin)) {
    code.abstract_origin = *origin;
    node.origin = *origin;
  } else {
    node.origin = reference(KnownAttribute::kSpecification).value_or(node.die);
  }
  const CodeValue& file = code[KnownAttribute::kCallFile];
  if (file.has_value()) node.call_file = file.number;
  node.call_line =
      static_cast<uint32_t>(code[KnownAttribute::kCallLine].number);
  node.call_column =
      static_cast<uint32_t>(code[KnownAttribute::kCallColumn].number);
  return code;
}

}  // namespace heapprof
