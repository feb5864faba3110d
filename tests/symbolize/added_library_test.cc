// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/added_library.h"

#include <string>

#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "support/check_valid.h"
#include "symbolize/fixtures.h"

namespace heapprof {
namespace {

TEST(MapAtLoadBaseTest, TakesAddressesThatItsCodeCovers) {
  const std::string path = Fixture("lld/app");
  const CallSite call = CallsOf("lld/app").front();
  constexpr uint64_t kBase = 0x555555554000;
  ProfileBuilder builder;
  const LocationId inside = builder.InternAddress(kBase + call.address, true);
  const LocationId outside = builder.InternAddress(call.address, true);
  Profile profile = std::move(builder).Finish();
  EXPECT_EQ(MapAtLoadBase(path, kBase + (1 << 30), profile), 0u);
  EXPECT_EQ(MapAtLoadBase(path, kBase, profile), 1u);
  EXPECT_EQ(CheckValid(profile), "");
  const Location& location = profile.locations[inside.index()];
  EXPECT_EQ(location.module_address, call.address);
  const Mapping& mapping = profile.mappings[location.mapping.index()];
  EXPECT_EQ(profile.String(mapping.filename), path);
  EXPECT_LE(mapping.start, kBase + call.address);
  EXPECT_GT(mapping.limit, kBase + call.address);
  EXPECT_EQ(profile.String(profile.main_binary), path);
  EXPECT_TRUE(profile.locations[outside.index()].mapping.IsNone());
}

TEST(MapAddedLibraryTest, TakesUnmappedAddressesInItsCode) {
  const std::string path = Fixture("plain/app");
  const CallSite call = CallsOf("plain/app").front();
  ProfileBuilder builder;
  const LocationId inside = builder.InternAddress(call.address, true);
  const LocationId outside = builder.InternAddress(1, true);
  const LocationId taken = builder.InternAddress(call.address + 1, true);
  const MappingId other =
      builder.AddMapping({.filename = builder.InternString("/lib/other.so")});
  Profile profile = std::move(builder).Finish();
  profile.locations[taken.index()].mapping = other;

  ASSERT_TRUE(MapAddedLibrary(path, profile));
  EXPECT_EQ(CheckValid(profile), "");
  const Location& location = profile.locations[inside.index()];
  EXPECT_EQ(location.module_address, call.address);
  const Mapping& mapping = profile.mappings[location.mapping.index()];
  EXPECT_EQ(profile.String(mapping.filename), path);
  EXPECT_EQ(mapping.address_space, AddressSpace::kFileAddress);
  EXPECT_TRUE(mapping.is_file);
  EXPECT_LE(mapping.start, call.address);
  EXPECT_GT(mapping.limit, call.address);
  EXPECT_TRUE(profile.locations[outside.index()].mapping.IsNone());
  EXPECT_EQ(profile.locations[taken.index()].mapping, other);
}

TEST(MapAddedLibraryTest, NeedsAFileWithCode) {
  Profile profile;
  const auto missing = MapAddedLibrary("/no/such/file", profile);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().message.starts_with("/no/such/file: "));
}

}  // namespace
}  // namespace heapprof
