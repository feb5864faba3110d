// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NormalizePathsTest, MakesOneFileOfTwoSpellings) {
  ResolvedAddresses answers;
  answers.files = {"", "./csu/../a.c", "b.c", "a.c"};
  answers.functions.push_back(
      {.linkage_name = "f", .scoped_name = "", .file = 3});
  answers.frames = {{.function = 0, .file = 1},
                    {.function = 0, .file = 2},
                    {.function = 0, .file = 3}};
  NormalizePaths(answers);
  EXPECT_EQ(answers.files[answers.functions[0].file], "a.c");
  EXPECT_EQ(answers.frames[0].file, answers.functions[0].file);
  EXPECT_EQ(answers.files[answers.frames[1].file], "b.c");
  EXPECT_EQ(answers.frames[2].file, answers.functions[0].file);
}

class LookUpModuleTest : public testing::Test {
 protected:
  // Looks up the first call of a fixture without a cache.
  static ModuleLookup LookUp(const Module& module, std::string_view binary) {
    ModuleLookup lookup = {.module = &module,
                           .addresses = {CallsOf(binary)[0].address - 1}};
    LookUpModule(lookup, nullptr, 1);
    return lookup;
  }
};

TEST_F(LookUpModuleTest, AnswersFromDebugInformation) {
  const auto module = Module::Open(Fixture("plain/app"), {});
  ASSERT_TRUE(module);
  const ModuleLookup lookup = LookUp(**module, "plain/app");
  ASSERT_EQ(lookup.answers.runs.size(), 1u);
  ASSERT_GT(lookup.answers.runs[0].count, 0u);
  EXPECT_GT(lookup.answers.frames[lookup.answers.runs[0].first].line, 0u);
  EXPECT_THAT(lookup.problems, IsEmpty());
  EXPECT_FALSE(lookup.missing_index);
}

TEST_F(LookUpModuleTest, FindsFunctionsOnlyForAddressesWithoutNames) {
  const auto plain = Module::Open(Fixture("plain/app"), {});
  ASSERT_TRUE(plain);
  const ModuleLookup named = LookUp(**plain, "plain/app");
  EXPECT_THAT(named.unnamed_starts, IsEmpty());
  const auto stripped = Module::Open(Fixture("stripped/app"), {});
  ASSERT_TRUE(stripped);
  const ModuleLookup unnamed = LookUp(**stripped, "plain/app");
  ASSERT_EQ(unnamed.answers.runs[0].count, 0u);
  const auto symbol = (*plain)->symbols().Find(unnamed.addresses[0]);
  ASSERT_TRUE(symbol);
  EXPECT_THAT(unnamed.unnamed_starts, ElementsAre(symbol->address));
}

TEST_F(LookUpModuleTest, ReadsNothingWithoutAddresses) {
  const auto module = Module::Open(Fixture("plain/app"), {});
  ASSERT_TRUE(module);
  ModuleLookup lookup = {.module = module->get()};
  LookUpModule(lookup, nullptr, 1);
  EXPECT_THAT(lookup.answers.functions, IsEmpty());
  EXPECT_FALSE(lookup.missing_index);
}

}  // namespace
}  // namespace heapprof
