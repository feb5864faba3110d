// SPDX-License-Identifier: Apache-2.0
#include "dwarf/code_attributes.h"

#include <dwarf.h>

namespace heapprof {

CodeAttributes ReadCodeAttributes(const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const Abbreviation& abbreviation,
                                  LittleEndianCursor& cursor,
                                  FunctionNode& node) {
  CodeAttributes code;
  for (const AttributeSpec& spec : abbreviations.AttributesOf(abbreviation)) {
    const auto read = [&] { return reader.Read(spec, cursor); };
    switch (spec.attribute) {
      case DW_AT_low_pc:
        code.low_pc = read();
        break;
      case DW_AT_high_pc:
        code.high_pc = read();
        break;
      case DW_AT_ranges:
        code.ranges = read();
        break;
      case DW_AT_entry_pc:
        code.entry_pc = read();
        break;
      case DW_AT_abstract_origin:
        code.abstract_origin = reader.ReferenceOf(read());
        break;
      case DW_AT_specification:
        code.specification = reader.ReferenceOf(read());
        break;
      case DW_AT_call_file:
        node.call_file = read().number;
        break;
      case DW_AT_call_line:
        node.call_line = static_cast<uint32_t>(read().number);
        break;
      case DW_AT_call_column:
        node.call_column = static_cast<uint32_t>(read().number);
        break;
      default:
        if (spec.step.kind == SkipStep::Kind::kFixed)
          cursor.Skip(spec.step.size);
        else
          SkipValue(spec.step, reader.unit().encoding, cursor);
        break;
    }
  }
  node.origin =
      code.abstract_origin.value_or(code.specification.value_or(node.entry));
  return code;
}

}  // namespace heapprof
