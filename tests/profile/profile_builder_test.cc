// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile_builder.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/check_valid.h"

namespace heapprof {
namespace {

TEST(ProfileBuilderTest, GivesEqualAddressesOneLocation) {
  ProfileBuilder builder;
  const LocationId zero = builder.InternAddress(0, true);
  const LocationId first = builder.InternAddress(0x401000, true);
  EXPECT_FALSE(zero.IsNone());
  EXPECT_NE(zero, first);
  EXPECT_EQ(builder.InternAddress(0x401000, true), first);
  EXPECT_EQ(builder.InternAddress(0, true), zero);
  const Location& location = builder.profile().locations[first.index()];
  EXPECT_EQ(location.address, 0x401000u);
  EXPECT_EQ(location.module_address, 0x401000u);
  EXPECT_TRUE(location.is_return_address);
}

// Many more addresses than the first table has slots, including adjacent ones.
TEST(ProfileBuilderTest, KeepsAddressesApartAsItsTableGrows) {
  ProfileBuilder builder;
  std::mt19937_64 random(3);
  std::unordered_map<uint64_t, LocationId> expected;
  for (int i = 0; i < 50000; ++i) {
    const uint64_t address =
        i % 2 == 0 ? 0x7f0000000000 + static_cast<uint64_t>(i) : random();
    const auto [it, added] = expected.try_emplace(address);
    const LocationId id = builder.InternAddress(address, false);
    if (added) it->second = id;
    EXPECT_EQ(id, it->second);
  }
  for (const auto& [address, id] : expected)
    ASSERT_EQ(builder.InternAddress(address, false), id);
  EXPECT_EQ(builder.profile().locations.size(), expected.size() + 1);
}

TEST(ProfileBuilderTest, GivesEqualStacksOneRow) {
  ProfileBuilder builder;
  const LocationId a = builder.InternAddress(1, true);
  const LocationId b = builder.InternAddress(2, true);
  const auto intern = [&](std::vector<LocationId> frames) {
    builder.AppendFrames(frames);
    return builder.InternStack();
  };
  const StackId first = intern({a, b});
  const StackId empty = intern({});
  EXPECT_NE(intern({b, a}), first);
  EXPECT_NE(intern({a}), first);
  EXPECT_EQ(intern({a, b}), first);
  EXPECT_EQ(intern({}), empty);
  const Profile profile = std::move(builder).Finish();
  EXPECT_EQ(profile.stacks.size(), 5u);
  EXPECT_EQ(profile.frames.size(), 5u);
  EXPECT_EQ(CheckValid(profile), "");
}

TEST(ProfileBuilderTest, DropsDiscardedFrames) {
  ProfileBuilder builder;
  const auto append = [&](uint64_t address) {
    const LocationId location = builder.InternAddress(address, true);
    builder.AppendFrames({&location, 1});
  };
  append(1);
  append(2);
  const StackId first = builder.CloseStack();
  append(3);
  append(4);
  builder.DiscardStack();
  const StackId empty = builder.CloseStack();
  append(6);
  const StackId last = builder.CloseStack();
  const Profile profile = std::move(builder).Finish();
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_EQ(profile.StackFrames(first).size(), 2u);
  EXPECT_EQ(profile.StackFrames(empty).size(), 0u);
  ASSERT_EQ(profile.StackFrames(last).size(), 1u);
  EXPECT_EQ(profile.locations[profile.StackFrames(last)[0].index()].address,
            6u);
}

TEST(ProfileBuilderTest, GivesEqualFunctionsOneRowWithTheLowestAddress) {
  ProfileBuilder builder;
  const StringId name = builder.InternString("f");
  const StringId file = builder.InternString("f.cc");
  const auto add = [&](StringId filename, uint32_t line, uint64_t address) {
    return builder.InternFunction({.name = name,
                                   .filename = filename,
                                   .start_line = line,
                                   .start_address = address});
  };
  const FunctionId f = add(file, 10, 0);
  EXPECT_EQ(add(file, 10, 0x2000), f);
  EXPECT_EQ(add(file, 10, 0x1000), f);
  EXPECT_EQ(add(file, 10, 0x3000), f);
  EXPECT_EQ(add(file, 10, 0), f);
  EXPECT_EQ(builder.profile().functions[f.index()].start_address, 0x1000u);
  EXPECT_NE(add(file, 11, 0), f);
  EXPECT_NE(add({}, 10, 0), f);
  EXPECT_EQ(builder.profile().functions.size(), 4u);
}

TEST(ProfileBuilderTest, TakesASymbolThatIsTheNameForNone) {
  ProfileBuilder builder;
  const StringId name = builder.InternString("main");
  const FunctionId f = builder.InternFunction({.name = name});
  const Function with_symbol = {.name = name, .system_name = name};
  EXPECT_EQ(builder.InternFunction(with_symbol), f);
  EXPECT_EQ(builder.InternFunction({.name = name}), f);
  EXPECT_EQ(builder.profile().functions[f.index()].system_name, name);
  const Function mangled = {.name = name,
                            .system_name = builder.InternString("_Z4mainv")};
  EXPECT_NE(builder.InternFunction(mangled), f);
}

TEST(ProfileBuilderTest, GivesThreadsOneRowPerUidAndName) {
  ProfileBuilder builder;
  const ThreadId a = builder.InternThread(1, "a");
  const ThreadId b = builder.InternThread(1, "b");
  const ThreadId c = builder.InternThread(2, "a");
  // A uid whose key collides with that of (1, "a").
  const ThreadId d = builder.InternThread(uint64_t{1} << 40 | 1, "");
  EXPECT_EQ(builder.InternThread(1, "a"), a);
  EXPECT_EQ(builder.InternThread(1, "b"), b);
  EXPECT_EQ(builder.InternThread(2, "a"), c);
  EXPECT_EQ(builder.InternThread(uint64_t{1} << 40 | 1, ""), d);
  EXPECT_EQ(builder.profile().threads.size(), 5u);
}

TEST(ProfileBuilderTest, ContinuesAProfile) {
  ProfileBuilder first;
  const FunctionId f = first.InternFunction({.name = first.InternString("f")});
  const StackId old = first.AddStack({{first.InternAddress(1, true)}});
  ProfileBuilder second(std::move(first).Finish());
  EXPECT_EQ(second.InternFunction({.name = second.InternString("f")}), f);
  second.DiscardStack();  // no stack is open: old frames stay
  const StackId added = second.AddStack({{second.InternAddress(2, true)}});
  const Profile profile = std::move(second).Finish();
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_EQ(profile.locations[profile.StackFrames(old)[0].index()].address, 1u);
  EXPECT_EQ(profile.locations[profile.StackFrames(added)[0].index()].address,
            2u);
}

TEST(ProfileBuilderTest, AppendsRowsAsIfTheyWereAddedOneByOne) {
  const auto add = [](ProfileBuilder& builder, std::vector<uint64_t> addresses,
                      std::string_view thread) {
    for (const uint64_t address : addresses)
      builder.AppendFrames({{builder.InternAddress(address, true)}});
    const StackId stack = builder.CloseStack();
    builder.AddSample({.stack = stack});
    builder.AddThreadSample(
        {.stack = stack, .thread = builder.InternThread(1, thread)});
  };
  ProfileBuilder builder, next;
  add(builder, {1, 2}, "a");
  add(next, {3, 2}, "b");
  add(next, {}, "a");
  builder.Append(next.profile());
  add(builder, {4}, "b");
  const Profile profile = std::move(builder).Finish();
  EXPECT_EQ(CheckValid(profile), "");
  std::vector<std::vector<uint64_t>> stacks;
  for (const Sample& sample : profile.samples) {
    stacks.emplace_back();
    for (const LocationId frame : profile.StackFrames(sample.stack))
      stacks.back().push_back(profile.locations[frame.index()].address);
  }
  EXPECT_EQ(stacks,
            (std::vector<std::vector<uint64_t>>{{1, 2}, {3, 2}, {}, {4}}));
  std::string threads;
  for (const Sample& sample : profile.thread_samples)
    threads += profile.String(profile.threads[sample.thread.index()].name);
  EXPECT_EQ(threads, "abab");
  EXPECT_EQ(profile.threads.size(), 3u);
}

}  // namespace
}  // namespace heapprof
