// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/perf_map.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile_builder.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

struct Parsed {
  Diagnostics diagnostics;
  Result<PerfMap> map;

  explicit Parsed(std::string_view text)
      : map(PerfMap::Parse(text, "p.map", diagnostics)) {}
  std::string At(uint64_t address) const {
    return std::string(map->Find(address).value_or("-"));
  }
};

TEST(PerfMapTest, NamesTheAddressesOfALine) {
  const Parsed parsed("7f00 10 f(int, int)\n0x7f20 0x8 a  b\r\n");
  ASSERT_TRUE(parsed.map) << parsed.map.error().message;
  EXPECT_EQ(parsed.At(0x7eff), "-");
  EXPECT_EQ(parsed.At(0x7f00), "f(int, int)");
  EXPECT_EQ(parsed.At(0x7f0f), "f(int, int)");
  EXPECT_EQ(parsed.At(0x7f10), "-");
  EXPECT_EQ(parsed.At(0x7f27), "a  b");
}

// The names at 0, 4, 8, 12, 16 and 20.
std::string Sampled(std::string_view text) {
  const Parsed parsed(text);
  std::string names;
  for (uint64_t address = 0; address <= 20; address += 4)
    names += parsed.At(address);
  return names;
}

TEST(PerfMapTest, PrefersTheLastLine) {
  EXPECT_EQ(Sampled("0 18 a\n8 8 b\n"), "aabbaa");
  EXPECT_EQ(Sampled("8 8 b\n0 18 a\n"), "aaaaaa");
  EXPECT_EQ(Sampled("0 c a\n8 8 b\n"), "aabb--");
  EXPECT_EQ(Sampled("8 8 b\n0 c a\n"), "aaab--");
  EXPECT_EQ(Sampled("0 4 a\n4 4 b\n8 4 c\n2 8 d\n"), "add---");
  EXPECT_EQ(Sampled("0 8 a\n4 0 b\n"), "aa----");
}

TEST(PerfMapTest, CountsMalformedLines) {
  const Parsed parsed(
      "10 8 a\nx 8 b\n10 8\n20 y c\nffffffffffffffff 2 d\n30 8 cut o");
  ASSERT_TRUE(parsed.map);
  EXPECT_EQ(parsed.At(0x10), "a");
  EXPECT_EQ(parsed.At(0x30), "-");
  ASSERT_EQ(parsed.diagnostics.warnings().size(), 1u);
  EXPECT_EQ(parsed.diagnostics.warnings()[0].count, 4u);
  EXPECT_EQ(parsed.diagnostics.warnings()[0].messages[0],
            "p.map: line 2: expected '<start> <size> <name>' in hexadecimal, "
            "found 'x 8 b'");
}

TEST(PerfMapTest, RejectsAFileWithoutAValidLine) {
  for (const char* text : {"", "heap_v2/1\n", "10 8 cut off"}) {
    const Parsed parsed(text);
    ASSERT_FALSE(parsed.map);
    EXPECT_EQ(parsed.map.error().message,
              "p.map: expected a perf map, with lines of '<start> <size> "
              "<name>' in hexadecimal, found none");
  }
}

TEST(NameGeneratedCodeTest, NamesCallsOutsideFiles) {
  ProfileBuilder builder;
  const MappingId file = builder.AddMapping({.is_file = true});
  const MappingId region = builder.AddMapping({});
  std::vector<LocationId> frames;
  for (const auto& [address, mapping] :
       {std::pair{0x18u, region}, {0x18u, file}, {0x10u, region}, {0x14u, {}}})
    frames.push_back(builder.AddLocation(
        {.address = address, .module_address = address, .mapping = mapping}));
  Sample sample = {.stack = builder.AddStack(frames)};
  sample.values[Metric::kInuseSpace].value = 1;
  builder.AddSample(sample);
  Profile profile = std::move(builder).Finish();
  const Parsed parsed("10 8 f\n");
  EXPECT_EQ(NameGeneratedCode(profile, *parsed.map), 2u);
  // The call before 0x10 is outside; the one before 0x18 is the last inside.
  EXPECT_THAT(StacksOf(profile), ElementsAre("f;;;f 1"));
  EXPECT_EQ(profile.locations[1].module_address, 0u);
  EXPECT_EQ(CheckValid(profile), "");
}

}  // namespace
}  // namespace heapprof
