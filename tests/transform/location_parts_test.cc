// SPDX-License-Identifier: Apache-2.0
#include "transform/location_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// The frame "outer|middle|inner" is location 1, with lines 0 to 2.
class LocationPartsTest : public testing::Test {
 protected:
  std::vector<std::string> NamesOf(LocationId id) {
    const Profile& profile = builder_.profile();
    std::vector<std::string> names;
    for (const Line& line :
         profile.LocationLines(profile.locations[id.index()]))
      names.emplace_back(
          profile.String(profile.functions[line.function.index()].name));
    return names;
  }

  ProfileBuilder builder_{ProfileOf("app!outer|middle|inner 1\n")};
  LocationParts parts_{builder_};
};

TEST_F(LocationPartsTest, ReturnsTheLocationIfThePartIsAllOfIt) {
  EXPECT_EQ(parts_.LocationOf({{1}, {0, 3}}), LocationId{1});
}

TEST_F(LocationPartsTest, AddsOneLocationForEqualParts) {
  const LocationId outer = parts_.LocationOf({{1}, {1, 2}});
  EXPECT_NE(outer, LocationId{1});
  EXPECT_THAT(NamesOf(outer), ElementsAre("middle", "outer"));
  EXPECT_EQ(parts_.LocationOf({{1}, {1, 2}}), outer);
  EXPECT_NE(parts_.LocationOf({{1}, {0, 2}}), outer);
  const auto& locations = builder_.profile().locations;
  EXPECT_EQ(locations[outer.index()].address, locations[1].address);
  EXPECT_EQ(locations[outer.index()].mapping, locations[1].mapping);
}

TEST_F(LocationPartsTest, GivesSyntheticLocationsNoAddress) {
  const LocationId id = AddSyntheticLocation("[no stack]", builder_);
  EXPECT_THAT(NamesOf(id), ElementsAre("[no stack]"));
  const Location& location = builder_.profile().locations[id.index()];
  EXPECT_EQ(location.address, 0u);
  EXPECT_TRUE(location.mapping.IsNone());
}

}  // namespace
}  // namespace heapprof
