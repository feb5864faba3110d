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

}  // namespace
}  // namespace heapprof
