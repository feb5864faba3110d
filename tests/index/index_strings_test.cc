// SPDX-License-Identifier: Apache-2.0
#include "index/index_strings.h"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace heapprof {
namespace {

constexpr uint64_t kBudget = 1 << 20;

IndexStrings StringsIn(std::string_view index, uint64_t budget = kBudget) {
  return IndexStrings(SectionIn(index, IndexSection::kStringBlocks),
                      SectionIn(index, IndexSection::kStrings), budget);
}

// Strings are sorted; file 0 is the empty string.
TEST(IndexStringsTest, ReadsEveryStringInAnyOrder) {
  CodeMap map;
  std::vector<std::string> names;
  std::vector<std::string> demangled;
  for (int i = 100; i < 140; ++i) {
    names.push_back(fmt::format("_ZN5space4f{}Ev", i));
    demangled.push_back(i % 3 == 0 ? "" : fmt::format("space::f{}()", i));
  }
  map.names = {names.begin(), names.end()};
  map.demangled_names = {demangled.begin(), demangled.end()};
  const auto index = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(index);
  IndexStrings strings = StringsIn(*index);
  TextStore texts;
  for (size_t i = names.size(); i-- > 0;) {
    const auto number = static_cast<uint32_t>(i + 1);
    strings.Prefetch(number);
    const auto string = strings.Get(number, texts);
    ASSERT_TRUE(string);
    EXPECT_EQ(string->text, names[i]);
    EXPECT_EQ(string->demangled, demangled[i]);
  }
  EXPECT_EQ(strings.Get(0, texts).value().text, "");
}

TEST(IndexStringsTest, HasNoOtherStrings) {
  const std::string index = SmallIndex();
  IndexStrings strings = StringsIn(index);
  TextStore texts;
  EXPECT_FALSE(strings.Get(1000, texts));
  EXPECT_FALSE(strings.Get(UINT32_MAX, texts));
}

// "aa", then a string that shares 3 bytes with it.
TEST(IndexStringsTest, RefusesAPrefixLongerThanTheStringBefore) {
  const std::string blocks(4, '\0');
  const std::string bytes("\0\4aa\3\2b", 7);
  IndexStrings strings(BytesOf(blocks), BytesOf(bytes), kBudget);
  TextStore texts;
  EXPECT_EQ(strings.Get(0, texts).value().text, "aa");
  EXPECT_FALSE(strings.Get(1, texts));
}

// Each shares its 20 000 bytes with the one before.
TEST(IndexStringsTest, LimitsTheBytesOfLongStrings) {
  const std::string blocks(4, '\0');
  std::string bytes("\0\xc0\xb8\x02", 4);
  bytes.append(20'000, 'x');
  for (int i = 0; i < 7; ++i) bytes.append("\xa0\x9c\x01\0", 4);
  TextStore texts;
  IndexStrings enough(BytesOf(blocks), BytesOf(bytes), 200'000);
  IndexStrings too_few(BytesOf(blocks), BytesOf(bytes), 20'000);
  size_t refused = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(enough.Get(i, texts).value().text.size(), 20'000u);
    refused += !too_few.Get(i, texts);
  }
  EXPECT_GT(refused, 3u);
}

}  // namespace
}  // namespace heapprof
