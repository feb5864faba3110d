// SPDX-License-Identifier: Apache-2.0
//
// Debug sections written by hand, as libdw sees them, and the DIEs that the
// tests of this room write into them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/die_ranges.h"
#include "dwarf/libdw/dwarf_section.h"
#include "dwarf/libdw/libdw_units.h"
#include "dwarf/shared/problem_log.h"
#include "heapprof/elf/elf_image.h"
#include "support/fixture.h"

namespace heapprof {

class OpenedLibdw {
 public:
  explicit OpenedLibdw(const std::map<std::string, DwarfBytes>& sections)
      : file_(MakeElf(sections)) {
    Result<ElfImage> image = ElfImage::Open(file_.path());
    EXPECT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    dwarf_.reset(OpenLibdw(image_->handle()));
    EXPECT_NE(dwarf_, nullptr) << dwarf_errmsg(-1);
    ranges_.emplace(*image_);
    units_.emplace(dwarf_.get(), *ranges_, problems_);
  }

  Dwarf* dwarf() const { return dwarf_.get(); }
  DieRangeReader& ranges() { return *ranges_; }
  ProblemLog& problems() { return problems_; }
  const LibdwUnits& units() const { return *units_; }
  Dwarf_Die root(size_t unit = 0) const {
    return units_->units().at(unit).root;
  }

 private:
  struct Closer {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };

  TemporaryFile file_;
  std::optional<ElfImage> image_;
  std::unique_ptr<Dwarf, Closer> dwarf_;
  std::optional<DieRangeReader> ranges_;
  ProblemLog problems_;
  std::optional<LibdwUnits> units_;
};

// Abbreviation codes.
enum SampleDie : uint8_t {
  kEnd = 0,  // ends a list of siblings
  kUnit = 1,
  kNamespace,
  kFunction,
  kInlined,
  kVariable,
  kClass,
  kBareUnit,    // without the range of its code
  kDefinition,  // a function whose declaration is elsewhere
  kUnknownForm,
};

inline DwarfBytes SampleAbbreviations() {
  DwarfBytes bytes;
  bytes.Ulebs({kUnit, DW_TAG_compile_unit, 1, DW_AT_comp_dir, DW_FORM_string,
               DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0});
  bytes.Ulebs(
      {kNamespace, DW_TAG_namespace, 1, DW_AT_name, DW_FORM_string, 0, 0});
  bytes.Ulebs({kFunction, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string,
               DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0});
  bytes.Ulebs({kInlined, DW_TAG_inlined_subroutine, 1, DW_AT_low_pc,
               DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0});
  bytes.Ulebs({kVariable, DW_TAG_variable, 0, 0, 0});
  bytes.Ulebs({kClass, DW_TAG_class_type, 1, DW_AT_name, DW_FORM_string, 0, 0});
  bytes.Ulebs({kBareUnit, DW_TAG_compile_unit, 1, 0, 0});
  bytes.Ulebs({kDefinition, DW_TAG_subprogram, 1, DW_AT_abstract_origin,
               DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
               DW_FORM_data4, 0, 0});
  bytes.Ulebs({kUnknownForm, DW_TAG_variable, 0, DW_AT_name, 0x99, 0, 0});
  return bytes.U8(0);
}

// The attributes for code of `size` bytes at kCodeStart + `offset`.
inline DwarfBytes AddressAttributes(uint64_t offset, uint64_t size) {
  return DwarfBytes().U64(kCodeStart + offset).U32(size);
}

// DIEs; their children and kEnd follow.
inline DwarfBytes UnitDie(uint64_t offset = 0, uint64_t size = 0x1000) {
  return DwarfBytes().U8(kUnit).Text("/src").Append(
      AddressAttributes(offset, size));
}
inline DwarfBytes FunctionDie(std::string_view name, uint64_t offset,
                              uint64_t size) {
  return DwarfBytes().U8(kFunction).Text(name).Append(
      AddressAttributes(offset, size));
}
inline DwarfBytes InlinedDie(uint64_t offset, uint64_t size) {
  return DwarfBytes().U8(kInlined).Append(AddressAttributes(offset, size));
}
inline DwarfBytes ScopeDie(SampleDie kind, std::string_view name) {
  return DwarfBytes().U8(kind).Text(name);
}

// The offset of the first DIE of the first unit in .debug_info.
inline constexpr uint64_t kFirstRoot = 11;

// The sections of a file with one unit, which consists of `dies`.
inline std::map<std::string, DwarfBytes> OneUnit(const DwarfBytes& dies) {
  return {{".debug_abbrev", SampleAbbreviations()},
          {".debug_info", DwarfBytes().Unit(OldUnitHeader().Append(dies))}};
}

}  // namespace heapprof
