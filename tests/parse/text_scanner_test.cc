// SPDX-License-Identifier: Apache-2.0
#include "parse/text_scanner.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

struct NumberCase {
  std::string_view text;
  std::optional<uint64_t> value;
  std::string_view rest;  // the text after the number, if there is one
};

TEST(TextScannerTest, HexReadsOneToSixteenDigitsOfEitherCase) {
  const NumberCase kCases[] = {
      {"0", 0, ""},
      {"f", 15, ""},
      {"7F", 0x7f, ""},
      {"0123456", 0x123456, ""},
      {"89abcdef", 0x89abcdef, ""},
      {"89ABCDEF0", 0x89abcdef0, ""},
      {"7f893bca2630", 0x7f893bca2630, ""},
      {"fedcba987654321", 0xfedcba987654321, ""},
      {"ffffffffffffffff", 0xffffffffffffffff, ""},
      {"00000000000000000000000000401000", 0x401000, ""},
      {"401000 r-xp", 0x401000, " r-xp"},
      {"7f893bca2630 0x5629c550800c", 0x7f893bca2630, " 0x5629c550800c"},
      {"12345678-9abc", 0x12345678, "-9abc"},
      {"12:34", 0x12, ":34"},
  };
  for (const NumberCase& c : kCases) {
    TextScanner in(c.text);
    EXPECT_EQ(in.Hex(), c.value) << c.text;
    EXPECT_EQ(in.Rest(), c.rest) << c.text;
  }
}

TEST(TextScannerTest, HexRejectsOtherTextAndLargeNumbers) {
  for (std::string_view text :
       {"", " 1", "g", "x10", "-1", "10000000000000000", "11111111111111111111",
        "0ffffffffffffffff0", "fffffffff00000000"}) {
    TextScanner in(text);
    EXPECT_EQ(in.Hex(), std::nullopt) << text;
  }
}

// Every byte at each of the eight positions that are examined together.
TEST(TextScannerTest, HexStopsAtEveryByteThatIsNotADigit) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  for (size_t place = 0; place < 12; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(24, '1');
      text[place] = static_cast<char>(byte);
      if (kDigits.contains(static_cast<char>(byte))) continue;
      TextScanner in(text);
      const std::optional<uint64_t> value = in.Hex();
      EXPECT_EQ(value.has_value(), place > 0) << place << ' ' << byte;
      EXPECT_EQ(in.Rest().size(), text.size() - place) << place << ' ' << byte;
    }
  }
}

TEST(TextScannerTest, HexNeverReadsPastTheEnd) {
  const std::string text = "123456789abcdef0";
  for (size_t length = 1; length <= text.size(); ++length) {
    // The next bytes in memory are digits, too.
    TextScanner in(std::string_view(text).substr(0, length));
    EXPECT_EQ(in.Hex(), std::stoull(text.substr(0, length), nullptr, 16));
    EXPECT_TRUE(in.AtEnd());
  }
}

TEST(TextScannerTest, DecimalReadsUpToTheLargest64BitNumber) {
  const NumberCase kCases[] = {
      {"0", 0, ""},
      {"0007:", 7, ":"},
      {"18446744073709551615 x", 18446744073709551615u, " x"},
      {"18446744073709551616", std::nullopt, ""},
      {"20000000000000000000", std::nullopt, ""},
      {"184467440737095516150", std::nullopt, ""},
      {"", std::nullopt, ""},
      {"-1", std::nullopt, ""},
      {"+1", std::nullopt, ""},
      {" 1", std::nullopt, ""},
  };
  for (const NumberCase& c : kCases) {
    TextScanner in(c.text);
    EXPECT_EQ(in.Decimal(), c.value) << c.text;
    if (c.value) {
      EXPECT_EQ(in.Rest(), c.rest) << c.text;
    }
  }
}

TEST(TextScannerTest, EatTakesOnlyMatchingText) {
  TextScanner in("@ 0x1");
  EXPECT_FALSE(in.Eat('x'));
  EXPECT_TRUE(in.Eat('@'));
  EXPECT_FALSE(in.Eat("0x"));
  in.SkipBlanks();
  EXPECT_TRUE(in.Eat("0x"));
  EXPECT_FALSE(in.Eat("12"));
  EXPECT_EQ(in.Peek(), '1');
  EXPECT_EQ(in.Word(), "1");
  EXPECT_TRUE(in.AtEnd());
  EXPECT_EQ(in.Peek(), '\0');
  EXPECT_EQ(in.Word(), "");
}

TEST(TextScannerTest, WordEndsAtBlankOrTab) {
  TextScanner in("r-xp\t00001000 fe:00");
  EXPECT_EQ(in.Word(), "r-xp");
  in.SkipBlanks();
  EXPECT_EQ(in.Word(), "00001000");
  EXPECT_EQ(in.Rest(), " fe:00");
}

TEST(TextScannerTest, TokenIsTheCharactersUpToABlankAsNumbers) {
  struct Case {
    std::string_view text;
    std::string_view taken;
    uint64_t low;
    uint64_t high;
    size_t size;
  };
  const Case kCases[] = {
      {"", "", 0, 0, 0},
      {" 0x1", "", 0, 0, 0},
      {"0x1", "0x1", 0x317830, 0, 3},
      {"0x1 0x234567", "0x1", 0x317830, 0, 3},
      {"0x1\t0x234567", "0x1", 0x317830, 0, 3},
      {"0x1\x1f", "0x1", 0x317830, 0, 3},
      {"abcdefgh", "abcdefgh", 0x6867666564636261, 0, 8},
      {"abcdefgh ijklmnop", "abcdefgh", 0x6867666564636261, 0, 8},
      {"abcdefghi", "abcdefghi", 0x6867666564636261, 0x69, 9},
      {"abcdefghi jklmnop", "abcdefghi", 0x6867666564636261, 0x69, 9},
      {"ab\xe4!defg hijklmn", "ab\xe4!defg", 0x6766656421e46261, 0, 8},
      {"abcdefghijklmnopq r", "abcdefghijklmnopq", 0x6867666564636261,
       0x706f6e6d6c6b6a69, TextScanner::kTooLong},
  };
  for (const Case& c : kCases) {
    TextScanner in(c.text);
    const TextScanner::Token token = in.PeekToken();
    EXPECT_EQ(token.low, c.low) << c.text;
    EXPECT_EQ(token.high, c.high) << c.text;
    EXPECT_EQ(token.size, c.size) << c.text;
    EXPECT_EQ(in.TakeToken(token), c.taken) << c.text;
    EXPECT_EQ(in.Rest(), c.text.substr(c.taken.size())) << c.text;
  }
}

}  // namespace
}  // namespace heapprof
