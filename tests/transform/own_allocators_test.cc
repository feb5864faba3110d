// SPDX-License-Identifier: Apache-2.0
#include "transform/own_allocators.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"
#include "transform/known_functions.h"

namespace heapprof {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(SoundsLikeAllocatorTest, GoesByScopesAndTheName) {
  for (const char* name :
       {"app::Arena::Grow", "rocksdb::ConcurrentArena::AllocateImpl",
        "ceph::buffer::v15_2_0::raw_combined::create",
        "mempool::pool_allocator::allocate", "allocate_block", "zmalloc_usable",
        "app::create_aligned_block", "new_aligned", "SlabPool::get"})
    EXPECT_TRUE(SoundsLikeAllocator(name)) << name;
  for (const char* name : {"app::Session::Open", "pool", "app::MakeArena",
                           "app::Poolside::Add", "", "::"})
    EXPECT_FALSE(SoundsLikeAllocator(name)) << name;
}

// The functions that pass memory on, if all functions are own.
std::vector<std::string> Found(std::string_view stacks) {
  const Profile profile = ProfileOf(stacks);
  const std::vector<bool> found =
      FindOwnAllocators(profile, std::vector<bool>(profile.lines.size(), true));
  std::vector<std::string> names;
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i]) names.emplace_back(profile.String(profile.functions[i].name));
  return names;
}

TEST(FindOwnAllocatorsTest, FindsWhatSeveralFunctionsCall) {
  EXPECT_THAT(Found("main;load;Arena::Get;Arena::Grow 5\n"
                    "main;parse;Arena::Get;Arena::Grow 5\n"),
              UnorderedElementsAre("Arena::Get", "Arena::Grow"));
}

TEST(FindOwnAllocatorsTest, LeavesAPoolThatOneFunctionFills) {
  EXPECT_THAT(Found("main;init;PagePool::Fill 88\n"
                    "main;test;PagePool::Fill 12\n"),
              IsEmpty());
  EXPECT_THAT(Found("main;init;PagePool::Fill 87\n"
                    "main;test;PagePool::Fill 13\n"),
              UnorderedElementsAre("PagePool::Fill"));
  EXPECT_THAT(Found("main;init;PagePool::Fill 100\n"), IsEmpty());
  EXPECT_THAT(Found("PagePool::Fill 100\n"), IsEmpty());
}

TEST(FindOwnAllocatorsTest, TakesFunctionsOfOneNameForOne) {
  EXPECT_THAT(Found("main%m.cc:4:1;Buffer::Append 5\n"
                    "main%m.cc:5:2;Buffer::Append 5\n"),
              IsEmpty());
  // Either half of it alone serves one function.
  EXPECT_THAT(Found("load;Buffer::Append%b.cc:4:1 5\n"
                    "parse;Buffer::Append%b.cc:5:2 5\n"),
              UnorderedElementsAre("Buffer::Append", "Buffer::Append"));
}

TEST(FindOwnAllocatorsTest, FindsWhatSaysThatItAllocates) {
  EXPECT_THAT(Found("main;add;SymbolTable::allocate_symbol 5\n"),
              UnorderedElementsAre("SymbolTable::allocate_symbol"));
  EXPECT_THAT(Found("Table::AllocateRow 5\n"), IsEmpty());
}

TEST(FindOwnAllocatorsTest, LooksOnlyAtWhatAllocates) {
  EXPECT_THAT(Found("main;load;Arena::Get;decode 5\n"
                    "main;parse;Arena::Get;decode 5\n"),
              IsEmpty());
}

TEST(FindOwnAllocatorsTest, LooksOnlyAtOwnCode) {
  const Profile profile = ProfileOf(
      "main;load;Arena::Get 5\n"
      "main;parse;Arena::Get 5\n");
  const std::vector<bool> found = FindOwnAllocators(
      profile, std::vector<bool>(profile.lines.size(), false));
  EXPECT_EQ(std::ranges::count(found, true), 0);
}

}  // namespace
}  // namespace heapprof
