// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/roff.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

std::string Blocks(std::string_view text) {
  std::string page;
  AppendRoffBlocks(text, page);
  return page;
}

TEST(RoffTextTest, EscapesWhatWouldBeAnInstruction) {
  EXPECT_EQ(RoffText(".so /etc/passwd"), "\\&.so /etc/passwd");
  EXPECT_EQ(RoffText("'x'"), "\\&\\(aqx\\(aq");
  EXPECT_EQ(RoffText("--a\\b ~/.x ^`"), "\\-\\-a\\eb \\(ti/.x \\(ha\\(ga");
}

TEST(RoffBlocksTest, FillsParagraphs) {
  EXPECT_EQ(Blocks("One\ntwo.\n\nThree.\n"), ".PP\nOne\ntwo.\n.PP\nThree.\n");
}

TEST(RoffBlocksTest, TagsTerms) {
  EXPECT_EQ(Blocks("PID      a process: does\n"
                   "         it run\n"
                   "PROGRAM  a program\n"),
            ".TP\nPID\na process: does\nit run\n.TP\nPROGRAM\na program\n");
  EXPECT_EQ(Blocks("  --fail-on 'x>RATE'\n"
                   "           status 1\n"
                   "  --html   a page\n"),
            ".TP\n\\-\\-fail\\-on \\(aqx>RATE\\(aq\nstatus 1\n"
            ".TP\n\\-\\-html\na page\n");
}

TEST(RoffBlocksTest, LeavesExamplesAsTheyAre) {
  EXPECT_EQ(Blocks("Examples:\n  heapprof a \\\n    b\n"),
            ".PP\nExamples:\n.PP\n.nf\nheapprof a \\e\n  b\n.fi\n");
  // Columns of numbers are no list of terms.
  EXPECT_EQ(Blocks("1  2  a\n  10  b\n"), ".PP\n.nf\n1  2  a\n  10  b\n.fi\n");
}

}  // namespace
}  // namespace heapprof
