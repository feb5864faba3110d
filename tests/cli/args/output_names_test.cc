// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_names.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/args/parsed_args.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(ExtensionTest, IsWhatFollowsTheLastDotOfAFileName) {
  EXPECT_EQ(Extension("a.b/mem.flame.svg"), ".svg");
  for (const char* none : {"report", "-", ".hidden", "a.b/report", "a/.pb"})
    EXPECT_EQ(Extension(none), "") << none;
}

TEST(FormatExtensionTest, IsBeforeThatOfCompressedFiles) {
  EXPECT_EQ(FormatExtension("a.b/mem.json.gz"), ".json");
  EXPECT_EQ(FormatExtension("mem.json"), ".json");
  for (const char* none : {"mem.gz", "mem", "a.b/mem.gz", ".gz"})
    EXPECT_EQ(FormatExtension(none), "") << none;
}

// As a name without any extension does.
TEST(FindExtensionTest, TakesTextForACompressedFileOfUnknownFormat) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"explain"}, {"info"}, {}}) {
    std::vector<std::string> all = args;
    all.insert(all.end(), {"-o", "e.gz", "d"});
    EXPECT_THAT(Parsed(all).outputs,
                ElementsAre(Output{OutputNamed("text"), "e.gz"}));
  }
}

TEST(FindExtensionTest, RefusesFormatsThatACommandDoesNotWrite) {
  for (const char* name : {"t.svg", "t.pb.gz", "t.md", "d.heap"})
    EXPECT_EQ(ErrorIn({"trend", "-o", name, "d"}),
              std::string("-o ") + name +
                  ": trend writes .txt, .json, .csv and .html");
  EXPECT_EQ(ErrorIn({"trend", "-o", "a", "-o", "a", "d"}), "-o a: named twice");
  EXPECT_EQ(Parsed({"trend", "--text", "-o", "t.md", "d"})
                .trend.outputs.front()
                .format,
            TrendFormat::kText);
  for (const char* name : {"e.svg", "e.csv", "e.foo"})
    EXPECT_EQ(ErrorIn({"explain", "-o", name, "d"}),
              std::string("-o ") + name +
                  ": explain writes .txt, .json, .html and .md");
  EXPECT_THAT(Parsed({"explain", "-o", "e.md", "-o", "e", "d"}).outputs,
              ElementsAre(Output{OutputNamed("markdown"), "e.md"},
                          Output{OutputNamed("text"), "e"}));
  EXPECT_THAT(Parsed({"explain", "-o", "e.json.gz", "d"}).outputs,
              ElementsAre(Output{OutputNamed("json"), "e.json.gz"}));
  EXPECT_EQ(ErrorIn({"explain", "-o", "e.csv.gz", "d"}),
            "-o e.csv.gz: explain writes .txt, .json, .html and .md");
  EXPECT_THAT(
      Parsed({"explain", "--html", "-o", "e.json", "-o", "e", "d"}).outputs,
      ElementsAre(Output{OutputNamed("json"), "e.json"},
                  Output{OutputNamed("html"), "e"}));
}

}  // namespace
}  // namespace heapprof
