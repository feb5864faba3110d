// SPDX-License-Identifier: Apache-2.0
#include "cli/args/check_outputs.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Args = std::vector<std::string>;

// Returns "markdown:c.md" and the like.
std::vector<std::string> Chosen(const Args& options) {
  const auto outputs = ChooseCheckOutputs(options);
  if (!outputs) return {outputs.error().message};
  constexpr std::string_view kNames[] = {"text", "json", "markdown", "github",
                                         "junit"};
  std::vector<std::string> texts;
  for (const CheckOutput& output : *outputs)
    texts.push_back(std::string(kNames[output.format]) + ":" + output.path);
  return texts;
}

TEST(ChooseCheckOutputsTest, WritesOneReportByDefault) {
  EXPECT_THAT(Chosen({}), ElementsAre("text:"));
  EXPECT_THAT(Chosen({"--format=junit"}), ElementsAre("junit:"));
  EXPECT_THAT(Chosen({"--format=junit", "--format=json"}),
              ElementsAre("json:"));
  EXPECT_THAT(Chosen({"--format=junit", "--format="}), ElementsAre("text:"));
}

TEST(ChooseCheckOutputsTest, GivesAFormatToTheNextFile) {
  EXPECT_THAT(Chosen({"--format=markdown", "--output=c.txt", "--explain",
                      "--format=junit", "--output=j"}),
              ElementsAre("markdown:c.txt", "junit:j"));
  EXPECT_THAT(
      Chosen({"--format=github", "--output=-", "--format=json", "--output=x"}),
      ElementsAre("github:-", "json:x"));
}

TEST(ChooseCheckOutputsTest, ReadsTheExtensions) {
  EXPECT_THAT(Chosen({"--output=c.md", "--output=j.xml", "--output=r.json",
                      "--output=t.txt", "--output=d/.md"}),
              ElementsAre("markdown:c.md", "junit:j.xml", "json:r.json",
                          "text:t.txt", "text:d/.md"));
  EXPECT_THAT(Chosen({"--output=report"}), ElementsAre("text:report"));
  EXPECT_THAT(Chosen({"--output=r.html"}).front(),
              HasSubstr("-o r.html: check writes .txt, .json, .md and .xml"));
}

TEST(ChooseCheckOutputsTest, WritesTheRestToStandardOutput) {
  EXPECT_THAT(Chosen({"--output=c.md", "--output=j.xml", "--format=github"}),
              ElementsAre("markdown:c.md", "junit:j.xml", "github:"));
  EXPECT_THAT(Chosen({"--format=junit", "--output=j.xml", "--format=text"}),
              ElementsAre("junit:j.xml", "text:"));
  // The order of two options did not matter when there was only one report.
  EXPECT_THAT(Chosen({"--output=x", "--format=json"}), ElementsAre("json:x"));
  EXPECT_THAT(Chosen({"--output=x.txt", "--format=json"}),
              ElementsAre("json:x.txt"));
  // A file whose name chooses another format keeps it.
  EXPECT_THAT(Chosen({"--output=c.md", "--format=github"}),
              ElementsAre("markdown:c.md", "github:"));
  EXPECT_THAT(Chosen({"--output=c.md", "--format=markdown"}),
              ElementsAre("markdown:c.md"));
}

TEST(ChooseCheckOutputsTest, RejectsWhatMakesNoSense) {
  EXPECT_THAT(Chosen({"--output=a.md", "--output=a.md"}).front(),
              HasSubstr("-o a.md: named twice"));
  EXPECT_THAT(Chosen({"--output=-", "--format=text", "--output=-"}).front(),
              HasSubstr("-o -: named twice"));
  EXPECT_THAT(Chosen({"--format=html", "--format=text"}).front(),
              HasSubstr("--format: expected text, json, markdown, github or "
                        "junit, found 'html'"));
}

}  // namespace
}  // namespace heapprof
