// SPDX-License-Identifier: Apache-2.0
//
// Split debug information (DWARF 5, section 7.3.2 and appendix F; the GNU
// extension of DWARF 4): a skeleton unit in the binary says where code is and
// how its entries' file is called. That is a .dwo file, or one of many in a
// package (.dwp), whose .debug_cu_index says by the unit's id which part of
// each section is whose.
//
// A split unit and its skeleton are read together as if they were the only
// unit of a file of their own: entries, strings and lists are from the split
// file, addresses and line table from the binary.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/tried_file.h"
#include "heapprof/dwarf/split_search.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// One .dwo or .dwp file.
class SplitFile {
 public:
  // nullptr with a `problem` that names the file, or without one if there is
  // no such file.
  static std::unique_ptr<SplitFile> Open(const std::string& path,
                                         std::string& problem);

  // Replaces the sections of the binary in `sections` by what the unit has in
  // this file. False if it is not in this package. (Whether the unit of a
  // .dwo is the right one shows when it is read.)
  bool Select(uint64_t unit_id, DebugSections& sections) const;

  const std::string& path() const { return image_.path(); }
  // What tells this file from others that were or will be in its place.
  std::string Identity() const;
  // The unit's id, and where it is in a package.
  std::string PlaceOf(uint64_t unit_id) const;

 private:
  // The part of each section that is a unit's, by SectionKind.
  static constexpr size_t kSectionKinds = 9;
  struct Part {
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  using Parts = std::vector<Part>;

  explicit SplitFile(ElfImage image) : image_(std::move(image)) {}
  bool ReadIndex(std::span<const uint8_t> index);

  ElfImage image_;
  DebugSections sections_;
  bool is_package_ = false;
  std::unordered_map<uint64_t, Parts> units_;  // of a package, by id
};

// A split unit, and where it was found.
struct SplitUnit {
  DebugSections sections = {};
  std::unique_ptr<UnitStore> store = {};  // holds this unit alone; may be null
  const SplitFile* file = nullptr;        // null if the unit is nowhere
  std::string problem = {};  // why there is none, unless there is no file
};

// The split units of one binary, each opened once.
class SplitUnits {
 public:
  // `main` are the sections of the binary. All must outlive this object.
  SplitUnits(const DebugSections& main, const ElfImage& binary,
             SplitSearch search)
      : main_(main), binary_(binary), search_(std::move(search)) {}

  SplitUnit& Find(const CompilationUnit& skeleton);
  // Where Find() has looked for a unit that is nowhere.
  std::vector<TriedFile> TriedFor(const CompilationUnit& skeleton) const;

 private:
  std::vector<std::string> PlacesOf(const CompilationUnit& skeleton) const;
  SplitFile* OpenOnce(const std::string& path, std::string& problem);
  bool Read(const SplitFile& file, const CompilationUnit& skeleton,
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
  std::map<uint64_t, SplitUnit> units_;  // by the skeleton's offset
};

}  // namespace heapprof
