// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/code_attributes.h"

#include <cstring>

namespace heapprof {
namespace {

// Reads an entry of `size` bytes. False if that and what a value at its end is
// read with is not there.
bool ReadFixed(const CodeLayout& layout, uint32_t size,
               LittleEndianCursor& cursor, CodeAttributes& code) {
  if (cursor.remaining() < size + sizeof(uint64_t)) return false;
  const uint8_t* entry = cursor.Bytes(size).data();
  for (size_t i = 0; i < layout.size(); ++i) {
    const FieldPlace& place = layout[i];
    uint64_t bits = 0;
    std::memcpy(&bits, entry + place.offset, sizeof(bits));
    code.values[i] = {place.form, place.ValueIn(bits)};
  }
  return true;
}

void ReadEach(const UnitReader& reader, std::span<const AttributeSpec> specs,
              LittleEndianCursor& cursor, CodeAttributes& code) {
  for (const AttributeSpec& spec : specs) {
    const auto field = static_cast<size_t>(spec.field);
    if (field < code.values.size()) {
      const FormValue value = reader.Read(spec, cursor);
      code.values[field] = {value.form, value.number};
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
  const CodeLayout* layout = abbreviations.LayoutOf(abbreviation);
  if (layout == nullptr ||
      !ReadFixed(*layout, abbreviation.first_step, cursor, code))
    ReadEach(reader, abbreviations.AttributesOf(abbreviation), cursor, code);

  const auto reference = [&](AttributeField field) -> std::optional<uint64_t> {
    const CodeValue& value = code[field];
    return value.has_value() ? reader.ReferenceOf(value.value()) : std::nullopt;
  };
  if (const auto origin = reference(AttributeField::kAbstractOrigin)) {
    code.abstract_origin = *origin;
    node.origin = *origin;
  } else {
    node.origin =
        reference(AttributeField::kSpecification).value_or(node.entry);
  }
  const CodeValue& file = code[AttributeField::kCallFile];
  if (file.has_value()) node.call_file = file.number;
  node.call_line =
      static_cast<uint32_t>(code[AttributeField::kCallLine].number);
  node.call_column =
      static_cast<uint32_t>(code[AttributeField::kCallColumn].number);
  return code;
}

}  // namespace heapprof
