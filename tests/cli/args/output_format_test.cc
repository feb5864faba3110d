// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_format.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using enum OutputMode;

using Paths = std::vector<std::string>;

std::vector<Output> Chosen(std::optional<OutputMode> mode, const Paths& paths) {
  const auto outputs = ChooseOutputs(mode, paths);
  if (outputs) return *outputs;
  ADD_FAILURE() << outputs.error().message;
  return {};
}

std::string ErrorOf(std::optional<OutputMode> mode, const Paths& paths) {
  const auto outputs = ChooseOutputs(mode, paths);
  if (outputs) return "no error";
  EXPECT_EQ(outputs.error().kind, ErrorKind::kUsage);
  return outputs.error().message;
}

TEST(ChooseOutputsTest, WritesToStandardOutputUnlessAFileIsNamed) {
  EXPECT_THAT(Chosen({}, {}), ElementsAre(Output{kText}));
  EXPECT_THAT(Chosen(kProto, {}), ElementsAre(Output{kProto}));
  EXPECT_TRUE(Chosen({}, {}).front().IsStandardOutput());
  EXPECT_TRUE(Chosen({}, {"-"}).front().IsStandardOutput());
  EXPECT_FALSE(Chosen({}, {"./-"}).front().IsStandardOutput());
}

TEST(ChooseOutputsTest, ReadsTheModeFromTheName) {
  struct Case {
    const char* path;
    OutputMode mode;
  };
  for (const auto& [path, mode] :
       {Case{"a.txt", kText}, Case{"a.collapsed", kCollapsed},
        Case{"a.folded", kCollapsed}, Case{"a.pb.gz", kProto},
        Case{"a.b/c.pb", kProto}, Case{"a.raw", kRaw}, Case{"report", kText},
        Case{"a.html/report", kText}, Case{"-", kText}, Case{".pb", kText},
        Case{"a/.hidden", kText}, Case{"/dev/stdout", kText}})
    EXPECT_THAT(Chosen({}, {path}), ElementsAre(Output{mode, path})) << path;
}

TEST(ChooseOutputsTest, RefusesANameThatPromisesAnotherFormat) {
  EXPECT_EQ(ErrorOf({}, {"mem.html"}),
            "-o mem.html: no output has files called .html; choose an output, "
            "such as --text");
  EXPECT_THAT(Chosen(kText, {"mem.html"}),
              ElementsAre(Output{kText, "mem.html"}));
}

TEST(ChooseOutputsTest, LetsAModeOverruleTheNameOfALoneFile) {
  EXPECT_THAT(Chosen(kText, {"a.pb.gz"}),
              ElementsAre(Output{kText, "a.pb.gz"}));
  EXPECT_THAT(Chosen(kProto, {"a.txt"}), ElementsAre(Output{kProto, "a.txt"}));
}

TEST(ChooseOutputsTest, GivesAModeToThoseOfSeveralFilesThatAskForText) {
  EXPECT_THAT(Chosen(kCollapsed, {"-", "a.txt", "b.pb.gz", "c"}),
              ElementsAre(Output{kCollapsed, "-"}, Output{kCollapsed, "a.txt"},
                          Output{kProto, "b.pb.gz"}, Output{kCollapsed, "c"}));
}

TEST(ChooseOutputsTest, RefusesOneFileTwice) {
  EXPECT_EQ(ErrorOf({}, {"b", "a", "b"}), "-o b: named twice");
  EXPECT_EQ(ErrorOf({}, {"-", "-"}), "-o -: named twice");
}

}  // namespace
}  // namespace heapprof
