// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/listing.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

const std::vector<std::string_view> kSource = {
    "one",            // 1
    "two",            // 2
    "three",          // 3
    "void f() {",     // 4
    "  if (x) {",     // 5
    "\tallocate();",  // 6
    "  }",            // 7
    "",               // 8
    "  done();",      // 9
    "}",              // 10
    "eleven",         // 11
    "twelve",         // 12
};

ListedFunction FunctionF() {
  return {.name = "f",
          .file = "/src/f.cc",
          .start_line = 4,
          .flat = 0,
          .cumulative = 300,
          .lines = {{.line = 6, .flat = 0, .cumulative = 300}}};
}

TEST(WriteListingTest, ShowsTheWholeFunctionAndFiveLinesAroundIt) {
  EXPECT_EQ(WriteListing(FunctionF(), kSource, Unit::kBytes),
            "ROUTINE ====================== f in /src/f.cc\n"
            "     0    300 Total B (flat / cumulative)\n"
            "     .      .    1: one\n"
            "     .      .    2: two\n"
            "     .      .    3: three\n"
            "---\n"
            "     .      .    4: void f() {\n"
            "     .      .    5:   if (x) {\n"
            "     .    300    6:         allocate();\n"
            "     .      .    7:   }\n"
            "     .      .    8: \n"
            "     .      .    9:   done();\n"
            "     .      .   10: }\n"
            "---\n"
            "     .      .   11: eleven\n"
            "     .      .   12: twelve\n");
}

TEST(WriteListingTest,
     StartsAtTheFirstLineThatHoldsSomethingIfTheStartIsUnknown) {
  ListedFunction function = FunctionF();
  function.start_line = 0;
  const std::string text = WriteListing(function, kSource, Unit::kBytes);
  EXPECT_NE(text.find("---\n     .    300    6:"), std::string::npos) << text;
}

TEST(WriteListingTest, ListsOnlyTheLinesOfAMissingSource) {
  ListedFunction function = FunctionF();
  function.lines.push_back({.line = 9, .flat = 1, .cumulative = 2});
  EXPECT_EQ(WriteListing(function, {}, Unit::kBytes),
            "ROUTINE ====================== f in /src/f.cc\n"
            "     0    300 Total B (flat / cumulative)\n"
            "     .    300    6: \n"
            "     1      2    9: \n");
}

// For example if the file is not the compiled version.
TEST(WriteListingTest, KeepsTheValuesOfLinesThatTheSourceLacks) {
  ListedFunction function = FunctionF();
  function.lines = {{.line = 0, .flat = 1, .cumulative = 1},
                    {.line = 4, .flat = 2, .cumulative = 2},
                    {.line = 4000, .flat = 3, .cumulative = 3}};
  const std::string text = WriteListing(function, kSource, Unit::kBytes);
  for (const char* line : {"     1      1    0: \n", "     2      2    4: void",
                           "     3      3 4000: \n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(WriteListingTest, LetsNoControlCharacterOutOfASource) {
  ListedFunction function = FunctionF();
  function.lines = {{.line = 1, .flat = 1, .cumulative = 1}};
  function.start_line = 1;
  function.file = "a\nb";
  const std::string text = WriteListing(function, {"x\x1b[31my"}, Unit::kBytes);
  EXPECT_NE(text.find("in a?b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("x?[31my"), std::string::npos) << text;
}

TEST(ListingTest, HasTheWordsOfOtherReportsOnATerminal) {
  EXPECT_THAT(WriteListing(FunctionF(), kSource, Unit::kBytes, true),
              testing::HasSubstr("    300 Total B (self / with callees)\n"));
}

TEST(WriteListingTest, FitsIntoTheWidthOfATerminal) {
  ListedFunction function = FunctionF();
  function.name = "demo::storage::Table::InsertWithRehash";
  function.file = "/builds/server/src/storage/table.cc";
  const std::vector<std::string_view> source(
      8, "  return std::make_unique<Entry>(key, value);");
  const std::string text =
      WriteListing(function, source, Unit::kBytes, true, 40);
  EXPECT_THAT(text, StartsWith("ROUTINE InsertWithRehash in …/table.cc\n"));
  EXPECT_THAT(text, HasSubstr("   return std::make_…\n"));
  for (const std::string_view line : Split(text, '\n'))
    EXPECT_LE(Columns(line), 40u) << line;
}

}  // namespace
}  // namespace heapprof
