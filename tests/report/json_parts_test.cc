// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(JsonPartsTest, KeepEveryByteOfAText) {
  Json object = Json::object();
  AddText("a", "na\xc3\xafve", object);
  AddText("b", "x\xff\xfe\"", object);
  AddText("c", "", object);
  EXPECT_EQ(Json::parse(Serialized(object)), Json::parse(R"({
    "a": "na\u00efve", "b": "x\ufffd\ufffd\"", "b_bytes": "78fffe22",
    "c": null})"));
}

TEST(JsonPartsTest, LetNoControlCharacterThrough) {
  EXPECT_EQ(Serialized("\x1b[2J\x7f\xc2\x9b\n<script>"),
            R"("\u001b[2J\u007f\u009b\n<script>")");
}

TEST(JsonPartsTest, KeepCommandsToCiServicesAsDataOnly) {
  const std::string text = "###[error]##vso[a]\\##[b]";
  const std::string json = Serialized(text);
  EXPECT_EQ(json.find("##"), json.npos) << json;
  EXPECT_EQ(Json::parse(json), Json(text));
}

TEST(JsonPartsTest, WriteWholeNumbers) {
  EXPECT_EQ(Serialized(WholeNumber(1234567890123.7)), "1234567890123");
  EXPECT_EQ(Serialized(WholeNumber(-0.5)), "0");
  EXPECT_EQ(Serialized(WholeNumber(1e300)), "4611686018427387904");
}

TEST(JsonPartsTest, RoundAnIntervalOutwards) {
  EXPECT_EQ(Serialized(IntervalObject(Interval{-1.5, 2.5})),
            R"({"lower":-2,"upper":3,"confidence":0.95})");
  EXPECT_EQ(Serialized(IntervalObject(std::nullopt)), "null");
}

}  // namespace
}  // namespace heapprof
