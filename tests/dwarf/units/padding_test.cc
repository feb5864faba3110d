// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/padding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// `first` is at [0, 16), and its only row holds up to 32.
class PaddingTest : public testing::Test {
 protected:
  uint64_t End(uint64_t start, uint64_t end,
               const std::vector<WrittenSymbol>& symbols) {
    const OpenedDwarf dwarf({}, symbols);
    const std::vector<LineSpan> rows = {
        {{kCodeStart, kCodeStart + 32}, {.file = 1, .line = 7, .found = true}},
        {{kCodeStart + 32, kCodeStart + 64},
         {.file = 1, .line = 8, .found = true}}};
    return PaddingEnd(kCodeStart + 16, {kCodeStart + start, kCodeStart + end},
                      rows, dwarf.symbols()) -
           kCodeStart;
  }
};

TEST_F(PaddingTest, EndsWithTheRowOfTheFunction) {
  EXPECT_EQ(End(16, 64, {{"first", 0, 16}}), 32u);
  EXPECT_EQ(End(20, 64, {{"first", 0, 16}}), 32u);
}

TEST_F(PaddingTest, EndsWithTheRange) {
  EXPECT_EQ(End(16, 24, {{"first", 0, 16}}), 24u);
}

TEST_F(PaddingTest, EndsAtASymbol) {
  EXPECT_EQ(End(16, 64, {{"first", 0, 16}, {"second", 24, 8}}), 24u);
  // The symbol starts before the range: none of it is padding.
  EXPECT_EQ(End(28, 64, {{"first", 0, 16}, {"second", 24, 8}}), 28u);
}

TEST_F(PaddingTest, IsNotCodeWithARowOfItsOwn) {
  EXPECT_EQ(End(32, 64, {{"first", 0, 16}}), 32u);
}

TEST_F(PaddingTest, IsNotRecognizedWithoutSymbols) {
  EXPECT_EQ(End(16, 64, {}), 16u);
}

// Compilers describe thunks by symbols and line rows, but not by DIEs.
TEST_F(PaddingTest, HoldsThunks) {
  const auto with_thunk = [](const char* name) {
    return std::vector<WrittenSymbol>{
        {"first", 0, 16}, {name, 32, 16}, {"last", 80, 8}};
  };
  for (const char* thunk :
       {"_ZThn8_N1A1fEv", "_ZTv0_n24_N1A1fEv", "_ZTchn8_h8_N1A1fEv"})
    EXPECT_EQ(End(16, 96, with_thunk(thunk)), 64u);
  const std::vector<WrittenSymbol> symbols = with_thunk("_ZThn8_N1A1fEv");
  EXPECT_EQ(End(36, 37, symbols), 37u);
  // What follows a thunk without a row of its own, like what follows a function
  EXPECT_EQ(End(50, 51, symbols), 51u);
  EXPECT_EQ(End(64, 65, symbols), 64u);
  EXPECT_EQ(End(80, 81, symbols), 80u);
}

// Functions at [0, 16) and [48, 64), each with a row that holds up to the next
// one, and code without a function between and after them.
TEST(FindPaddingTest, ReadsTheRowOfTheFunctionBeforeEachRange) {
  const WrittenUnit unit({0, 96});
  const OpenedDwarf dwarf(
      SectionsOf({&unit}, WrittenLines({{0, 5}, {32, 6}, {48, 7}}, 96)),
      {{"first", 0, 16}, {"second", 48, 16}});
  const UnitReader reader = dwarf.reader();
  std::string problem;
  uint64_t budget = 1000;
  const auto lines = LineProgram::Read(reader, budget, problem);
  ASSERT_TRUE(lines) << problem;
  const std::vector<AddressRange> ranges = {{kCodeStart + 16, kCodeStart + 48},
                                            {kCodeStart + 64, kCodeStart + 96}};
  const std::vector<AddressRange> code = {{kCodeStart + 48, kCodeStart + 64},
                                          {kCodeStart, kCodeStart + 16}};
  EXPECT_THAT(
      FindPadding(ranges, code, &*lines, dwarf.image(), dwarf.symbols()),
      ElementsAre(kCodeStart + 32, kCodeStart + 96));
  // Without a function before it, or without rows, no code is padding.
  EXPECT_THAT(FindPadding(ranges, {}, &*lines, dwarf.image(), dwarf.symbols()),
              ElementsAre(kCodeStart + 16, kCodeStart + 64));
  EXPECT_THAT(
      FindPadding(ranges, code, nullptr, dwarf.image(), dwarf.symbols()),
      ElementsAre(kCodeStart + 16, kCodeStart + 64));
}

}  // namespace
}  // namespace heapprof
