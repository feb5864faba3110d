// SPDX-License-Identifier: Apache-2.0
//
// Small files that are made to keep us busy for hours, or to fill the memory.
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/engine.h"
#include "dwarf/peak_memory.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Sections = std::map<std::string, DwarfBytes>;

constexpr unsigned kMaxSeconds = 200;
constexpr long kMaxMemoryInKib = 500 * 1024;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(__clang__)
// Sanitizers need more memory, and clang has no macro for all of them.
constexpr bool kCountsMemory = false;
#else
constexpr bool kCountsMemory = true;
#endif

struct Outcome {
  ResolvedAddresses answer;
  std::vector<std::string> problems;

  // Of the innermost function at an address; empty if there is none.
  std::string NameAt(size_t address) const {
    const FrameRun& run = answer.runs.at(address);
    if (run.count == 0) return "";
    const SourceFunction& function =
        answer.functions.at(answer.frames.at(run.first).function);
    return fmt::format("{}{}", function.linkage_name, function.scoped_name);
  }
};

class HostileDwarfTest : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override { alarm(kMaxSeconds); }
  void TearDown() override { alarm(0); }

  static Outcome Resolve(const Sections& sections,
                         const std::vector<uint64_t>& addresses) {
    Outcome outcome;
    const TemporaryFile file(MakeElf(sections));
    const Result<ElfImage> image = ElfImage::Open(file.path());
    EXPECT_TRUE(image) << image.error().message;
    const SymbolTable symbols = SymbolTable::Load({&*image});
    const long before = PeakMemoryInKib();
    auto resolver = OpenResolver(GetParam(), *image, symbols);
    EXPECT_TRUE(resolver) << resolver.error().message;
    if (!resolver) return outcome;
    outcome.answer = (*resolver)->Resolve(addresses);
    outcome.problems = (*resolver)->problems();
    if (kCountsMemory) {
      EXPECT_LE(PeakMemoryInKib() - before, kMaxMemoryInKib);
    }
    return outcome;
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, HostileDwarfTest,
                         testing::Values(Engine::kReader, Engine::kLibdw),
                         testing::PrintToStringParamName());

std::vector<uint64_t> Addresses(size_t count, uint64_t step) {
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < count; ++i) addresses.push_back(kCodeStart + step * i);
  return addresses;
}

// The abbreviations that most cases use: 1 is a unit with code, 2 a function
// with a name in .debug_str and code, 3 the same with children, 4 an inlined
// subroutine with its origin at an offset, and with children.
DwarfBytes Abbreviations(uint64_t first_code = 1) {
  constexpr uint64_t kCode[] = {DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                                DW_FORM_data4};
  DwarfBytes table;
  const auto add = [&](uint64_t tag, bool children,
                       std::initializer_list<uint64_t> attributes) {
    table.Ulebs({first_code++, tag, children}).Ulebs(attributes);
    table.Ulebs({kCode[0], kCode[1], kCode[2], kCode[3], 0, 0});
  };
  add(DW_TAG_compile_unit, true, {});
  add(DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_strp});
  add(DW_TAG_subprogram, true, {DW_AT_name, DW_FORM_strp});
  add(DW_TAG_inlined_subroutine, true, {DW_AT_abstract_origin, DW_FORM_ref4});
  return table.U8(0);
}

DwarfBytes Root(uint64_t start = kCodeStart, uint64_t size = kCodeSize,
                uint64_t code = 1) {
  return DwarfBytes().Uleb(code).U64(start).U32(size);
}
DwarfBytes Function(uint64_t name, uint64_t start, uint64_t size,
                    uint64_t code = 2) {
  return DwarfBytes().Uleb(code).U32(name).U64(start).U32(size);
}

// libdw knows only codes of 32 bits, and reads each value that takes no bytes.
class HostileReaderTest : public HostileDwarfTest {};

INSTANTIATE_TEST_SUITE_P(Engines, HostileReaderTest,
                         testing::Values(Engine::kReader),
                         testing::PrintToStringParamName());

TEST_P(HostileReaderTest, ReadsAbbreviationCodesOfAnySize) {
  constexpr uint64_t kCode = uint64_t{1} << 60;
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root(kCodeStart, kCodeSize, kCode));
  unit.Append(Function(0, kCodeStart, 16, kCode + 1)).U8(0);
  const Outcome outcome = Resolve({{".debug_abbrev", Abbreviations(kCode)},
                                   {".debug_info", DwarfBytes().Unit(unit)},
                                   {".debug_str", DwarfBytes().Text("far")}},
                                  {kCodeStart, kCodeStart + 16});
  EXPECT_EQ(outcome.NameAt(0), "far");
  EXPECT_EQ(outcome.NameAt(1), "");
  EXPECT_THAT(outcome.problems, IsEmpty());
}

// The table of each unit starts just after the start of the one before.
TEST_P(HostileDwarfTest, LimitsOverlappingAbbreviationTables) {
  const size_t units = Scaled(5000, 20'000);
  DwarfBytes abbreviations;
  DwarfBytes info;
  for (size_t i = 0; i < units; ++i) {
    const uint64_t start = abbreviations.size();
    abbreviations.Ulebs({4000, DW_TAG_compile_unit, 0, DW_AT_low_pc,
                         DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1, 0, 0});
    DwarfBytes unit = OldUnitHeader(start);
    info.Unit(unit.Uleb(4000).U64(kCodeStart + 16 * i).U8(16));
  }
  const Outcome outcome =
      Resolve({{".debug_abbrev", abbreviations.U8(0)}, {".debug_info", info}},
              Addresses(units, 16));
  EXPECT_EQ(outcome.answer.runs.size(), units);
}

// As above, but no table has the code of its unit, so each is read to its end.
TEST_P(HostileDwarfTest, LimitsOverlappingTablesWithoutTheCodesOfTheUnits) {
  constexpr size_t kUnits = 5000;
  DwarfBytes abbreviations;
  DwarfBytes info;
  for (size_t i = 0; i < kUnits; ++i) {
    DwarfBytes unit = OldUnitHeader(abbreviations.size());
    info.Unit(unit.Uleb(kUnits + 1).U64(kCodeStart + 16 * i).U8(16));
    abbreviations.Ulebs({i + 1, DW_TAG_compile_unit, 0, 0, 0});
  }
  const Outcome outcome =
      Resolve({{".debug_abbrev", abbreviations.U8(0)}, {".debug_info", info}},
              Addresses(kUnits, 16));
  EXPECT_THAT(outcome.problems, Not(IsEmpty()));
}

TEST_P(HostileReaderTest, ReadsDiesWithAMillionValuesThatTakeNoBytes) {
  DwarfBytes abbreviations;
  abbreviations.Ulebs({1, DW_TAG_compile_unit, 1, DW_AT_low_pc, DW_FORM_addr,
                       DW_AT_high_pc, DW_FORM_data4, 0, 0});
  abbreviations.Ulebs({2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string,
                       DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                       DW_FORM_data4});
  abbreviations.Repeat(
      DwarfBytes().Ulebs({DW_AT_prototyped, DW_FORM_flag_present}), 1'000'000);
  abbreviations.Ulebs({0, 0, 0});
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  for (uint64_t i = 0; i < 1000; ++i)
    unit.U8(2).Text("f" + std::to_string(i)).U64(kCodeStart + i).U32(1);
  const Outcome outcome =
      Resolve({{".debug_abbrev", abbreviations},
               {".debug_info", DwarfBytes().Unit(unit.U8(0))}},
              Addresses(1000, 1));
  EXPECT_EQ(outcome.NameAt(999), "f999");
}

TEST_P(HostileDwarfTest, LimitsChainsOfIndirectForms) {
  DwarfBytes abbreviations;
  abbreviations.Ulebs({1, DW_TAG_compile_unit, 1, DW_AT_low_pc, DW_FORM_addr,
                       DW_AT_high_pc, DW_FORM_data4, 0, 0});
  abbreviations.Ulebs(
      {2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_indirect, 0, 0, 0});
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root()).U8(2);
  unit.Repeat(DwarfBytes().Uleb(DW_FORM_indirect), 1'000'000).U8(0);
  const Outcome outcome = Resolve({{".debug_abbrev", abbreviations},
                                   {".debug_info", DwarfBytes().Unit(unit)}},
                                  {kCodeStart});
  EXPECT_THAT(outcome.problems, Not(IsEmpty()));
}

TEST_P(HostileDwarfTest, ReportsUnitsThatReachBeyondTheEnd) {
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root()).Append(Function(0, kCodeStart, 16)).U8(0);
  DwarfBytes info;
  info.Unit(unit).U32(unit.size() + 1).Append(unit);
  const Outcome outcome = Resolve({{".debug_abbrev", Abbreviations()},
                                   {".debug_info", info},
                                   {".debug_str", DwarfBytes().Text("first")}},
                                  {kCodeStart});
  EXPECT_EQ(outcome.NameAt(0), "first");
  EXPECT_THAT(outcome.problems,
              Contains("unit at 0x2a of .debug_info is cut off"));
}

// A unit with one valid function, called "first", and `more` after it.
Sections UnitThatGoesOn(const DwarfBytes& more) {
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root()).Append(Function(0, kCodeStart, 16)).Append(more);
  return {{".debug_abbrev", Abbreviations()},
          {".debug_info", DwarfBytes().Unit(unit)},
          {".debug_str", DwarfBytes().Text("first")}};
}

TEST_P(HostileDwarfTest, ReportsDamagedDies) {
  constexpr uint64_t kUnknownCode = 99;
  const Outcome outcome =
      Resolve(UnitThatGoesOn(DwarfBytes().Uleb(kUnknownCode)), {kCodeStart});
  EXPECT_EQ(outcome.NameAt(0), "first");
  EXPECT_THAT(outcome.problems,
              Contains("unit at 0x0 of .debug_info: its DIEs are damaged; "
                       "the rest is not read"));
}

TEST_P(HostileReaderTest, ReportsDiesThatAreCutOff) {
  const Outcome outcome =
      Resolve(UnitThatGoesOn(DwarfBytes().Uleb(2).U32(0)), {kCodeStart});
  EXPECT_EQ(outcome.NameAt(0), "first");
  EXPECT_THAT(outcome.problems,
              Contains("unit at 0x0 of .debug_info: its DIEs are cut off"));
}

TEST_P(HostileDwarfTest, LimitsTheMemoryForLongNamesThatFunctionsShare) {
  const size_t functions = Scaled(15'000, 100'000);
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  for (size_t i = 0; i < functions; ++i)
    unit.Append(Function(i % 1000, kCodeStart + i, 1));
  const Outcome outcome =
      Resolve({{".debug_abbrev", Abbreviations()},
               {".debug_info", DwarfBytes().Unit(unit.U8(0))},
               {".debug_str", DwarfBytes().Text(std::string(65'000, 'x'))}},
              Addresses(functions, 1));
  EXPECT_EQ(outcome.NameAt(0).size(), 65'000u);
  EXPECT_EQ(outcome.NameAt(functions - 1).size(), 512u);
}

TEST_P(HostileDwarfTest, LimitsTheMemoryForLongNamesOfScopes) {
  DwarfBytes abbreviations = Abbreviations();
  DwarfBytes table(abbreviations.bytes().first(abbreviations.size() - 1));
  table.Ulebs({5, DW_TAG_namespace, 1, DW_AT_name, DW_FORM_strp, 0, 0, 0});
  constexpr size_t kScopes = 60;
  const size_t functions = Scaled(160, 2000);
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  for (size_t i = 0; i < kScopes; ++i) unit.U8(5).U32(0);
  for (size_t i = 0; i < functions; ++i)
    unit.Append(Function(i, kCodeStart + i, 1));
  const Outcome outcome =
      Resolve({{".debug_abbrev", table},
               {".debug_info", DwarfBytes().Unit(unit)},
               {".debug_str", DwarfBytes().Text(std::string(65'000, 'x'))}},
              Addresses(functions, 1));
  EXPECT_EQ(outcome.answer.runs.back().count, 1u);
}

// A map has the names of all functions, not only of those in a profile.
class HostileMapTest : public testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Names, HostileMapTest,
                         testing::Values(DW_AT_name, DW_AT_linkage_name));

TEST_P(HostileMapTest, HasNoFunctionsThatShareALongName) {
  constexpr size_t kFunctions = 20'000;
  DwarfBytes abbreviations = Abbreviations();
  DwarfBytes table(abbreviations.bytes().first(abbreviations.size() - 1));
  table.Ulebs({5, DW_TAG_subprogram, 0, GetParam(), DW_FORM_strp, DW_AT_low_pc,
               DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0, 0});
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  for (size_t i = 0; i < kFunctions; ++i)
    unit.Append(Function(i, kCodeStart + i, 1, 5));
  const TemporaryFile file(
      MakeElf({{".debug_abbrev", table},
               {".debug_info", DwarfBytes().Unit(unit.U8(0))},
               {".debug_str", DwarfBytes().Text(std::string(200'000, 'x'))}}));
  const Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const long before = PeakMemoryInKib();
  auto resolver = OpenResolver(Engine::kReader, *image, symbols);
  ASSERT_TRUE(resolver) << resolver.error().message;
  EXPECT_FALSE((*resolver)->MapCode(/*jobs=*/2));
  if (kCountsMemory) {
    EXPECT_LE(PeakMemoryInKib() - before, kMaxMemoryInKib);
  }
}

// Abbreviations of a unit or function whose code is a list of ranges.
DwarfBytes ListAbbreviations() {
  DwarfBytes table;
  table.Ulebs(
      {1, DW_TAG_compile_unit, 1, DW_AT_ranges, DW_FORM_sec_offset, 0, 0});
  return table.Ulebs(
      {2, DW_TAG_subprogram, 0, DW_AT_ranges, DW_FORM_sec_offset, 0, 0, 0});
}

DwarfBytes LongRangeList(size_t count) {
  DwarfBytes ranges;
  for (size_t i = 0; i < count; ++i)
    ranges.U64(kCodeStart).U64(kCodeStart + kCodeSize);
  return ranges.U64(0).U64(0);
}

constexpr char kTooManyRanges[] =
    "implausibly many address ranges; the rest is not read";

TEST_P(HostileDwarfTest, LimitsALongRangeListThatUnitsShare) {
  const size_t count = Scaled(2000, 20'000);
  DwarfBytes unit = OldUnitHeader();
  unit.U8(1).U32(0).U8(2).U32(0).U8(0);
  const Outcome outcome = Resolve(
      {{".debug_abbrev", ListAbbreviations()},
       {".debug_info", DwarfBytes().Repeat(DwarfBytes().Unit(unit), count)},
       {".debug_ranges", LongRangeList(count)}},
      Addresses(1000, 1));
  EXPECT_THAT(outcome.problems, Contains(HasSubstr(kTooManyRanges)));
}

TEST_P(HostileDwarfTest, LimitsALongRangeListThatFunctionsShare) {
  const size_t functions = Scaled(5000, 100'000);
  const size_t ranges = Scaled(5000, 20'000);
  DwarfBytes unit = OldUnitHeader();
  unit.U8(1).U32(0);  // the list of one range
  unit.Repeat(DwarfBytes().U8(2).U32(32), functions).U8(0);
  const Outcome outcome = Resolve(
      {{".debug_abbrev", ListAbbreviations()},
       {".debug_info", DwarfBytes().Repeat(DwarfBytes().Unit(unit), 2)},
       {".debug_ranges",
        DwarfBytes().Append(LongRangeList(1)).Append(LongRangeList(ranges))}},
      Addresses(1000, 1));
  EXPECT_EQ(outcome.answer.runs.size(), 1000u);
  EXPECT_THAT(outcome.problems, Contains(HasSubstr(kTooManyRanges)));
}

TEST_P(HostileDwarfTest, LimitsInlinedSubroutinesThatCoverOneAddress) {
  constexpr size_t kDepth = 300'000;
  const DwarfBytes header = OldUnitHeader();
  DwarfBytes unit = header;
  unit.Append(Root());
  const uint64_t origin = 4 + unit.size();
  unit.Append(Function(0, 0, 0)).Append(Function(6, kCodeStart, 64, 3));
  const DwarfBytes call =
      DwarfBytes().U8(4).U32(origin).U64(kCodeStart).U32(64);
  unit.Repeat(call, kDepth).Repeat(DwarfBytes().U8(0), kDepth + 2);
  const Outcome outcome =
      Resolve({{".debug_abbrev", Abbreviations()},
               {".debug_info", DwarfBytes().Unit(unit)},
               {".debug_str", DwarfBytes().Text("inner").Text("outer")}},
              Addresses(64, 1));
  for (const FrameRun& run : outcome.answer.runs) {
    ASSERT_GE(run.count, 500u);
    ASSERT_LE(run.count, 1001u);
    const SourceFrame& last = outcome.answer.frames[run.first + run.count - 1];
    const SourceFunction& function = outcome.answer.functions[last.function];
    EXPECT_EQ(fmt::format("{}{}", function.linkage_name, function.scoped_name),
              "outer");
  }
}

TEST_P(HostileDwarfTest, LimitsChainsOfInlinedSubroutinesAtManyAddresses) {
  constexpr size_t kDepth = 900;
  constexpr size_t kAddresses = 3000;
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  const uint64_t origin = 4 + unit.size();
  unit.Append(Function(0, 0, 0)).Append(Function(6, kCodeStart, kAddresses, 3));
  const DwarfBytes call =
      DwarfBytes().U8(4).U32(origin).U64(kCodeStart).U32(kAddresses);
  unit.Repeat(call, kDepth).Repeat(DwarfBytes().U8(0), kDepth + 2);
  const Outcome outcome =
      Resolve({{".debug_abbrev", Abbreviations()},
               {".debug_info", DwarfBytes().Unit(unit)},
               {".debug_str", DwarfBytes().Text("inner").Text("outer")}},
              Addresses(kAddresses, 1));
  EXPECT_EQ(outcome.answer.most_frames, 256u);
  EXPECT_EQ(outcome.answer.frames.size(), kAddresses * 256);
  for (const FrameRun& run : outcome.answer.runs) {
    ASSERT_EQ(run.count, 256u);
    const SourceFrame& last = outcome.answer.frames.at(run.first + 255);
    EXPECT_EQ(outcome.answer.functions.at(last.function).scoped_name, "outer");
  }
}

// A chain of inlined subroutines, and another one next to it, whose innermost
// subroutine has hundreds of thousands of children at the address of the first.
TEST_P(HostileDwarfTest, LimitsInlinedSubroutinesThatOverlapAnotherChain) {
  DwarfBytes unit = OldUnitHeader();
  unit.Append(Root());
  const uint64_t origin = 4 + unit.size();
  unit.Append(Function(0, 0, 0)).Append(Function(6, kCodeStart, 64, 3));
  const DwarfBytes call =
      DwarfBytes().U8(4).U32(origin).U64(kCodeStart).U32(64);
  const DwarfBytes elsewhere =
      DwarfBytes().U8(4).U32(origin).U64(kCodeStart + 64).U32(64);
  unit.Append(call).U8(0);
  unit.Repeat(elsewhere, 400);
  unit.Repeat(DwarfBytes().Append(call).U8(0), 100'000);
  unit.Repeat(DwarfBytes().U8(0), 402);
  const Outcome outcome =
      Resolve({{".debug_abbrev", Abbreviations()},
               {".debug_info", DwarfBytes().Unit(unit)},
               {".debug_str", DwarfBytes().Text("inner").Text("outer")}},
              Addresses(64, 1));
  EXPECT_EQ(outcome.answer.runs.at(0).count, 2u);
}

// Line programs. The header up to the tables, version 5.
DwarfBytes WrittenLineProgram(const DwarfBytes& tables,
                              const DwarfBytes& opcodes) {
  DwarfBytes header;
  header.U8(1).U8(1).U8(1).U8(0xfb).U8(14).U8(13);
  for (const int operands : {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1})
    header.U8(static_cast<uint64_t>(operands));
  header.Append(tables);
  DwarfBytes unit;
  unit.U16(5).U8(8).U8(0).U32(header.size()).Append(header).Append(opcodes);
  return DwarfBytes().Unit(unit);
}

DwarfBytes LineAbbreviations() {
  DwarfBytes table;
  return table.Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_stmt_list,
                      DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr,
                      DW_AT_high_pc, DW_FORM_data4, 0, 0, 0});
}

// The last opcode lacks half of its operand.
TEST_P(HostileDwarfTest, ReportsDamagedLineTables) {
  DwarfBytes tables;
  tables.U8(0).Uleb(0).U8(0).Uleb(0);
  DwarfBytes opcodes;
  opcodes.SetAddress(0);
  opcodes.U8(DW_LNS_copy).U8(DW_LNS_fixed_advance_pc).U8(1);
  DwarfBytes unit = UnitHeader5();
  unit.U8(1).U32(0).U64(kCodeStart).U32(kCodeSize);
  const Outcome outcome =
      Resolve({{".debug_abbrev", LineAbbreviations()},
               {".debug_info", DwarfBytes().Unit(unit)},
               {".debug_line", WrittenLineProgram(tables, opcodes)}},
              {kCodeStart});
  const std::string expected =
      GetParam() == Engine::kReader
          ? "unit at 0x0 of .debug_info: its line table is damaged"
          : "unit with its root at 0xc of .debug_info: cannot read its line "
            "table: ";
  EXPECT_THAT(outcome.problems, Contains(HasSubstr(expected)));
}

TEST_P(HostileDwarfTest, LimitsFilesThatTakeNoBytes) {
  DwarfBytes tables;
  for (int i = 0; i < 2; ++i)
    tables.U8(1).Ulebs({DW_LNCT_path, DW_FORM_implicit_const, 1'000'000});
  DwarfBytes unit = UnitHeader5();
  unit.U8(1).U32(0).U64(kCodeStart).U32(kCodeSize);
  const Outcome outcome = Resolve(
      {{".debug_abbrev", LineAbbreviations()},
       {".debug_info", DwarfBytes().Repeat(DwarfBytes().Unit(unit), 1000)},
       {".debug_line", WrittenLineProgram(tables, {})}},
      Addresses(1000, 16));
  EXPECT_THAT(outcome.problems, Contains(HasSubstr("line table")));
}

TEST_P(HostileDwarfTest, LimitsSequencesThatCoverAllAddresses) {
  DwarfBytes tables;
  tables.U8(0).Uleb(0).U8(0).Uleb(0);
  DwarfBytes sequence;
  sequence.SetAddress(0);
  // All but the last, for which all sequences are read.
  sequence.U8(DW_LNS_copy).U8(DW_LNS_advance_pc).Uleb(kCodeSize - 1);
  sequence.EndSequence();
  DwarfBytes unit = UnitHeader5();
  unit.U8(1).U32(0).U64(kCodeStart).U32(kCodeSize);
  std::vector<uint64_t> addresses = Addresses(100'000, 1);
  addresses.push_back(kCodeStart + kCodeSize - 1);
  const Outcome outcome = Resolve(
      {{".debug_abbrev", LineAbbreviations()},
       {".debug_info", DwarfBytes().Unit(unit)},
       {".debug_line",
        WrittenLineProgram(tables, DwarfBytes().Repeat(sequence, 50'000))}},
      addresses);
  EXPECT_THAT(outcome.problems, Contains(AnyOf(HasSubstr("line table"),
                                               HasSubstr("line programs"))));
}

// libdw keeps the error of a call until somebody reads it.
TEST(LibdwErrorTest, DoesNotReportTheErrorOfAnEarlierCall) {
  // A root DIE with tag 0: libdw fails, but sets no error.
  DwarfBytes abbreviations;
  abbreviations.Ulebs({1, 0, 0, DW_AT_name, DW_FORM_string, 0, 0, 0});
  const TemporaryFile file(
      MakeElf({{".debug_abbrev", abbreviations},
               {".debug_info",
                DwarfBytes().Unit(OldUnitHeader().U8(1).Text("a.cc"))}}));
  const Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols;
  std::vector<std::vector<std::string>> problems;
  for (const bool has_failed : {false, true}) {
    dwarf_errno();
    if (has_failed) {
      EXPECT_EQ(dwarf_begin(-1, DWARF_C_READ), nullptr);
    }
    auto resolver = OpenResolver(Engine::kLibdw, *image, symbols);
    ASSERT_TRUE(resolver) << resolver.error().message;
    problems.push_back((*resolver)->problems());
  }
  EXPECT_THAT(problems[0], Not(IsEmpty()));
  EXPECT_EQ(problems[0], problems[1]);
}

}  // namespace
}  // namespace heapprof
