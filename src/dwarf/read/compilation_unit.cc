// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/compilation_unit.h"

#include <algorithm>

#include <dwarf.h>
#include <fmt/core.h>

#include "heapprof/base/part_of.h"

namespace heapprof {
namespace {

constexpr uint32_t kFirstReservedLength = 0xfffffff0;

constexpr std::string_view kCutOffHeader = "its header is cut off";
constexpr std::string_view kDamagedRoot = "its root DIE is damaged";

// Reads the part of the unit header that follows the length.
// `unit.encoding.offset_size` must be set.
void ReadHeader(LittleEndianCursor cursor, CompilationUnit& unit) {
  UnitEncoding& encoding = unit.encoding;
  encoding.version = cursor.U16();
  if (encoding.version < 2 || encoding.version > 5) {
    unit.problem = fmt::format("unknown version {}", encoding.version);
    return;
  }
  unit.is_compile_unit = true;
  if (encoding.version == 5) {
    const uint8_t type = cursor.U8();
    encoding.address_size = cursor.U8();
    unit.abbreviations = cursor.Unsigned(encoding.offset_size);
    unit.is_compile_unit = type == DW_UT_compile || type == DW_UT_skeleton ||
                           type == DW_UT_split_compile;
    if (type == DW_UT_skeleton || type == DW_UT_split_compile) {
      unit.id = cursor.U64();
    } else if (type == DW_UT_type || type == DW_UT_split_type) {
      unit.id = cursor.U64();
      unit.type = unit.offset + cursor.Unsigned(encoding.offset_size);
    } else if (type != DW_UT_compile && type != DW_UT_partial) {
      unit.problem = fmt::format("unknown unit type {:#x}", type);
    }
  } else {
    unit.abbreviations = cursor.Unsigned(encoding.offset_size);
    encoding.address_size = cursor.U8();
  }
  unit.root = cursor.offset();
  if (!cursor.ok())
    unit.problem = kCutOffHeader;
  else if (encoding.address_size != 8 && encoding.address_size != 4)
    unit.problem =
        fmt::format("unsupported address size {}", encoding.address_size);
}

FormValue AddressAndOffset(uint64_t index, uint32_t offset) {
  return {.form = kFormAddressAndOffset,
          .number = std::min<uint64_t>(index, UINT32_MAX) << 32 | offset};
}

// Reads the expression that clang's -minimize-addr-in-v5=Expressions writes
// for an address: it adds an offset to the address with this index. Skips other
// expressions.
FormValue ReadExpression(LittleEndianCursor& cursor) {
  LittleEndianCursor expression(cursor.Bytes(cursor.Uleb()));
  const bool has_index = expression.U8() == DW_OP_addrx;
  const uint64_t index = expression.Uleb();
  const bool has_offset = expression.U8() == DW_OP_const4u;
  const uint32_t offset = expression.U32();
  const bool is_sum = expression.U8() == DW_OP_plus;
  if (has_index && has_offset && is_sum && expression.ok() &&
      expression.AtEnd())
    return AddressAndOffset(index, offset);
  return {.form = DW_FORM_exprloc};
}

// Attributes of the root DIE that can be interpreted only after all of its
// attributes are read, because they depend on bases (such as DW_AT_addr_base)
// that may come later in the DIE.
struct RootValues {
  std::optional<FormValue> low_pc;
  std::optional<FormValue> directory;
  std::optional<FormValue> ranges;
  std::optional<FormValue> high_pc;
  std::optional<FormValue> split_name;
  uint64_t ranges_base = 0;
};

void TakeRootValue(uint64_t attribute, const FormValue& value,
                   CompilationUnit& unit, RootValues& later) {
  switch (attribute) {
    case DW_AT_low_pc:
      later.low_pc = value;
      break;
    case DW_AT_high_pc:
      later.high_pc = value;
      break;
    case DW_AT_ranges:
      later.ranges = value;
      break;
    case DW_AT_comp_dir:
      later.directory = value;
      break;
    case DW_AT_stmt_list:
      unit.line_program_offset = value.number;
      break;
    case DW_AT_language:
      unit.language = static_cast<uint16_t>(value.number);
      break;
    case DW_AT_str_offsets_base:
      unit.string_offsets_base = value.number;
      break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
      unit.address_base = value.number;
      break;
    case DW_AT_rnglists_base:
      unit.range_lists_base = value.number;
      break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
      later.split_name = value;
      break;
    case DW_AT_GNU_dwo_id:
      unit.id = value.number;
      break;
    case DW_AT_GNU_ranges_base:
      later.ranges_base = value.number;
      break;
    default:
      break;
  }
}

// Reads the attributes of the root DIE at `cursor`. Reads the `table` of
// abbreviations only up to that of the DIE, which need not be the first one:
// gcc may put it last. If an attribute has an unknown form, stops there and
// returns the form.
std::optional<uint64_t> ReadRootValues(const UnitReader& reader,
                                       LittleEndianCursor& cursor,
                                       LittleEndianCursor& table,
                                       CompilationUnit& unit,
                                       RootValues& values) {
  const uint64_t code = cursor.Uleb();
  while (const uint64_t listed_code = table.Uleb()) {
    const uint64_t tag = table.Uleb();
    table.U8();  // whether the DIE has children
    if (listed_code != code) {
      if (const auto unknown = SkipAttributeSpecs(table)) return unknown;
      continue;
    }
    if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit)
      unit.is_compile_unit = false;
    while (table.ok()) {
      const uint64_t attribute = table.Uleb();
      const uint64_t form = table.Uleb();
      if (!table.ok() || (attribute == 0 && form == 0)) break;
      auto spec = MakeAttributeSpec(form, unit.encoding);
      if (!spec) return form;
      if (form == DW_FORM_implicit_const)
        spec->constant = ReadImplicitConst(table);
      TakeRootValue(attribute, reader.Read(*spec, cursor), unit, values);
    }
    return std::nullopt;
  }
  unit.problem = kDamagedRoot;
  return std::nullopt;
}

}  // namespace

bool IsAddressForm(uint16_t form) {
  switch (form) {
    case DW_FORM_addr:
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
    case kFormAddressAndOffset:
      return true;
    default:
      return false;
  }
}

FormValue UnitReader::ReadOther(const AttributeSpec& spec,
                                LittleEndianCursor& cursor) const {
  FormValue value{.form = spec.form};
  using Kind = SkipStep::Kind;
  if (spec.step.kind == Kind::kIndirect) return ReadIndirect(cursor);
  switch (value.form) {
    case DW_FORM_string:
      value.text = cursor.String();
      return value;
    case DW_FORM_sdata:
      value.number = static_cast<uint64_t>(cursor.Sleb());
      return value;
    case kFormAddressAndOffset: {
      const uint64_t index = cursor.Uleb();
      return AddressAndOffset(index, cursor.U32());
    }
    case DW_FORM_exprloc:
      return ReadExpression(cursor);
    default:
      break;
  }
  if (spec.step.kind == Kind::kLeb)
    value.number = cursor.Uleb();
  else
    SkipValue(spec.step, unit_.encoding, cursor);
  return value;
}

// Reads a form, then a value of that form.
FormValue UnitReader::ReadIndirect(LittleEndianCursor& cursor) const {
  const auto spec = MakeAttributeSpec(cursor.Uleb(), unit_.encoding);
  if (spec && spec->step.kind != SkipStep::Kind::kIndirect)
    return Read(*spec, cursor);
  cursor.Skip(UINT64_MAX);  // fails
  return {};
}

std::optional<uint64_t> UnitReader::OffsetAt(std::span<const uint8_t> section,
                                             uint64_t base, uint64_t index,
                                             size_t size) const {
  if (base > section.size() || index >= (section.size() - base) / size)
    return std::nullopt;
  return LittleEndianCursor(section, base + index * size).Unsigned(size);
}

std::optional<uint64_t> UnitReader::AddressOf(const FormValue& value) const {
  if (value.form == DW_FORM_addr) return value.number;
  if (!IsAddressForm(value.form)) return std::nullopt;
  const bool has_offset = value.form == kFormAddressAndOffset;
  auto address = OffsetAt(sections_.addresses, unit_.address_base,
                          has_offset ? value.number >> 32 : value.number,
                          unit_.encoding.address_size);
  if (address && has_offset) *address += value.number & UINT32_MAX;
  return address;
}

std::string_view UnitReader::UnboundedStringOf(const FormValue& value) const {
  switch (value.form) {
    case DW_FORM_string:
      return value.text;
    case DW_FORM_strp:
      return UnboundedStringAt(sections_.strings, value.number);
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_strp_sup:
      return UnboundedStringAt(sections_.alternate_strings, value.number);
    case DW_FORM_line_strp:
      return UnboundedStringAt(sections_.line_strings, value.number);
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index: {
      const auto offset =
          OffsetAt(sections_.string_offsets, unit_.string_offsets_base,
                   value.number, unit_.encoding.offset_size);
      return offset ? UnboundedStringAt(sections_.strings, *offset)
                    : std::string_view();
    }
    default:
      return {};
  }
}

std::optional<uint64_t> UnitReader::ReferenceOf(const FormValue& value) const {
  switch (value.form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
      if (value.number >= unit_.end - unit_.offset) return std::nullopt;
      return unit_.offset + value.number;
    case DW_FORM_ref_addr:
      return value.number;
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
      return value.number | kInAlternate;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> UnitReader::RangeListOf(const FormValue& value) const {
  if (value.form != DW_FORM_rnglistx) return value.number;
  const auto offset = OffsetAt(sections_.range_lists, unit_.range_lists_base,
                               value.number, unit_.encoding.offset_size);
  if (!offset) return std::nullopt;
  return unit_.range_lists_base + *offset;
}

uint64_t ReadInitialLength(LittleEndianCursor& cursor, uint8_t& offset_size) {
  constexpr uint32_t k64BitFormat = 0xffffffff;
  const uint32_t length = cursor.U32();
  offset_size = length == k64BitFormat ? 8 : 4;
  return length == k64BitFormat ? cursor.U64() : length;
}

UnitList ReadUnitHeaders(const DebugSections& sections, AddressRange part) {
  UnitList list;
  const uint64_t end = std::min<uint64_t>(part.end, sections.info.size());
  uint64_t offset = part.start;
  while (offset < end) {
    LittleEndianCursor cursor(sections.info, offset);
    CompilationUnit unit{.offset = offset};
    const uint64_t length =
        ReadInitialLength(cursor, unit.encoding.offset_size);
    const bool reserved =
        unit.encoding.offset_size == 4 && length >= kFirstReservedLength;
    if (!cursor.ok() || reserved || length > cursor.remaining()) {
      list.problem =
          fmt::format("unit header at {:#x} of .debug_info is damaged", offset);
      break;
    }
    unit.end = cursor.offset() + length;
    ReadHeader(
        LittleEndianCursor(sections.info.first(unit.end), cursor.offset()),
        unit);
    offset = unit.end;
    // A length of zero is not a unit, but padding between units.
    if (length != 0) list.units.push_back(std::move(unit));
  }
  list.end = offset;
  return list;
}

void ReadTypeHeader(const DebugSections& sections, CompilationUnit& unit) {
  LittleEndianCursor cursor(sections.info.first(unit.end), unit.root);
  unit.id = cursor.U64();
  unit.type = unit.offset + cursor.Unsigned(unit.encoding.offset_size);
  unit.root = cursor.offset();
  unit.is_compile_unit = false;
  if (!cursor.ok()) unit.problem = kCutOffHeader;
}

void SetDefaultBases(CompilationUnit& unit) {
  if (unit.encoding.version < 5) return;
  const uint64_t small = unit.encoding.offset_size == 4 ? 8 : 16;
  const uint64_t large = unit.encoding.offset_size == 4 ? 12 : 20;
  unit.string_offsets_base = small;
  unit.address_base = small;
  unit.range_lists_base = large;
}

RootCode ReadRootDie(const DebugSections& sections, uint64_t& budget,
                     CompilationUnit& unit) {
  SetDefaultBases(unit);
  LittleEndianCursor cursor(sections.info.first(unit.end), unit.root);
  LittleEndianCursor table(
      PartOf(sections.abbreviations, unit.abbreviations, budget));
  const UnitReader reader(sections, unit);
  RootValues values;
  if (const auto form = ReadRootValues(reader, cursor, table, unit, values)) {
    unit.problem = fmt::format("unknown form {:#x}", *form);
    return {};
  }
  budget -= table.offset();
  if (!table.ok() || !cursor.ok()) unit.problem = kDamagedRoot;
  if (values.split_name)
    unit.split = {.name = reader.StringOf(*values.split_name),
                  .ranges_base = values.ranges_base};
  if (values.directory) unit.directory = reader.StringOf(*values.directory);
  RootCode found{.high_pc = values.high_pc, .ranges = values.ranges};
  if (values.low_pc) found.low_pc = reader.AddressOf(*values.low_pc);
  unit.base_address = found.low_pc.value_or(0);
  return found;
}

}  // namespace heapprof
