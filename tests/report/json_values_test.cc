// SPDX-License-Identifier: Apache-2.0
#include "report/json_values.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "heapprof/view/units.h"
#include "report/json_parts.h"

namespace heapprof {
namespace {

TEST(JsonValuesTest, QuoteAsTheLibraryDoes) {
  for (const std::string text :
       {"", "main", "\"a\\b\"/\b\f\n\r\t\x01\x1f\x7f", "na\xc3\xafve",
        "\xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf", "##[error]###", "<script>"})
    EXPECT_EQ(QuotedJson(text), Serialized(text));
  EXPECT_EQ(QuotedJson("\xf0\x9f\x98\x80"), R"("\ud83d\ude00")");
}

TEST(JsonValuesTest, ReplaceInvalidBytesAsTheLibraryDoes) {
  std::mt19937 random(11);
  constexpr std::string_view kBytes =
      "a\"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1"
      "\xf4\xf5\xff";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned k = random() % 8; k > 0; --k)
      text += kBytes[random() % kBytes.size()];
    ASSERT_EQ(QuotedJson(text), Serialized(text)) << i;
  }
}

}  // namespace
}  // namespace heapprof
