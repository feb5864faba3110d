// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/source_files.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A line program of version 4, without special opcodes, for these files: 1
// /src/a.cc, 2 /src/include/b.h, 3 /usr/include/c.h, 4 /abs/d.h.
DwarfBytes LineUnit(const DwarfBytes& opcodes) {
  DwarfBytes header;
  header.U8(1).U8(1).U8(1).U8(0xfb).U8(14).U8(13);
  header.Ulebs({0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1});
  header.Text("include").Text("/usr/include").U8(0);
  header.Text("a.cc").Ulebs({0, 0, 0}).Text("b.h").Ulebs({1, 0, 0});
  header.Text("c.h").Ulebs({2, 0, 0}).Text("/abs/d.h").Ulebs({1, 0, 0}).U8(0);
  return DwarfBytes().Unit(
      DwarfBytes().U16(4).U32(header.size()).Append(header).Append(opcodes));
}

// Starts a sequence at kCodeStart + `offset`.
DwarfBytes At(uint64_t offset) { return DwarfBytes().SetAddress(offset); }
// A row `advance` bytes and `lines` lines after the one before, in `file`.
DwarfBytes Row(uint64_t advance, uint64_t lines, uint64_t file = 1) {
  return DwarfBytes().Ulebs({DW_LNS_set_file, file, DW_LNS_advance_pc, advance,
                             DW_LNS_advance_line, lines, DW_LNS_copy});
}
DwarfBytes End(uint64_t advance) {
  return DwarfBytes().Ulebs({DW_LNS_advance_pc, advance}).EndSequence();
}

class SourceFilesTest : public testing::Test {
 protected:
  void Open(const DwarfBytes& opcodes) {
    files_.reset();
    const DwarfBytes root =
        DwarfBytes().U8(1).Text("/src").U64(kCodeStart).U32(0);
    file_.emplace(std::map<std::string, DwarfBytes>{
        {".debug_abbrev",
         DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_comp_dir,
                             DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
                             DW_AT_stmt_list, DW_FORM_sec_offset, 0, 0, 0})},
        {".debug_info", DwarfBytes().Unit(OldUnitHeader().Append(root))},
        {".debug_line", LineUnit(opcodes)}});
    files_.emplace(file_->dwarf(), file_->ranges(), file_->problems());
    root_ = file_->root();
  }

  // "FILE:LINE " per address, or "- " for an address without a row.
  std::string Find(const std::vector<uint64_t>& offsets) {
    std::vector<uint64_t> addresses;
    for (const uint64_t offset : offsets)
      addresses.push_back(kCodeStart + offset);
    std::string text;
    for (const SourcePosition& at : files_->FindLines(&root_, addresses))
      text += at.found ? at.file + ':' + std::to_string(at.line) + ' ' : "- ";
    return text;
  }

  std::optional<OpenedLibdw> file_;
  std::optional<SourceFiles> files_;
  Dwarf_Die root_ = {};
};

TEST_F(SourceFilesTest, JoinsRelativePaths) {
  Open(At(0).Append(Row(0, 0)).Append(End(1)));
  std::vector<std::string> names;
  for (uint64_t i = 0; i < 6; ++i) names.push_back(files_->FileName(&root_, i));
  EXPECT_THAT(names, ElementsAre("", "/src/a.cc", "/src/include/b.h",
                                 "/usr/include/c.h", "/abs/d.h", ""));
  EXPECT_THAT(file_->problems().problems(), IsEmpty());
}

TEST_F(SourceFilesTest, FindsTheLastRowAtOrBeforeAnAddress) {
  Open(At(16).Append(Row(0, 9)).Append(Row(4, 5, 2)).Append(End(8)));
  EXPECT_EQ(Find({15, 16, 19, 20, 27, 28}),
            "- /src/a.cc:10 /src/a.cc:10 /src/include/b.h:15 "
            "/src/include/b.h:15 - ");
}

TEST_F(SourceFilesTest, TakesTheFirstOfSequencesThatOverlap) {
  DwarfBytes opcodes = At(8).Append(Row(0, 3)).Append(End(16));
  Open(opcodes.Append(At(0)).Append(Row(0, 5)).Append(End(16)));
  EXPECT_EQ(Find({0, 8, 16, 24}), "/src/a.cc:6 /src/a.cc:4 /src/a.cc:4 - ");
}

TEST_F(SourceFilesTest, SkipsSequencesOfDiscardedFunctions) {
  // It starts at 0 and is long enough to reach real code.
  DwarfBytes opcodes = At(-kCodeStart);
  opcodes.Append(Row(0, 3)).Append(End(kCodeStart + 64));
  Open(opcodes.Append(At(0)).Append(Row(0, 5)).Append(End(16)));
  EXPECT_EQ(Find({0, 32}), "/src/a.cc:6 - ");
}

TEST_F(SourceFilesTest, SortsRowsWhoseAddressesDecrease) {
  DwarfBytes opcodes = At(0).Append(Row(0, 1)).Append(At(16));
  opcodes.Append(Row(0, 1)).Append(At(8)).Append(Row(0, 1));
  Open(opcodes.Append(At(16)).Append(End(8)));
  EXPECT_EQ(Find({0, 8, 16}), "/src/a.cc:2 /src/a.cc:4 /src/a.cc:3 ");
}

TEST_F(SourceFilesTest, ReportsALineTableThatCannotBeRead) {
  Open(DwarfBytes().U8(0).Uleb(100));
  EXPECT_EQ(Find({0}), "- ");
  ASSERT_EQ(file_->problems().problems().size(), 1u);
  EXPECT_THAT(
      file_->problems().problems()[0],
      testing::StartsWith("unit with its root at 0xb of .debug_info: cannot "
                          "read its line table: "));
}

}  // namespace
}  // namespace heapprof
