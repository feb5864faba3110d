// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/answer_builder.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(AnswerBuilderTest, StoresEveryFileOnce) {
  AnswerBuilder builder(0);
  EXPECT_EQ(builder.AddFile("a.cc"), 1u);
  EXPECT_EQ(builder.AddFile("b.cc"), 2u);
  EXPECT_EQ(builder.AddFile("a.cc"), 1u);
  EXPECT_EQ(builder.AddFile(""), 0u);
  EXPECT_THAT(builder.Take().files, ElementsAre("", "a.cc", "b.cc"));
}

TEST(AnswerBuilderTest, StoresFunctionsThatDifferInOneField) {
  const SourceFunction function = {
      .linkage_name = "_Z1fv", .scoped_name = "f", .file = 1, .start_line = 7};
  std::vector<SourceFunction> functions(5, function);
  functions[1].linkage_name = "_Z1gv";
  functions[2].scoped_name = "g";
  functions[3].file = 2;
  functions[4].start_line = 8;
  AnswerBuilder builder(0);
  for (uint32_t i = 0; i < functions.size(); ++i)
    EXPECT_EQ(builder.AddFunction(functions[i]), i);
  EXPECT_EQ(builder.AddFunction(function), 0u);
  EXPECT_EQ(builder.Take().functions.size(), 5u);
}

TEST(AnswerBuilderTest, KeepsTheLowestStartOfAFunction) {
  AnswerBuilder builder(0);
  for (const uint64_t start : {0u, 32u, 0u, 16u, 64u})
    builder.AddFunction(
        {.linkage_name = "f", .scoped_name = {}, .start_address = start});
  const ResolvedAddresses answers = builder.Take();
  ASSERT_EQ(answers.functions.size(), 1u);
  EXPECT_EQ(answers.functions[0].start_address, 16u);
}

TEST(AnswerBuilderTest, CopiesNames) {
  AnswerBuilder builder(0);
  std::string name = "before";
  builder.AddFunction({.linkage_name = name, .scoped_name = {}});
  name = "after!";
  EXPECT_EQ(builder.Take().functions[0].linkage_name, "before");
}

// "FUNCTION:LINE " for each frame of an address.
std::string FramesAt(const ResolvedAddresses& answers, size_t address) {
  const FrameRun run = answers.runs.at(address);
  std::string text;
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    const SourceFrame& frame = answers.frames.at(i);
    text += std::string(answers.functions.at(frame.function).linkage_name) +
            ':' + std::to_string(frame.line) + ' ';
  }
  return text;
}

TEST(AnswerBuilderTest, AddsFramesFromTheInnermostOutwards) {
  AnswerBuilder builder(3);
  const uint32_t f =
      builder.AddFunction({.linkage_name = "f", .scoped_name = {}});
  const uint32_t g =
      builder.AddFunction({.linkage_name = "g", .scoped_name = {}});
  builder.AddFrame(2, {.function = f, .line = 1});
  builder.AddFrame(2, {.function = g, .line = 2});
  builder.AddFrame(0, {.function = g, .line = 3});
  EXPECT_TRUE(builder.IsAnswered(0));
  EXPECT_FALSE(builder.IsAnswered(1));
  const ResolvedAddresses answers = builder.Take();
  EXPECT_EQ(FramesAt(answers, 0), "g:3 ");
  EXPECT_EQ(FramesAt(answers, 1), "");
  EXPECT_EQ(FramesAt(answers, 2), "f:1 g:2 ");
}

TEST(AnswerBuilderTest, RenumbersTheFunctionsOfFrames) {
  AnswerBuilder builder(2);
  builder.AddFrame(0, {.function = 1, .line = 1});
  builder.AddFrame(1, {.function = 0, .line = 2});
  const uint32_t f =
      builder.AddFunction({.linkage_name = "f", .scoped_name = {}});
  const uint32_t g =
      builder.AddFunction({.linkage_name = "g", .scoped_name = {}});
  builder.RenumberFunctions({g, f});
  const ResolvedAddresses answers = builder.Take();
  EXPECT_EQ(FramesAt(answers, 0), "f:1 ");
  EXPECT_EQ(FramesAt(answers, 1), "g:2 ");
}

TEST(AnswerCopierTest, RenumbersFunctionsAndFiles) {
  AnswerBuilder source(1);
  source.AddFile("unused.cc");
  const uint32_t from_file = source.AddFile("f.cc");
  source.AddFunction({.linkage_name = "unused", .scoped_name = {}});
  const uint32_t f = source.AddFunction({.linkage_name = "f",
                                         .scoped_name = {},
                                         .file = from_file,
                                         .start_line = 7});
  source.AddFrame(0, {.function = f, .file = from_file, .line = 8});
  const ResolvedAddresses from = source.Take();

  AnswerBuilder target(2);
  const uint32_t to_file = target.AddFile("f.cc");
  target.AddFunction({.linkage_name = "g", .scoped_name = {}});
  AnswerCopier copier(from, target);
  copier.Copy(0, 1);
  const ResolvedAddresses answers = target.Take();
  EXPECT_EQ(FramesAt(answers, 0), "");
  EXPECT_EQ(FramesAt(answers, 1), "f:8 ");
  EXPECT_EQ(answers.frames[0].file, to_file);
  EXPECT_THAT(answers.files, ElementsAre("", "f.cc"));
  ASSERT_EQ(answers.functions.size(), 2u);
  EXPECT_EQ(answers.functions[1].file, to_file);
  EXPECT_EQ(answers.functions[1].start_line, 7u);
}

TEST(FunctionOfSymbolTest, CutsCloneSuffixes) {
  const SourceFunction function =
      FunctionOfSymbol({.address = 16, .size = 4, .name = "_Z1fv.constprop.0"});
  EXPECT_EQ(function.linkage_name, "_Z1fv");
  EXPECT_EQ(function.start_address, 16u);
}

}  // namespace
}  // namespace heapprof
