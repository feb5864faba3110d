// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/line_program.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"

namespace heapprof::line_program_test {
namespace {

struct Program {
  uint64_t version = 4;
  bool is_64_bit = false;
  uint64_t line_range = 14;
  uint64_t operations_per_instruction = 1;
  std::vector<uint8_t> operand_counts = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  DwarfBytes tables = {};  // of directories and files
  DwarfBytes opcodes = {};
};

// DWARF 5, section 6.2.4.
DwarfBytes Encode(const Program& p) {
  const size_t offset_size = p.is_64_bit ? 8 : 4;
  DwarfBytes header;
  header.U8(1);
  if (p.version >= 4) header.U8(p.operations_per_instruction);
  header.U8(1).U8(0xfb).U8(p.line_range).U8(p.operand_counts.size() + 1);
  for (const uint8_t count : p.operand_counts) header.U8(count);
  header.Append(p.tables);
  DwarfBytes unit;
  unit.U16(p.version);
  if (p.version >= 5) unit.U8(8).U8(0);
  unit.Number(header.size(), offset_size).Append(header).Append(p.opcodes);
  if (!p.is_64_bit) return DwarfBytes().Unit(unit);
  return DwarfBytes().U32(0xffffffff).U64(unit.size()).Append(unit);
}

DwarfBytes OldTables() {
  DwarfBytes tables;
  tables.Text("include").Text("/usr/include").U8(0);
  tables.Text("a.cc").Ulebs({0, 0, 0}).Text("b.h").Ulebs({1, 0, 0});
  tables.Text("c.h").Ulebs({2, 300, 300}).Text("/abs/d.h").Ulebs({1, 0, 0});
  return tables.Text("e.h").Ulebs({77, 0, 0}).U8(0);
}

// In .debug_line_str: 0 "/src", 5 "include", 13 "a.cc", 18 "b.h".
const std::vector<std::string> kLineStrings = {"/src", "include", "a.cc",
                                               "b.h"};

DwarfBytes NewTables(size_t offset_size) {
  DwarfBytes tables;
  tables.U8(1).Ulebs({DW_LNCT_path, DW_FORM_line_strp}).Uleb(2);
  tables.Number(0, offset_size).Number(5, offset_size);
  tables.U8(3).Ulebs({DW_LNCT_path, DW_FORM_line_strp});
  tables.Ulebs({DW_LNCT_directory_index, DW_FORM_udata});
  tables.Ulebs({DW_LNCT_MD5, DW_FORM_data16}).Uleb(2);
  tables.Number(13, offset_size).Uleb(0).Number(1, 16);
  return tables.Number(18, offset_size).Uleb(1).Number(2, 16);
}

class Opened {
 public:
  explicit Opened(const DwarfBytes& section, uint64_t budget = 1 << 20)
      : dwarf_({{".debug_abbrev",
                 DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_comp_dir,
                                     DW_FORM_string, DW_AT_stmt_list,
                                     DW_FORM_sec_offset, 0, 0, 0})},
                {".debug_info",
                 DwarfBytes().Unit(OldUnitHeader().U8(1).Text("/src").U32(0))},
                {".debug_line", section},
                {".debug_line_str", LineStrings()}}),
        reader_(dwarf_.reader()),
        program_(LineProgram::Read(reader_, budget, problem_)) {}

  const std::string& problem() const { return problem_; }
  const LineProgram& program() const { return *program_; }

  // "FILE:LINE:COLUMN " per address, or "- " for an address without a row;
  // "damaged" at the end if the program is damaged.
  std::string Rows(const std::vector<uint64_t>& offsets) const {
    std::vector<uint64_t> addresses;
    for (const uint64_t offset : offsets)
      addresses.push_back(kCodeStart + offset);
    std::vector<LinePosition> rows;
    const bool is_valid =
        program_->FindPositions(addresses, dwarf_.image(), rows);
    std::string text;
    for (const LinePosition& row : rows)
      text += row.found
                  ? std::to_string(row.file) + ':' + std::to_string(row.line) +
                        ':' + std::to_string(row.column) + ' '
                  : "- ";
    ExpectSpansAgree();
    return is_valid ? text : text + "damaged";
  }

 private:
  // FindSpans() must agree with FindPositions() on every program of a test.
  void ExpectSpansAgree() const {
    constexpr uint64_t kEnd = 600;
    std::vector<uint64_t> all;
    for (uint64_t offset = 0; offset < kEnd; ++offset)
      all.push_back(kCodeStart + offset);
    std::vector<LinePosition> rows;
    const bool is_valid = program_->FindPositions(all, dwarf_.image(), rows);
    const AddressRange wanted = {kCodeStart, kCodeStart + kEnd};
    std::vector<LineSpan> spans;
    EXPECT_EQ(program_->FindSpans(dwarf_.image(), {&wanted, 1}, spans),
              is_valid);
    std::vector<LinePosition> found(rows.size());
    uint64_t end = 0;
    for (const LineSpan& span : spans) {
      EXPECT_LE(end, span.range.start);
      end = span.range.end;
      for (uint64_t at = span.range.start; at < std::min(end, wanted.end); ++at)
        if (at >= kCodeStart) found[at - kCodeStart] = span.row;
    }
    for (size_t i = 0; i < rows.size(); ++i)
      EXPECT_TRUE(found[i] == rows[i]) << i;
  }

  static DwarfBytes LineStrings() {
    DwarfBytes strings;
    for (const std::string& text : kLineStrings) strings.Text(text);
    return strings;
  }

  OpenedDwarf dwarf_;
  UnitReader reader_;
  std::string problem_;
  std::optional<LineProgram> program_;
};

DwarfBytes At(uint64_t offset) { return DwarfBytes().SetAddress(offset); }
DwarfBytes Row(uint64_t advance, uint64_t lines) {
  return DwarfBytes().Ulebs(
      {DW_LNS_advance_pc, advance, DW_LNS_advance_line, lines, DW_LNS_copy});
}
DwarfBytes End(uint64_t advance) {
  return DwarfBytes().Ulebs({DW_LNS_advance_pc, advance}).EndSequence();
}

std::string RowsOf(const DwarfBytes& opcodes,
                   const std::vector<uint64_t>& offsets) {
  const Opened opened(Encode({.tables = OldTables(), .opcodes = opcodes}));
  EXPECT_EQ(opened.problem(), "");
  return opened.Rows(offsets);
}

TEST(LineProgramTest, NumbersFilesFromOneBeforeVersion5) {
  for (const uint64_t version : {2U, 3U, 4U}) {
    const Opened opened(Encode({.version = version, .tables = OldTables()}));
    ASSERT_EQ(opened.problem(), "") << version;
    const std::vector<std::string> expected = {"",
                                               "/src/a.cc",
                                               "/src/include/b.h",
                                               "/usr/include/c.h",
                                               "/abs/d.h",
                                               "/src/e.h",
                                               ""};
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(opened.program().FileName(i), expected[i]) << i;
    EXPECT_EQ(opened.program().FileName(UINT64_MAX), "");
  }
}

TEST(LineProgramTest, JoinsDirectoriesThatEndInASlash) {
  DwarfBytes tables;
  tables.Text("/").Text("include/").U8(0);
  tables.Text("a.cc").Ulebs({1, 0, 0}).Text("b.h").Ulebs({2, 0, 0});
  const Opened opened(Encode({.tables = tables.U8(0)}));
  EXPECT_EQ(opened.program().FileName(1), "/a.cc");
  EXPECT_EQ(opened.program().FileName(2), "/src/include/b.h");
}

TEST(LineProgramTest, NumbersFilesFromZeroInVersion5) {
  for (const bool is_64_bit : {false, true}) {
    const Opened opened(Encode({.version = 5,
                                .is_64_bit = is_64_bit,
                                .tables = NewTables(is_64_bit ? 8 : 4)}));
    ASSERT_EQ(opened.problem(), "") << is_64_bit;
    EXPECT_EQ(opened.program().FileName(0), "/src/a.cc");
    EXPECT_EQ(opened.program().FileName(1), "/src/include/b.h");
    EXPECT_EQ(opened.program().FileName(2), "");
  }
}

TEST(LineProgramTest, FindsTheLastRowAtOrBeforeAnAddress) {
  DwarfBytes opcodes = At(16);
  opcodes.Append(Row(0, 9)).Ulebs({DW_LNS_set_column, 7, DW_LNS_set_file, 2});
  opcodes.Append(Row(4, 5)).Append(End(8));
  EXPECT_EQ(RowsOf(opcodes, {15, 16, 19, 20, 27, 28}),
            "- 1:10:0 1:10:0 2:15:7 2:15:7 - ");
}

TEST(LineProgramTest, TakesTheLastOfRowsWithOneAddress) {
  DwarfBytes opcodes = At(0);
  opcodes.Append(Row(0, 1)).Append(Row(0, 1)).Append(Row(4, 1)).Append(
      Row(0, 1));
  EXPECT_EQ(RowsOf(opcodes.Append(End(4)), {0, 3, 4}), "1:3:0 1:3:0 1:5:0 ");
}

TEST(LineProgramTest, ReadsSequencesInAnyOrder) {
  DwarfBytes opcodes = At(64).Append(Row(0, 3)).Append(End(16));
  opcodes.Append(At(0)).Append(Row(0, 5)).Append(End(16));
  opcodes.Append(At(32)).Append(Row(0, 7)).Append(End(16));
  EXPECT_EQ(RowsOf(opcodes, {0, 15, 16, 32, 64, 79, 80}),
            "1:6:0 1:6:0 - 1:8:0 1:4:0 1:4:0 - ");
}

TEST(LineProgramTest, TakesTheFirstOfSequencesThatOverlap) {
  DwarfBytes opcodes = At(0).Append(Row(0, 3)).Append(End(16));
  opcodes.Append(At(8)).Append(Row(0, 5)).Append(End(16));
  EXPECT_EQ(RowsOf(opcodes, {8, 16}), "1:4:0 1:6:0 ");
}

TEST(LineProgramTest, SkipsSequencesOfDiscardedFunctions) {
  for (const uint64_t tombstone :
       {uint64_t{0}, uint64_t{1}, UINT64_MAX, UINT64_MAX - 1}) {
    // This sequence is long enough to reach real code.
    DwarfBytes opcodes = At(tombstone - kCodeStart);
    opcodes.Append(Row(0, 3)).Append(End(kCodeStart + 64));
    opcodes.Append(At(0)).Append(Row(0, 5)).Append(End(16));
    EXPECT_EQ(RowsOf(opcodes, {0, 32}), "1:6:0 - ") << tombstone;
  }
}

TEST(LineProgramTest, SurvivesAddressesThatDecrease) {
  DwarfBytes opcodes = At(32).Append(Row(0, 3)).Append(At(0));
  opcodes.Append(Row(0, 3)).Append(End(16));
  EXPECT_EQ(RowsOf(opcodes, {0, 15, 32}), "1:7:0 1:7:0 - ");
}

TEST(LineProgramTest, RunsSpecialOpcodes) {
  // DWARF 5, 6.2.5.1: opcode = (line - base) + (range * advance) + 13.
  DwarfBytes opcodes = At(0);
  opcodes.U8(3 + 5 + 13).U8(-4 + 5 + 14 + 13).U8(DW_LNS_const_add_pc);
  opcodes.U8(8 + 5 + 13).U8(DW_LNS_fixed_advance_pc).U16(512).Append(Row(0, 0));
  // (255 - 13) / 14 = 17
  EXPECT_EQ(RowsOf(opcodes.Append(End(1)), {0, 1, 17, 18, 529, 530}),
            "1:4:0 1:0:0 1:0:0 1:8:0 1:8:0 1:8:0 ");
}

TEST(LineProgramTest, SkipsUnknownOpcodes) {
  Program program{.tables = OldTables()};
  program.operand_counts.insert(program.operand_counts.end(), {2, 0});
  program.opcodes = At(0);
  program.opcodes.Ulebs({13, 300, 5, 14}).U8(0).Uleb(3).U8(0x80).U16(0x0909);
  program.opcodes.Append(Row(0, 1)).Append(End(4));
  EXPECT_EQ(Opened(Encode(program)).Rows({0}), "1:2:0 ");
}

TEST(LineProgramTest, TreatsOpcodesBeyondAShortTableAsSpecial) {
  Program program{.version = 2, .tables = OldTables()};
  program.operand_counts.resize(9);
  program.opcodes = At(0).U8(10 + 5 + 2).Append(End(4));
  EXPECT_EQ(Opened(Encode(program)).Rows({0}), "1:3:0 ");
}

TEST(LineProgramTest, KeepsTheRowsBeforeTheDamage) {
  DwarfBytes opcodes = At(0).Append(Row(0, 3)).Append(End(16));
  opcodes.U8(DW_LNS_fixed_advance_pc).U8(1);
  EXPECT_EQ(RowsOf(opcodes, {0, 16}), "1:4:0 - damaged");
}

// The program of the example in line_program.h.
TEST(LineProgramTest, AssignsARowWhenTheNextOneIsPastTheAddress) {
  DwarfBytes opcodes = At(0x30).Append(Row(0, 6)).Append(End(4));
  opcodes.Append(At(0x10)).Append(Row(0, 2)).Append(Row(4, 1));
  opcodes.Append(Row(4, 1)).Append(Row(0, 1)).Append(End(8));
  opcodes.U8(DW_LNS_fixed_advance_pc).U8(1);  // damage that is not reached
  EXPECT_EQ(RowsOf(opcodes, {0x12, 0x18, 0x31}), "1:3:0 1:6:0 1:7:0 ");
}

TEST(LineProgramTest, StopsAfterTheLastRowThatIsNeeded) {
  DwarfBytes opcodes = At(0).Append(Row(0, 3)).Append(Row(8, 1)).Append(End(8));
  opcodes.U8(DW_LNS_fixed_advance_pc).U8(1);
  EXPECT_EQ(RowsOf(opcodes, {0}), "1:4:0 ");
  EXPECT_EQ(RowsOf(opcodes, {0, 8}), "1:4:0 1:5:0 ");
  EXPECT_EQ(RowsOf(opcodes, {0, 8, 16}), "1:4:0 1:5:0 - damaged");
}

TEST(LineProgramTest, SaysWhyAHeaderCannotBeRead) {
  const std::string damaged = "line table at 0x0 of .debug_line is damaged";
  const std::string version =
      "line table at 0x0 of .debug_line has unknown version ";
  EXPECT_EQ(Opened(Encode({.version = 6})).problem(), version + "6");
  EXPECT_EQ(Opened(Encode({.version = 1})).problem(), version + "1");
  EXPECT_EQ(Opened(Encode({.line_range = 0})).problem(), damaged);
  EXPECT_EQ(Opened(Encode({.operations_per_instruction = 2})).problem(),
            damaged);
  const DwarfBytes whole = Encode({.version = 5, .tables = NewTables(4)});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(Opened(DwarfBytes(whole.bytes().first(size))).problem(), damaged)
        << size;
  EXPECT_EQ(Opened(whole, 10).problem(),
            "line programs overlap; the rest is not read");
}

TEST(LineProgramTest, RejectsTablesWithMoreEntriesThanBytes) {
  DwarfBytes tables;
  tables.U8(1).Ulebs({DW_LNCT_path, DW_FORM_implicit_const}).Uleb(1000);
  EXPECT_EQ(Opened(Encode({.version = 5, .tables = tables})).problem(),
            "line table at 0x0 of .debug_line is damaged");
}

TEST(LineProgramTest, CutsPathsThatNoSystemCanOpen) {
  DwarfBytes tables;
  tables.U8(0).Text("/" + std::string(5000, 'x')).Ulebs({0, 0, 0}).U8(0);
  EXPECT_EQ(Opened(Encode({.tables = tables})).program().FileName(1).size(),
            4096u);
}

}  // namespace
}  // namespace heapprof::line_program_test
