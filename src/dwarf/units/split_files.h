// SPDX-License-Identifier: Apache-2.0
//
// Split debug information (DWARF 5, section 7.3.2 and appendix F; the GNU
// extension of DWARF 4): a skeleton unit in the binary says where code is, and
// names the .dwo file that has the unit's DIEs. Many .dwo files may be joined
// in a package (.dwp). The package's section .debug_cu_index lists the units by
// id, and says which part of each section belongs to a unit.
//
// A split unit and its skeleton are read together as if they were the only unit
// of a file: DIEs, strings and lists come from the split file, addresses and
// the line program from the binary.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/units/package_index.h"
#include "dwarf/units/type_units.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/dwarf/split_search.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/section_data.h"

namespace heapprof {

// One .dwo or .dwp file.
class SplitFile {
 public:
  // Returns nullptr if the file cannot be used, and says why in `problem`. If
  // no file can be opened at `path`, `problem` stays empty.
  static std::unique_ptr<SplitFile> Open(const std::string& path,
                                         std::string& problem);

  // Replaces the binary's sections in `sections` with those of the unit in this
  // file. Returns false if this file is a package without the unit. For a .dwo
  // file, always returns true, because the id of its unit is not known until
  // the unit is read.
  bool SelectUnit(uint64_t unit_id, DebugSections& sections) const;

  // The type units that are not in the sections of each unit; null if a package
  // does not say where they are.
  TypeUnits* types() { return types_.get(); }

  const std::string& path() const { return image_.path(); }
  // Returns a text that distinguishes this file from earlier and later files at
  // its path.
  std::string Identity() const;
  // Returns a text with the unit's id and, in a package, the offset and size of
  // the unit.
  std::string LocationOf(uint64_t unit_id) const;

 private:
  explicit SplitFile(ElfImage image) : image_(std::move(image)) {}

  ElfImage image_;
  DebugSections sections_;
  // Of a package; the indexes refer to the bytes of the sections.
  std::vector<SectionData> index_sections_;
  std::optional<PackageIndex> index_;
  std::optional<PackageIndex> type_index_;
  std::unique_ptr<TypeUnits> types_;
};

// A split unit, and where it was found.
struct SplitUnit {
  DebugSections sections = {};
  std::unique_ptr<UnitStore> store = {};  // holds this unit alone; may be null
  const SplitFile* file = nullptr;        // null if the unit was not found
  // Why `store` is null; empty if the unit was merely not found.
  std::string problem = {};
};

// The split units of one binary, each opened once.
class SplitUnits {
 public:
  // `main` holds the sections of the binary. `main` and `binary` must outlive
  // this object.
  SplitUnits(const DebugSections& main, const ElfImage& binary,
             SplitSearch search)
      : main_(main), binary_(binary), search_(std::move(search)) {}

  SplitUnit& Find(const CompilationUnit& skeleton);
  // Returns the files in which Find() searched for the split unit of `skeleton`
  // without finding it.
  std::vector<TriedFile> TriedFor(const CompilationUnit& skeleton) const;

 private:
  std::vector<std::string> CandidatePaths(
      const CompilationUnit& skeleton) const;
  SplitFile* OpenOnce(const std::string& path, std::string& problem);
  bool Read(SplitFile& file, const CompilationUnit& skeleton,
            SplitUnit& unit) const;
  void Search(const CompilationUnit& skeleton, SplitUnit& unit);
  std::string OutcomeOf(const std::string& path) const;

  const DebugSections& main_;
  const ElfImage& binary_;
  SplitSearch search_;
  struct Opened {
    std::unique_ptr<SplitFile> file;
    std::string problem;
  };
  std::map<std::string, Opened> files_;
  std::map<uint64_t, SplitUnit> units_;  // by the offset of the skeleton
};

}  // namespace heapprof
