// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/type_units.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace heapprof {
namespace {

// The offsets of the parts of the sections that belong to a unit in a package.
// Not in the function that sorts them, as g++ 13 then cannot compile it.
struct UnitParts {
  uint64_t unit = 0;
  uint64_t abbreviations = 0;
  uint64_t string_offsets = 0;
  auto operator<=>(const UnitParts&) const = default;
};

}  // namespace

UnitStore& TypeUnits::Units() {
  std::call_once(once_, [this] { Read(); });
  return *units_;
}

void TypeUnits::Read() {
  const bool has_types = !file_.types.empty();
  sections_.info = has_types || index_ == nullptr ? file_.types : file_.info;
  sections_.abbreviations = file_.abbreviations;
  sections_.strings = file_.strings;
  sections_.line_strings = file_.line_strings;
  sections_.string_offsets = file_.string_offsets;
  UnitList list =
      index_ == nullptr ? ReadUnitHeaders(sections_) : ReadPackage();
  if (has_types)
    for (CompilationUnit& unit : list.units) ReadTypeHeader(sections_, unit);
  units_ = std::make_unique<UnitStore>(sections_, image_, 1, std::move(list));
}

// Reads the units that the index lists. The offsets in a unit are relative to
// the parts of the sections that belong to it.
UnitList TypeUnits::ReadPackage() const {
  const PackageSection section =
      file_.types.empty() ? PackageSection::kInfo : PackageSection::kTypes;
  std::vector<UnitParts> parts;
  for (const uint64_t signature : index_->UnitIds()) {
    const auto offset_in = [&](PackageSection kind) {
      return index_->Find(signature, kind).offset;
    };
    parts.push_back({offset_in(section),
                     offset_in(PackageSection::kAbbreviations),
                     offset_in(PackageSection::kStringOffsets)});
  }
  std::ranges::sort(parts);
  UnitList all;
  for (const UnitParts& at : parts)
    for (CompilationUnit& unit :
         ReadUnitHeaders(sections_, {at.unit, at.unit + 1}).units) {
      SetDefaultBases(unit);
      unit.abbreviations += at.abbreviations;
      unit.string_offsets_base += at.string_offsets;
      all.units.push_back(std::move(unit));
    }
  return all;
}

}  // namespace heapprof
