// SPDX-License-Identifier: Apache-2.0
#include "parse/wire_cursor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using namespace std::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "number=value" or "number:bytes" of each field, then the problem.
std::vector<std::string> FieldsOf(std::string_view message,
                                  uint64_t offset = 0) {
  std::vector<std::string> fields;
  WireCursor cursor(message, offset);
  while (const auto field = cursor.Next())
    fields.push_back(field->has_bytes
                         ? fmt::format("{}:{}", field->number, field->bytes)
                         : fmt::format("{}={}", field->number, field->value));
  if (!cursor.problem().empty()) fields.push_back(cursor.problem());
  return fields;
}

TEST(WireCursorTest, ReadsVarintsAndBytes) {
  EXPECT_THAT(FieldsOf("\x08\x96\x01\x12\x02hi"sv),
              ElementsAre("1=150", "2:hi"));
  EXPECT_THAT(FieldsOf("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv),
              ElementsAre("1=18446744073709551615"));
  EXPECT_THAT(FieldsOf(""), IsEmpty());
}

TEST(WireCursorTest, SkipsFieldsOfFixedSize) {
  EXPECT_THAT(FieldsOf("\x09"
                       "12345678"
                       "\x15"
                       "1234"
                       "\x18\x07"sv),
              ElementsAre("3=7"));
}

TEST(WireCursorTest, SaysWhereItStoppedAndWhy) {
  EXPECT_THAT(FieldsOf("\x08\x01\x08\x96"sv, 100),
              ElementsAre("1=1",
                          "byte 102: expected a number for field 1, found "
                          "none"));
  EXPECT_THAT(FieldsOf("\x12\x05hi"sv),
              ElementsAre("byte 0: expected 5 bytes of field 2, found 2"));
  EXPECT_THAT(FieldsOf("\x12\xff"sv),
              ElementsAre("byte 0: expected a length for field 2, found none"));
  EXPECT_THAT(FieldsOf("\x0b"sv),
              ElementsAre("byte 0: expected a field of wire type 0, 1, 2 or 5, "
                          "found field 1 of type 3"));
  EXPECT_THAT(FieldsOf("\0"sv),
              ElementsAre("byte 0: expected the tag of a field, found none"));
  EXPECT_THAT(FieldsOf("\x09"
                       "1234"sv),
              ElementsAre("byte 0: expected 8 bytes of field 1, found 4"));
}

TEST(WireCursorTest, TellsOffsetsInTheFile) {
  WireCursor cursor("\x08\x01\x12\x02hi"sv, 50);
  ASSERT_TRUE(cursor.Next());
  const auto field = cursor.Next();
  ASSERT_TRUE(field);
  EXPECT_EQ(field->start, 52u);
  EXPECT_EQ(field->offset, 54u);
}

TEST(AppendNumbersTest, ReadsPackedAndSingleNumbers) {
  std::vector<uint64_t> numbers;
  EXPECT_TRUE(AppendNumbers({.number = 1, .value = 7}, numbers));
  EXPECT_TRUE(AppendNumbers(
      {.number = 1, .has_bytes = true, .bytes = "\x01\x96\x01"sv}, numbers));
  EXPECT_THAT(numbers, ElementsAre(7, 1, 150));
  EXPECT_FALSE(AppendNumbers(
      {.number = 1, .has_bytes = true, .bytes = "\x01\x96"sv}, numbers));
}

}  // namespace
}  // namespace heapprof
