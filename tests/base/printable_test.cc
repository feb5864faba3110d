// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/printable.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Returns the UTF-8 form of a code point below U+10000.
std::string Utf8(unsigned point) {
  const auto tail = [point](unsigned shift) {
    return static_cast<char>(0x80 | (point >> shift & 0x3f));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), tail(0)};
  return {static_cast<char>(0xe0 | point >> 12), tail(6), tail(0)};
}

// The code points of Unicode's categories Cc, Zl and Zp, and of its property
// Bidi_Control.
bool IsControl(unsigned point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
         point == 0x200e || point == 0x200f ||
         (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

TEST(PrintableTest, ReplacesControlCharactersOnly) {
  for (unsigned point = 0; point < 0x10000; ++point) {
    const std::string text = Utf8(point);
    EXPECT_EQ(Printable("a" + text + "b"),
              "a" + (IsControl(point) ? "?" : text) + "b")
        << std::hex << point;
  }
}

// As the runners of GitHub and Azure find them: anywhere in a line.
TEST(PrintableTest, DisarmsCommandsToCiServices) {
  EXPECT_EQ(Printable("f##[error]x"), "f#?[error]x");
  EXPECT_EQ(Printable("###[a]##vso[task.x]"), "##?[a]#?vso[task.x]");
  EXPECT_EQ(Printable("{closure#0} ## [a] #[b] ##"),
            "{closure#0} ## [a] #[b] ##");
}

TEST(PrintableTest, KeepsBytesThatAreNotUtf8) {
  for (const std::string_view text : {"\xff", "a\xe2\x80", "\xe2", "\xc2", ""})
    EXPECT_EQ(Printable(text), text);
}

}  // namespace
}  // namespace heapprof
