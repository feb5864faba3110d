// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/line_cursor.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using namespace std::string_view_literals;
using Lines = std::vector<std::string>;

Lines AllLines(std::string_view text) {
  Lines lines;
  LineCursor cursor(text);
  while (const auto line = cursor.Next()) lines.emplace_back(*line);
  return lines;
}

TEST(LineCursorTest, SplitsAtEveryKindOfLineEnd) {
  struct Case {
    std::string_view text;
    Lines lines;
  };
  const Case kCases[] = {
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\nb", {"a", "b"}},
      {"a\n\nb\n", {"a", "", "b"}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"\r\n\r\n", {"", ""}},
      {"a\rb\n", {"a\rb"}},
      {"a\r\r\n", {"a\r"}},
      {"a\0b\nc\0"sv, {std::string("a\0b", 3), std::string("c\0", 2)}},
  };
  for (const Case& c : kCases) EXPECT_EQ(AllLines(c.text), c.lines) << c.text;
}

TEST(LineCursorTest, TellsWhetherALineWasTerminated) {
  LineCursor cursor("one\ntwo\r\nthree");
  ASSERT_TRUE(cursor.Next());
  EXPECT_TRUE(cursor.terminated());
  ASSERT_TRUE(cursor.Next());
  EXPECT_TRUE(cursor.terminated());
  EXPECT_EQ(cursor.Next(), "three");
  EXPECT_FALSE(cursor.terminated());
  EXPECT_FALSE(cursor.Next());
}

TEST(LineCursorTest, KnowsNumberOffsetAndRest) {
  LineCursor cursor("ab\r\n\ncd\nef");
  EXPECT_EQ(cursor.line_number(), 0u);
  EXPECT_EQ(cursor.rest(), "ab\r\n\ncd\nef");
  cursor.Next();
  EXPECT_EQ(cursor.line_number(), 1u);
  EXPECT_EQ(cursor.line_offset(), 0u);
  EXPECT_EQ(cursor.rest(), "\ncd\nef");
  cursor.Next();
  cursor.Next();
  EXPECT_EQ(cursor.line_number(), 3u);
  EXPECT_EQ(cursor.line_offset(), 5u);
  EXPECT_EQ(cursor.rest(), "ef");
  cursor.Next();
  EXPECT_EQ(cursor.line_offset(), 8u);
  EXPECT_EQ(cursor.rest(), "");
}

}  // namespace
}  // namespace heapprof
