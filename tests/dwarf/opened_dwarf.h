// SPDX-License-Identifier: Apache-2.0
//
// The units of debug sections written by hand, as the reader sees them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/debug_sections.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {

class OpenedDwarf {
 public:
  explicit OpenedDwarf(const std::map<std::string, DwarfBytes>& sections,
                       const std::vector<WrittenSymbol>& symbols = {})
      : file_(MakeElf(sections, symbols)) {
    Result<ElfImage> image = ElfImage::Open(file_.path());
    EXPECT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    symbols_ = SymbolTable::Load({&*image_});
    sections_ = LoadDebugSections(*image_, 1);
    EXPECT_TRUE(sections_.problems.empty());
    list_ = ReadUnitHeaders(sections_);
    for (CompilationUnit& unit : list_.units) {
      RootCode code;
      uint64_t budget = 1 << 20;
      if (unit.problem.empty()) code = ReadRootDie(sections_, budget, unit);
      codes_.push_back(code);
    }
  }

  const ElfImage& image() const { return *image_; }
  const SymbolTable& symbols() const { return symbols_; }
  const DebugSections& sections() const { return sections_; }
  const UnitList& list() const { return list_; }
  const CompilationUnit& unit(size_t i = 0) const { return list_.units.at(i); }
  const RootCode& code(size_t i = 0) const { return codes_.at(i); }
  UnitReader reader(size_t i = 0) const { return {sections_, unit(i)}; }

 private:
  TemporaryFile file_;
  std::optional<ElfImage> image_;
  SymbolTable symbols_;
  DebugSections sections_;
  UnitList list_;
  std::vector<RootCode> codes_;
};

}  // namespace heapprof
