// SPDX-License-Identifier: Apache-2.0
#include "cli/args/path_pattern.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::HasSubstr;

// Returns the pieces of a pattern; words in capital letters.
std::string PiecesOf(const std::string& path) {
  const auto pieces = ParsePathPattern(path);
  if (!pieces) return pieces.error().message;
  std::string text;
  for (const PathPiece& piece : *pieces) {
    constexpr const char* kNames[] = {"", "NAME", "FOLDER", "PID", "SEQ"};
    text += '[' + piece.text + kNames[static_cast<size_t>(piece.part)] + ']';
  }
  return text;
}

TEST(PathPatternTest, FindsTheWordsInBraces) {
  EXPECT_EQ(PiecesOf("named/{name}.pb.gz"), "[named/][NAME][.pb.gz]");
  EXPECT_EQ(PiecesOf("{pid}{seq}"), "[PID][SEQ]");
  EXPECT_EQ(PiecesOf("{folder}/x"), "[FOLDER][/x]");
  EXPECT_EQ(PiecesOf("x.txt"), "[x.txt]");
}

TEST(PathPatternTest, RefusesOtherBraces) {
  for (const char* path : {"{Name}", "a{", "b}c", "{{name}}", "{name }"})
    EXPECT_THAT(PiecesOf(path), HasSubstr("braces contain name, folder, pid"))
        << path;
  EXPECT_THAT(PiecesOf(""), HasSubstr("empty"));
}

}  // namespace
}  // namespace heapprof
