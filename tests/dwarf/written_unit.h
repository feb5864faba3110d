// SPDX-License-Identifier: Apache-2.0
//
// Units written by hand, of DIEs of a few kinds: enough for tests that need
// functions, inlined subroutines, scopes and line rows at chosen addresses.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dwarf.h>

#include "dwarf/dwarf_file.h"

namespace heapprof {

// One unit. Addresses are relative to kCodeStart. The functions that open a DIE
// return its offset in .debug_info; End() closes it. A scan can skip the
// children of DIEs with DW_AT_sibling.
class WrittenUnit {
 public:
  struct Range {
    uint64_t start = 0;
    uint64_t size = 0;
  };

  // `offset` is that of the unit in .debug_info. The unit's line program is at
  // the start of .debug_line. `language` is DW_LANG_*; 0 if it is not known.
  // `version` is that of DWARF, at most 4.
  explicit WrittenUnit(Range code, uint64_t offset = 0, uint64_t language = 0,
                       uint64_t version = 4)
      : offset_(offset), version_(version), bytes_(OldUnitHeader(0, version)) {
    Code(language == 0 ? kUnit : kUnitWithLanguage, code);
    bytes_.U32(0);
    if (language != 0) bytes_.U8(language);
  }

  uint64_t Function(std::string_view name, Range code) {
    const uint64_t die = Start(kFunction);
    bytes_.Text(name);
    PutCode(code);
    return die;
  }
  // An out-of-line copy.
  uint64_t Copy(uint64_t origin, Range code) {
    const uint64_t die = Start(kCopy);
    PutReference(origin);
    PutCode(code);
    return die;
  }
  // A copy with a linkage name of its own, as gcc gives to clones.
  uint64_t Clone(std::string_view linkage_name, uint64_t origin, Range code) {
    const uint64_t die = Start(kClone);
    bytes_.Text(linkage_name);
    PutReference(origin);
    PutCode(code);
    return die;
  }
  uint64_t Inlined(uint64_t origin, Range code, uint64_t call_line) {
    const uint64_t die = Start(kInlined);
    PutReference(origin);
    PutCode(code);
    bytes_.U8(1).U8(call_line);
    return die;
  }
  uint64_t Namespace(std::string_view name) {
    const uint64_t die = Start(kNamespace);
    bytes_.Text(name);
    return die;
  }
  // A type with DW_AT_sibling.
  uint64_t Type(std::string_view name) { return WithSibling(kType, name); }
  // A function without code, with DW_AT_sibling.
  uint64_t Abstract(std::string_view name) {
    return WithSibling(kAbstract, name);
  }
  // The same, with DW_AT_declaration.
  uint64_t Declaration(std::string_view name) {
    return WithSibling(kDeclaration, name);
  }
  void End() {
    bytes_.U8(0);
    const size_t sibling = open_.back();
    open_.pop_back();
    if (sibling != 0) bytes_.Patch32(sibling, kLengthSize + bytes_.size());
  }

  // The unit with its header, whose root DIE is closed.
  DwarfBytes bytes() const {
    return DwarfBytes().Unit(DwarfBytes(bytes_).U8(0));
  }
  uint64_t end() const { return offset_ + bytes().size(); }

  static DwarfBytes Abbreviations() {
    DwarfBytes table;
    const auto add = [&](uint64_t code, uint64_t tag,
                         std::initializer_list<uint64_t> attributes) {
      table.Ulebs({code, tag, 1}).Ulebs(attributes).Ulebs({0, 0});
    };
    add(kUnit, DW_TAG_compile_unit,
        {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
         DW_AT_stmt_list, DW_FORM_sec_offset});
    add(kUnitWithLanguage, DW_TAG_compile_unit,
        {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
         DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_language, DW_FORM_data1});
    add(kFunction, DW_TAG_subprogram,
        {DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
         DW_FORM_data4});
    add(kCopy, DW_TAG_subprogram,
        {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr,
         DW_AT_high_pc, DW_FORM_data4});
    add(kClone, DW_TAG_subprogram,
        {DW_AT_linkage_name, DW_FORM_string, DW_AT_abstract_origin,
         DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
         DW_FORM_data4});
    add(kInlined, DW_TAG_inlined_subroutine,
        {DW_AT_abstract_origin, DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr,
         DW_AT_high_pc, DW_FORM_data4, DW_AT_call_file, DW_FORM_data1,
         DW_AT_call_line, DW_FORM_data1});
    add(kNamespace, DW_TAG_namespace, {DW_AT_name, DW_FORM_string});
    add(kType, DW_TAG_structure_type,
        {DW_AT_name, DW_FORM_string, DW_AT_sibling, DW_FORM_ref4});
    add(kAbstract, DW_TAG_subprogram,
        {DW_AT_name, DW_FORM_string, DW_AT_sibling, DW_FORM_ref4});
    add(kDeclaration, DW_TAG_subprogram,
        {DW_AT_name, DW_FORM_string, DW_AT_declaration, DW_FORM_flag_present,
         DW_AT_sibling, DW_FORM_ref4});
    return table.U8(0);
  }

 private:
  enum : uint64_t {
    kUnit = 1,
    kFunction,
    kCopy,
    kInlined,
    kNamespace,
    kType,
    kAbstract,
    kUnitWithLanguage,
    kDeclaration,
    kClone,
  };
  static constexpr uint64_t kLengthSize = 4;

  uint64_t Start(uint64_t code) {
    const uint64_t die = offset_ + kLengthSize + bytes_.size();
    bytes_.Uleb(code);
    open_.push_back(0);
    return die;
  }
  uint64_t WithSibling(uint64_t code, std::string_view name) {
    const uint64_t die = Start(code);
    bytes_.Text(name);
    open_.back() = bytes_.size();
    bytes_.U32(0);
    return die;
  }
  void Code(uint64_t code, Range range) {
    bytes_.Uleb(code);
    PutCode(range);
  }
  void PutCode(Range range) {
    bytes_.U64(kCodeStart + range.start).U32(range.size);
  }
  void PutReference(uint64_t die) {
    // In DWARF 2, DW_FORM_ref_addr has the size of an address.
    if (version_ == 2)
      bytes_.U64(die);
    else
      bytes_.U32(die);
  }

  uint64_t offset_;
  uint64_t version_;
  DwarfBytes bytes_;
  // Where the DW_AT_sibling of each open DIE is; 0 if it has none.
  std::vector<size_t> open_;
};

// A line row, which holds up to the next one.
struct WrittenRow {
  uint64_t start = 0;  // relative to kCodeStart
  uint64_t line = 0;
};

// A line program of one sequence, whose only file is "a.c".
inline DwarfBytes WrittenLines(const std::vector<WrittenRow>& rows,
                               uint64_t end) {
  DwarfBytes opcodes;
  uint64_t line = 1;
  for (const WrittenRow& row : rows) {
    opcodes.SetAddress(row.start);
    opcodes.U8(DW_LNS_advance_line).Uleb(row.line - line).U8(DW_LNS_copy);
    line = row.line;
  }
  opcodes.SetAddress(end).EndSequence();
  DwarfBytes header;
  header.U8(1).U8(1).U8(1).U8(0).U8(1).U8(10);
  for (const uint64_t operands : {0u, 1u, 1u, 1u, 1u, 0u, 0u, 0u, 1u})
    header.U8(operands);
  header.U8(0).Text("a.c").U8(0).U8(0).U8(0).U8(0);
  return DwarfBytes().Unit(
      DwarfBytes().U16(4).U32(header.size()).Append(header).Append(opcodes));
}

// The sections of a file with `units`, in this order.
inline std::map<std::string, DwarfBytes> SectionsOf(
    const std::vector<const WrittenUnit*>& units,
    const DwarfBytes& lines = {}) {
  DwarfBytes info;
  for (const WrittenUnit* unit : units) info.Append(unit->bytes());
  return {{".debug_info", info},
          {".debug_abbrev", WrittenUnit::Abbreviations()},
          {".debug_line", lines}};
}

// Where a file has a type unit: in .debug_info (DWARF 5) or .debug_types
// (DWARF 4).
enum class TypeUnitIn { kNoSection, kInfo, kTypes };

// A file with the function "space::Less::operator()". Its unit declares the
// class by a signature only; the name of the class is in a type unit.
struct SignatureFile {
  std::map<std::string, DwarfBytes> sections;
  uint64_t function = 0;  // offset of its DIE
};

inline SignatureFile FileWithSignature(TypeUnitIn section) {
  constexpr uint64_t kSignature = 0x1122334455667788;
  enum : uint64_t { kUnit = 1, kTypeUnit, kSpace, kDeclared, kClass, kMember };
  DwarfBytes abbreviations;
  abbreviations.Ulebs({kUnit, DW_TAG_compile_unit, 1, 0, 0});
  abbreviations.Ulebs({kTypeUnit, DW_TAG_type_unit, 1, 0, 0});
  abbreviations.Ulebs(
      {kSpace, DW_TAG_namespace, 1, DW_AT_name, DW_FORM_string, 0, 0});
  abbreviations.Ulebs({kDeclared, DW_TAG_structure_type, 1, DW_AT_signature,
                       DW_FORM_ref_sig8, 0, 0});
  abbreviations.Ulebs(
      {kClass, DW_TAG_structure_type, 0, DW_AT_name, DW_FORM_string, 0, 0});
  abbreviations.Ulebs(
      {kMember, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, 0, 0});
  abbreviations.U8(0);
  DwarfBytes unit = UnitHeader5();
  unit.U8(kUnit).U8(kSpace).Text("space").U8(kDeclared).U64(kSignature);
  const uint64_t function = 4 + unit.size();
  unit.U8(kMember).Text("operator()").Number(0, 3);
  DwarfBytes info = DwarfBytes().Unit(unit);
  // The class is the first DIE after the root.
  const DwarfBytes type_dies =
      DwarfBytes().U8(kTypeUnit).U8(kClass).Text("Less").U8(0);
  if (section == TypeUnitIn::kInfo)
    info.Unit(DwarfBytes()
                  .U16(5)
                  .U8(DW_UT_type)
                  .U8(8)
                  .U32(0)
                  .U64(kSignature)
                  .U32(25)
                  .Append(type_dies));
  std::map<std::string, DwarfBytes> sections = {
      {".debug_info", info}, {".debug_abbrev", abbreviations}};
  if (section == TypeUnitIn::kTypes)
    sections[".debug_types"] = DwarfBytes().Unit(DwarfBytes()
                                                     .U16(4)
                                                     .U32(0)
                                                     .U8(8)
                                                     .U64(kSignature)
                                                     .U32(24)
                                                     .Append(type_dies));
  return {std::move(sections), function};
}

}  // namespace heapprof
