// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/abbreviations.h"

#include <algorithm>
#include <array>
#include <optional>

#include <dwarf.h>
#include <fmt/core.h>

#include "dwarf/shared/attribute_specs.h"

namespace heapprof {
namespace {

using Kind = SkipStep::Kind;

// How many attributes that take no bytes in the DIE (flags, implicit constants)
// are kept per abbreviation. Compilers write a handful. Without this limit, an
// abbreviation could have a million of them, and every DIE of a single byte
// would be slow to read.
constexpr int kMaxEmptyValues = 64;

// Lower codes take one byte.
constexpr uint64_t kShortCodes = 128;

// The number of elements for which the vectors of a table reserve memory. Most
// tables need no more, so their vectors need not grow.
constexpr size_t kUsualAbbreviations = 512;

DieKind KindOf(uint16_t tag) {
  switch (tag) {
    case DW_TAG_subprogram:
      return DieKind::kFunction;
    case DW_TAG_inlined_subroutine:
      return DieKind::kInlinedSubroutine;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_interface_type:
      return DieKind::kScope;
    default:
      return DieKind::kOther;
  }
}

// Returns the step that skips a value of `form`; nothing for an unknown form.
constexpr std::optional<SkipStep> SkipStepOf(uint64_t form,
                                             const UnitEncoding& encoding) {
  const auto fixed = [](uint8_t size) { return SkipStep{Kind::kFixed, size}; };
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
      return fixed(0);
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
      return fixed(1);
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
      return fixed(2);
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
      return fixed(3);
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
      return fixed(4);
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
      return fixed(8);
    case DW_FORM_data16:
      return fixed(16);
    case DW_FORM_addr:
      return fixed(encoding.address_size);
    case DW_FORM_ref_addr:
      return fixed(encoding.version <= 2 ? encoding.address_size
                                         : encoding.offset_size);
    case DW_FORM_sec_offset:
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
      return fixed(encoding.offset_size);
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
      return SkipStep{Kind::kLeb, 0};
    case kFormAddressAndOffset:
      return SkipStep{Kind::kLebAndFixed, sizeof(uint32_t)};
    case DW_FORM_string:
      return SkipStep{Kind::kString, 0};
    case DW_FORM_block1:
      return SkipStep{Kind::kBlock, 1};
    case DW_FORM_block2:
      return SkipStep{Kind::kBlock, 2};
    case DW_FORM_block4:
      return SkipStep{Kind::kBlock, 4};
    case DW_FORM_block:
    case DW_FORM_exprloc:
      return SkipStep{Kind::kLebBlock, 0};
    case DW_FORM_indirect:
      return SkipStep{Kind::kIndirect, 0};
    default:
      return std::nullopt;
  }
}

// Forms below this are looked up in tables. The DWARF standard uses only such
// forms. The forms of vendors have higher numbers and are rare.
constexpr size_t kStandardForms = 0x30;

constexpr auto kIsKnownForm = [] {
  std::array<bool, kStandardForms> known = {};
  for (size_t form = 0; form < known.size(); ++form)
    known[form] = SkipStepOf(form, {}).has_value();
  return known;
}();

bool IsKnownForm(uint64_t form) {
  return form < kStandardForms ? kIsKnownForm[form]
                               : SkipStepOf(form, {}).has_value();
}

// If values of `form` are references of fixed size to DIEs in the same unit,
// returns their size in bytes; else 0.
uint8_t SizeOfReference(uint64_t form) {
  switch (form) {
    case DW_FORM_ref1:
      return 1;
    case DW_FORM_ref2:
      return 2;
    case DW_FORM_ref4:
      return 4;
    case DW_FORM_ref8:
      return 8;
    default:
      return 0;
  }
}

AttributeSpec MakeSpec(uint64_t form, SkipStep step) {
  return {.form = static_cast<uint16_t>(form),
          .step = step,
          .constant = form == DW_FORM_flag_present ? 1 : 0};
}

// Reads what comes before the attributes of an abbreviation.
Abbreviation ReadTag(LittleEndianCursor& cursor, uint64_t code) {
  const uint64_t tag = cursor.Uleb();
  Abbreviation abbreviation{.code = code};
  if (tag <= UINT16_MAX) abbreviation.tag = static_cast<uint16_t>(tag);
  abbreviation.kind = KindOf(abbreviation.tag);
  abbreviation.is_call_site = abbreviation.tag == DW_TAG_call_site ||
                              abbreviation.tag == DW_TAG_GNU_call_site;
  abbreviation.has_children = cursor.U8() != 0;
  return abbreviation;
}

}  // namespace

// How to skip the values of each form, computed once per table.
class AbbreviationTable::FormSteps {
 public:
  explicit FormSteps(const UnitEncoding& encoding) : encoding_(encoding) {
    for (size_t form = 0; form < steps_.size(); ++form) {
      const auto step = SkipStepOf(form, encoding);
      is_known_[form] = step.has_value();
      if (step) steps_[form] = *step;
    }
  }
  // Returns false for an unknown form.
  bool Find(uint64_t form, SkipStep& step) const {
    if (form < steps_.size()) {
      step = steps_[form];
      return is_known_[form];
    }
    const auto found = SkipStepOf(form, encoding_);
    if (found) step = *found;
    return found.has_value();
  }

 private:
  const UnitEncoding& encoding_;
  std::array<SkipStep, kStandardForms> steps_;
  std::array<bool, kStandardForms> is_known_;
};

std::optional<AttributeSpec> MakeAttributeSpec(uint64_t form,
                                               const UnitEncoding& encoding) {
  const auto step = SkipStepOf(form, encoding);
  if (!step) return std::nullopt;
  return MakeSpec(form, *step);
}

std::optional<CodeAttributeLayout> MakeCodeAttributeLayout(
    std::span<const AttributeSpec> attributes) {
  CodeAttributeLayout layout = {};
  uint64_t offset = 0;
  for (const AttributeSpec& spec : attributes) {
    const uint16_t size = spec.step.size;
    if (spec.step.kind != Kind::kFixed || offset > UINT16_MAX)
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

std::optional<uint64_t> SkipAttributeSpecs(LittleEndianCursor& cursor) {
  std::optional<uint64_t> unknown;
  ForEachAttributeSpec(cursor, [&](uint64_t /*attribute*/, uint64_t form) {
    if (!IsKnownForm(form)) unknown = form;
    return !unknown;
  });
  return unknown;
}

bool MayReferToOtherUnits(std::span<const uint8_t> section) {
  LittleEndianCursor cursor(section);
  bool may_refer = false;
  while (cursor.remaining() != 0 && !may_refer) {
    if (cursor.Uleb() == 0) continue;  // the end of a table
    cursor.SkipLeb();                  // tag
    cursor.U8();                       // whether it has children
    ForEachAttributeSpec(cursor, [&](uint64_t /*attribute*/, uint64_t form) {
      may_refer = form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 ||
                  form == DW_FORM_indirect;
      return !may_refer;
    });
  }
  return may_refer;
}

int32_t ReadImplicitConst(LittleEndianCursor& cursor) {
  return static_cast<int32_t>(
      std::clamp<int64_t>(cursor.Sleb(), INT32_MIN, INT32_MAX));
}

void SkipValue(SkipStep step, const UnitEncoding& encoding,
               LittleEndianCursor& cursor) {
  switch (step.kind) {
    case Kind::kFixed:
      return cursor.Skip(step.size);
    case Kind::kLeb:
      return cursor.SkipLeb();
    case Kind::kLebAndFixed:
      cursor.SkipLeb();
      return cursor.Skip(step.size);
    case Kind::kString:
      cursor.String();
      return;
    case Kind::kBlock:
      return cursor.Skip(cursor.Unsigned(step.size));
    case Kind::kLebBlock:
      return cursor.Skip(cursor.Uleb());
    case Kind::kIndirect: {
      const auto real = SkipStepOf(cursor.Uleb(), encoding);
      if (!real || real->kind == Kind::kIndirect)
        return cursor.Skip(UINT64_MAX);  // fails
      return SkipValue(*real, encoding, cursor);
    }
  }
}

std::unique_ptr<AbbreviationTable> AbbreviationTable::Read(
    LittleEndianCursor& cursor, const UnitEncoding& encoding,
    std::string& problem) {
  auto table = std::make_unique<AbbreviationTable>();
  table->encoding_ = encoding;
  const FormSteps steps(encoding);
  table->abbreviations_.reserve(kUsualAbbreviations);
  table->attributes_.reserve(kUsualAbbreviations);
  table->steps_.reserve(kUsualAbbreviations);
  while (const uint64_t code = cursor.Uleb())
    if (!table->ReadAbbreviation(cursor, code, steps, problem)) return nullptr;
  if (!cursor.ok()) {
    problem = "its abbreviations are cut off";
    return nullptr;
  }
  // If two abbreviations have the same code, the first one counts, as in other
  // DWARF readers.
  std::vector<Abbreviation>& abbreviations = table->abbreviations_;
  if (!std::ranges::is_sorted(abbreviations, {}, &Abbreviation::code))
    std::ranges::stable_sort(abbreviations, {}, &Abbreviation::code);
  const auto rest = std::ranges::unique(abbreviations, {}, &Abbreviation::code);
  abbreviations.erase(rest.begin(), rest.end());
  table->FindLeaves();
  table->FindStrides();
  // Frees unused capacity, because tables stay in memory until all names are
  // read.
  abbreviations.shrink_to_fit();
  table->attributes_.shrink_to_fit();
  table->steps_.shrink_to_fit();
  table->layouts_.shrink_to_fit();
  return table;
}

const Abbreviation* AbbreviationTable::FindSparse(uint64_t code) const {
  const auto found =
      std::ranges::lower_bound(abbreviations_, code, {}, &Abbreviation::code);
  return found != abbreviations_.end() && found->code == code ? &*found
                                                              : nullptr;
}

bool AbbreviationTable::ReadAbbreviation(LittleEndianCursor& cursor,
                                         uint64_t code, const FormSteps& steps,
                                         std::string& problem) {
  Abbreviation abbreviation = ReadTag(cursor, code);
  abbreviation.first_attribute = static_cast<uint32_t>(attributes_.size());
  abbreviation.first_step = static_cast<uint32_t>(steps_.size());
  if (!ReadAttributes(cursor, steps, abbreviation, problem)) return false;
  abbreviation.attribute_count =
      static_cast<uint32_t>(attributes_.size()) - abbreviation.first_attribute;
  abbreviation.step_count =
      static_cast<uint32_t>(steps_.size()) - abbreviation.first_step;
  MergeSteps(abbreviation);
  AddLayout(abbreviation);
  abbreviations_.push_back(abbreviation);
  return true;
}

// Reads the attributes of an abbreviation and adds the steps that skip them.
// Attributes of fixed size that follow each other are one step.
bool AbbreviationTable::ReadAttributes(LittleEndianCursor& cursor,
                                       const FormSteps& steps,
                                       Abbreviation& abbreviation,
                                       std::string& problem) {
  int empty_values = 0;
  uint32_t fixed = 0;  // total size of the fixed values since the last step
  while (cursor.ok()) {
    const uint64_t attribute = cursor.Uleb();
    const uint64_t form = cursor.Uleb();
    if (!cursor.ok() || (attribute == 0 && form == 0)) break;
    SkipStep step;
    if (!steps.Find(form, step)) {
      problem = fmt::format("unknown form {:#x}", form);
      return false;
    }
    AttributeSpec spec = MakeSpec(form, step);
    if (form == DW_FORM_implicit_const)
      spec.constant = ReadImplicitConst(cursor);
    if (attribute == DW_AT_low_pc || attribute == DW_AT_ranges)
      abbreviation.has_code = true;
    if (attribute == DW_AT_declaration && form == DW_FORM_flag_present)
      abbreviation.is_declaration = true;
    abbreviation.sibling_size =
        attribute == DW_AT_sibling ? SizeOfReference(form) : 0;
    const bool is_empty = step.kind == Kind::kFixed && step.size == 0;
    if (is_empty && ++empty_values > kMaxEmptyValues) continue;
    if (abbreviation.kind != DieKind::kOther) {
      spec.attribute = KnownAttributeOf(attribute);
      attributes_.push_back(spec);
    }
    if (step.kind != Kind::kFixed || fixed + step.size > UINT16_MAX)
      AddFixedStep(fixed);
    if (step.kind == Kind::kFixed)
      fixed += step.size;
    else
      steps_.push_back(step);
  }
  AddFixedStep(fixed);
  return true;
}

// If all attributes of a DIE have a fixed size, its abbreviation has this size
// instead of steps.
void AbbreviationTable::MergeSteps(Abbreviation& abbreviation) {
  if (abbreviation.step_count == 0) {
    abbreviation.first_step = 0;
  } else if (abbreviation.step_count == 1 &&
             steps_.back().kind == Kind::kFixed) {
    abbreviation.first_step = steps_.back().size;
    abbreviation.step_count = 0;
    steps_.pop_back();
  }
}

void AbbreviationTable::AddLayout(Abbreviation& abbreviation) {
  const bool is_wanted =
      abbreviation.kind == DieKind::kInlinedSubroutine ||
      (abbreviation.kind == DieKind::kFunction && abbreviation.has_code);
  if (!is_wanted || abbreviation.step_count != 0) return;
  const auto layout = MakeCodeAttributeLayout(AttributesOf(abbreviation));
  if (!layout) return;
  abbreviation.layout = static_cast<uint32_t>(layouts_.size());
  layouts_.push_back(*layout);
}

void AbbreviationTable::FindLeaves() {
  for (const Abbreviation& abbreviation : abbreviations_) {
    const uint32_t size = 1 + abbreviation.first_step;
    if (abbreviation.kind == DieKind::kOther && !abbreviation.has_children &&
        abbreviation.step_count == 0 && abbreviation.code < kShortCodes &&
        size <= UINT8_MAX)
      leaf_sizes_[abbreviation.code] = static_cast<uint8_t>(size);
  }
}

void AbbreviationTable::FindStrides() {
  strides_[0] = {.size = 1, .levels = -1};
  for (const Abbreviation& abbreviation : abbreviations_)
    if (abbreviation.code < kShortCodes)
      strides_[abbreviation.code] = StrideOf(abbreviation);
}

AbbreviationTable::Stride AbbreviationTable::StrideOf(
    const Abbreviation& abbreviation) const {
  if (abbreviation.kind == DieKind::kFunction && abbreviation.has_code)
    return {};
  Stride stride = {.levels = abbreviation.has_children ? int8_t{1} : int8_t{0}};
  uint64_t size = 1;
  if (abbreviation.step_count == 0) size += abbreviation.first_step;
  for (uint32_t i = 0; i < abbreviation.step_count; ++i) {
    const SkipStep& step = steps_[abbreviation.first_step + i];
    if (step.kind == Kind::kFixed) {
      size += step.size;
      continue;
    }
    const bool is_leb = step.kind == Kind::kLeb;
    const bool is_leb_block = step.kind == Kind::kLebBlock;
    const bool is_block = step.kind == Kind::kBlock && step.size == 1;
    const bool is_only = stride.length_at == 0;
    if (!is_only || size > UINT8_MAX || !(is_leb || is_leb_block || is_block))
      return {};
    stride.length_at = static_cast<uint8_t>(size);
    stride.length_mask = is_block ? 0xff : is_leb_block ? 0x7f : 0;
    stride.long_mask = is_block ? 0 : 0x80;
    ++size;
  }
  if (size > UINT8_MAX) return {};
  stride.size = static_cast<uint8_t>(size);
  return stride;
}

uint64_t AbbreviationTable::SkipQuickly(LittleEndianCursor& cursor,
                                        uint64_t depth) const {
  constexpr size_t kLongest = 2 * UINT8_MAX;
  LittleEndianCursor at = cursor;
  const std::span<const uint8_t> bytes = at.Bytes(at.remaining());
  size_t i = 0;
  while (depth != 0 && bytes.size() - i > kLongest) {
    const Stride stride = strides_[bytes[i]];
    if (stride.size == 0) break;
    size_t size = stride.size;
    // Most DIEs have no length. With a branch, the processor need not wait for
    // the length of this DIE before it begins with the next one.
    if (stride.length_at != 0) {
      const uint8_t length = bytes[i + stride.length_at];
      if ((length & stride.long_mask) != 0) break;
      size += length & stride.length_mask;
    }
    i += size;
    depth += static_cast<uint64_t>(int64_t{stride.levels});
  }
  cursor.Skip(i);
  return depth;
}

bool AbbreviationTable::SkipChildren(LittleEndianCursor& cursor) const {
  uint64_t depth = 1;
  while ((depth = SkipQuickly(cursor, depth)) != 0) {
    if (cursor.AtEnd()) return false;
    const uint64_t code = cursor.Uleb();
    if (code == 0) {
      --depth;
      continue;
    }
    const Abbreviation* die = Find(code);
    if (die == nullptr) return false;
    Skip(*die, cursor);
    if (!cursor.ok()) return false;
    if (die->has_children) ++depth;
  }
  return cursor.ok();
}

// Adds a step that skips `size` bytes, unless `size` is 0. Sets `size` to 0.
void AbbreviationTable::AddFixedStep(uint32_t& size) {
  if (size == 0) return;
  steps_.push_back({Kind::kFixed, static_cast<uint16_t>(size)});
  size = 0;
}

}  // namespace heapprof
