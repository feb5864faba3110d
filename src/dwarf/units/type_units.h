// SPDX-License-Identifier: Apache-2.0
//
// The type units that a UnitStore does not have itself: those in .debug_types
// (DWARF 4, section 7.5.1.2), and those of a package (.dwp), of which a store
// has only one split unit. The package's section .debug_tu_index lists them by
// signature. They have no code, and hold the names of classes.
#pragma once

#include <memory>
#include <mutex>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/units/package_index.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class TypeUnits {
 public:
  // `sections` are those of the file `image`; `index` is the .debug_tu_index of
  // a package, null for other files. All arguments must outlive this object.
  TypeUnits(const DebugSections& sections, const ElfImage& image,
            const PackageIndex* index)
      : file_(sections), image_(image), index_(index) {}

  // Reads the headers of all type units in the first call. Any thread may call
  // this.
  UnitStore& Units();

 private:
  void Read();
  UnitList ReadPackage() const;

  const DebugSections& file_;
  const ElfImage& image_;
  const PackageIndex* index_;

  std::once_flag once_;
  DebugSections sections_;  // `info` is the section with the type units
  std::unique_ptr<UnitStore> units_;
};

}  // namespace heapprof
