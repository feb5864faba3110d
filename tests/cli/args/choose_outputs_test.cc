// SPDX-License-Identifier: Apache-2.0
#include "cli/args/choose_outputs.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
constexpr const OutputFormat* kText = OutputNamed("text");
constexpr const OutputFormat* kCollapsed = OutputNamed("collapsed");
constexpr const OutputFormat* kProto = OutputNamed("proto");
constexpr const OutputFormat* kRaw = OutputNamed("raw");
constexpr const OutputFormat* kJson = OutputNamed("json");
constexpr const OutputFormat* kFlamegraph = OutputNamed("flamegraph");
constexpr const OutputFormat* kSvg = OutputNamed("svg");
constexpr const OutputFormat* kSpeedscope = OutputNamed("speedscope");

using Paths = std::vector<std::string>;

std::vector<Output> Chosen(const OutputFormat* chosen, const Paths& paths) {
  const auto outputs = ChooseOutputs(chosen, paths);
  if (outputs) return *outputs;
  ADD_FAILURE() << outputs.error().message;
  return {};
}

std::string ErrorOf(const OutputFormat* chosen, const Paths& paths) {
  const auto outputs = ChooseOutputs(chosen, paths);
  if (outputs) return "no error";
  EXPECT_EQ(outputs.error().kind, ErrorKind::kUsage);
  return outputs.error().message;
}

TEST(ChooseOutputsTest, WritesToStandardOutputUnlessAFileIsNamed) {
  EXPECT_THAT(Chosen(nullptr, {}), ElementsAre(Output{kText}));
  EXPECT_THAT(Chosen(kProto, {}), ElementsAre(Output{kProto}));
  EXPECT_TRUE(Chosen(nullptr, {}).front().IsStandardOutput());
  EXPECT_TRUE(Chosen(nullptr, {"-"}).front().IsStandardOutput());
  EXPECT_FALSE(Chosen(nullptr, {"./-"}).front().IsStandardOutput());
}

TEST(ChooseOutputsTest, ReadsTheFormatFromTheName) {
  struct Case {
    const char* path;
    const OutputFormat* format;
  };
  for (const auto& [path, format] :
       {Case{"a.txt", kText}, Case{"a.collapsed", kCollapsed},
        Case{"a.folded", kCollapsed}, Case{"a.pb.gz", kProto},
        Case{"a.b/c.pb", kProto}, Case{"a.raw", kRaw}, Case{"report", kText},
        Case{"a.json.gz", kJson}, Case{"a.flame.svg.gz", kFlamegraph},
        Case{"a.html/report", kText}, Case{"-", kText}, Case{".pb", kText},
        Case{"a/.hidden", kText}, Case{"/dev/stdout", kText}})
    EXPECT_THAT(Chosen(nullptr, {path}), ElementsAre(Output{format, path}))
        << path;
}

TEST(ChooseOutputsTest, PrefersTheLongestExtension) {
  EXPECT_THAT(
      Chosen(nullptr, {"a.flame.svg", "a.svg"}),
      ElementsAre(Output{kFlamegraph, "a.flame.svg"}, Output{kSvg, "a.svg"}));
  EXPECT_THAT(
      Chosen(nullptr, {"a.speedscope.json", "a.json", "speedscope.json",
                       ".speedscope.json"}),
      ElementsAre(Output{kSpeedscope, "a.speedscope.json"},
                  Output{kJson, "a.json"}, Output{kJson, "speedscope.json"},
                  Output{kJson, ".speedscope.json"}));
}

TEST(ChooseOutputsTest, RefusesANameThatPromisesAnotherFormat) {
  EXPECT_EQ(ErrorOf(nullptr, {"mem.docx"}),
            "-o mem.docx: no output has the extension .docx; choose an output, "
            "such as --text");
  EXPECT_THAT(Chosen(kText, {"mem.docx"}),
              ElementsAre(Output{kText, "mem.docx"}));
}

TEST(ChooseOutputsTest, RefusesANameThatPromisesAnotherCompression) {
  for (const auto* const chosen :
       {static_cast<const OutputFormat*>(nullptr), kText})
    EXPECT_EQ(ErrorOf(chosen, {"mem.txt.zst"}),
              "-o mem.txt.zst: outputs are compressed only with gzip, by names "
              "that end with .gz");
  EXPECT_THAT(Chosen(kText, {"mem.txt.gz"}),
              ElementsAre(Output{kText, "mem.txt.gz"}));
}

TEST(ChooseOutputsTest, LetsAnOptionOverruleTheNameOfALoneFile) {
  EXPECT_THAT(Chosen(kText, {"a.pb.gz"}),
              ElementsAre(Output{kText, "a.pb.gz"}));
  EXPECT_THAT(Chosen(kProto, {"a.txt"}), ElementsAre(Output{kProto, "a.txt"}));
}

TEST(ChooseOutputsTest, WritesTablesAsJsonIfTheNameSaysSo) {
  constexpr const OutputFormat* kTree = OutputNamed("tree");
  EXPECT_THAT(Chosen(kTree, {"a.json"}), ElementsAre(Output{kJson, "a.json"}));
  EXPECT_THAT(Chosen(kTree, {"a.json.gz"}),
              ElementsAre(Output{kJson, "a.json.gz"}));
  EXPECT_THAT(Chosen(kTree, {"a.svg"}), ElementsAre(Output{kTree, "a.svg"}));
}

TEST(MisnamedNoteTest, ComparesWhatTheNameStandsFor) {
  EXPECT_EQ(MisnamedNote({kJson, "mem.html"}),
            "mem.html is what --json writes, though its name stands for "
            "--html");
  EXPECT_EQ(MisnamedNote({kRaw, "a.pb.gz"}),
            "a.pb.gz is what --raw writes, though its name stands for --proto");
  for (const Output& output :
       {Output{kJson, "a.json"}, Output{kJson, "a.speedscope.json"},
        Output{kSpeedscope, "a.json"}, Output{kFlamegraph, "a.svg"},
        Output{kCollapsed, "a.txt"}, Output{OutputNamed("traces"), "a.md"},
        Output{kText, "a.md"}, Output{OutputNamed("ndjson"), "a.json"},
        Output{kJson, "a"}, Output{kJson, ""}, Output{kProto, "a.pb"}})
    EXPECT_EQ(MisnamedNote(output), "") << output.path;
}

TEST(MisnamedNoteTest, KnowsFormatsOfOtherCommands) {
  EXPECT_EQ(MisnamedNote("trend.html", "csv", ".csv"),
            "trend.html is what --csv writes, though its name stands for "
            "--html");
  EXPECT_EQ(MisnamedNote("trend.html", "html", ".html"), "");
  EXPECT_EQ(MisnamedNote("check.json", "format junit", ".xml"),
            "check.json is what --format junit writes, though its name stands "
            "for --json");
  EXPECT_EQ(MisnamedNote("check.md", "format github", ""), "");
}

TEST(ChooseOutputsTest, ReplacesTextWithTheChosenFormatInSeveralFiles) {
  EXPECT_THAT(Chosen(kCollapsed, {"-", "a.txt", "b.pb.gz", "c"}),
              ElementsAre(Output{kCollapsed, "-"}, Output{kCollapsed, "a.txt"},
                          Output{kProto, "b.pb.gz"}, Output{kCollapsed, "c"}));
}

TEST(ChooseOutputsTest, RefusesOneFileTwice) {
  EXPECT_EQ(ErrorOf(nullptr, {"b", "a", "b"}), "-o b: named twice");
  EXPECT_EQ(ErrorOf(nullptr, {"b", "./b"}), "-o ./b: named twice");
  EXPECT_EQ(ErrorOf(nullptr, {"-", "-"}), "-o -: named twice");
}

}  // namespace
}  // namespace heapprof
