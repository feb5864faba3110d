// SPDX-License-Identifier: Apache-2.0
#include "symbolize/open_indexes.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"
#include "symbolize/fixtures.h"
#include "symbolize/module_lookup.h"

namespace heapprof {
namespace {

using ::testing::IsEmpty;

class OpenIndexesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Module::Open(Fixture("plain/app"), {});
    ASSERT_TRUE(opened);
    module_ = *std::move(opened);
  }

  // Looks up the first call. Returns the number of its frames.
  size_t LookUp(OpenIndexes& indexes) {
    ModuleLookup lookup = {.module = module_.get(),
                           .addresses = {CallsOf("plain/app")[0].address - 1}};
    LookUpModule(lookup, &indexes, 1);
    EXPECT_THAT(lookup.problems, IsEmpty());
    is_missing_ = lookup.missing_index.has_value();
    if (is_missing_) indexes.AddMissing(*std::move(lookup.missing_index));
    return lookup.answers.frames.size();
  }

  std::unique_ptr<Module> module_;
  bool is_missing_ = false;
};

TEST_F(OpenIndexesTest, UseNoneWithoutCache) {
  OpenIndexes indexes(nullptr, 1);
  EXPECT_GT(LookUp(indexes), 0u);
  EXPECT_FALSE(is_missing_);
  EXPECT_FALSE(indexes.HasWork());
}

TEST_F(OpenIndexesTest, ArePutIntoTheCacheAtTheEnd) {
  const TemporaryFolder folder;
  const IndexCache cache(folder.Path("cache"));
  OpenIndexes indexes(&cache, 1);
  LookUp(indexes);
  EXPECT_TRUE(is_missing_);
  EXPECT_NE(indexes.FindEngine(*module_), nullptr);
  EXPECT_EQ(cache.List()->size(), 0u);
  Diagnostics diagnostics;
  ASSERT_TRUE(indexes.HasWork());
  indexes.Build(diagnostics);
  EXPECT_EQ(cache.List()->size(), 1u);
  EXPECT_EQ(diagnostics.notes().size(), 1u);
  EXPECT_FALSE(indexes.HasWork());
}

// The second lookup uses an index that was built meanwhile, also if no cache
// takes it.
TEST_F(OpenIndexesTest, AreBuiltForLaterProfiles) {
  const TemporaryFolder folder;
  const IndexCache usable(folder.Path("cache"));
  const IndexCache unusable("/dev/null/cache");
  for (const IndexCache* cache : {&usable, &unusable}) {
    OpenIndexes indexes(cache, 1);
    indexes.ExpectMoreProfiles();
    const size_t frames = LookUp(indexes);
    EXPECT_TRUE(is_missing_);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(LookUp(indexes), frames);
      EXPECT_FALSE(is_missing_);
      EXPECT_NE(indexes.Find(*module_).index, nullptr);
      EXPECT_EQ(indexes.FindEngine(*module_), nullptr);
    }
  }
  EXPECT_EQ(usable.List()->size(), 1u);
}

// Without its .dwo file, the debug information cannot be indexed. It is opened
// once. Each lookup says what it would say if it were the only one.
TEST(OpenIndexesEngineTest, IsKeptIfThereCanBeNoIndex) {
  auto module = Module::Open(Fixture("no-dwo/app"), {});
  ASSERT_TRUE(module);
  const std::vector<CallSite> calls = CallsOf("no-dwo/app");
  const auto look_up = [&](OpenIndexes& indexes, uint64_t address) {
    ModuleLookup lookup = {.module = module->get(), .addresses = {address}};
    LookUpModule(lookup, &indexes, 1);
    if (lookup.missing_index)
      indexes.AddMissing(*std::move(lookup.missing_index));
    return lookup;
  };
  OpenIndexes indexes(nullptr, 1);
  indexes.ExpectMoreProfiles();
  look_up(indexes, calls[0].address - 1);
  const AddressResolver* engine = indexes.FindEngine(**module);
  ASSERT_NE(engine, nullptr);
  // The address 1 needs no .dwo file.
  for (const uint64_t address :
       {uint64_t{1}, calls[1].address - 1, calls[2].address - 1, uint64_t{1}}) {
    OpenIndexes fresh(nullptr, 1);
    const ModuleLookup expected = look_up(fresh, address);
    const ModuleLookup lookup = look_up(indexes, address);
    EXPECT_EQ(indexes.FindEngine(**module), engine);
    EXPECT_EQ(lookup.problems, expected.problems);
    EXPECT_EQ(lookup.problems.empty(), address == 1);
    EXPECT_EQ(lookup.split_files.tried.size(),
              expected.split_files.tried.size());
    ASSERT_EQ(lookup.answers.frames.size(), expected.answers.frames.size());
    EXPECT_EQ(lookup.answers.frames.empty(), address == 1);
    ASSERT_EQ(lookup.answers.functions.size(),
              expected.answers.functions.size());
    for (size_t i = 0; i < lookup.answers.functions.size(); ++i)
      EXPECT_EQ(lookup.answers.functions[i].linkage_name,
                expected.answers.functions[i].linkage_name);
  }
}

}  // namespace
}  // namespace heapprof
