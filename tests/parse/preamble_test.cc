// SPDX-License-Identifier: Apache-2.0
#include "parse/preamble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(SkipPreambleTest, CountsBytesAndLinesBeforeTheHeader) {
  const std::string_view preamble = "%warn old\n<jemalloc>: leak\n--- heap\n";
  const std::string text = std::string(preamble) + "heap_v2/1\n%warn late\n";
  Diagnostics diagnostics;
  const Preamble found = SkipPreamble(text, "a.heap", &diagnostics);
  EXPECT_EQ(found.bytes, preamble.size());
  EXPECT_EQ(found.lines, 3u);
  ASSERT_EQ(diagnostics.Count(WarningKind::kProfileSays), 1u);
  EXPECT_THAT(diagnostics.warnings()[0].messages, ElementsAre("a.heap: old"));
}

TEST(SkipPreambleTest, IsEmptyIfTheFirstLineIsTheHeader) {
  EXPECT_EQ(SkipPreamble("heap_v2/1\n", "", nullptr).bytes, 0u);
  EXPECT_EQ(SkipPreamble("", "", nullptr).bytes, 0u);
  EXPECT_EQ(SkipPreamble("--- symbol\n", "", nullptr).bytes, 0u);
}

TEST(StartsWithMarkerTest, AllowsAnyBlanksBeforeTheWord) {
  EXPECT_TRUE(StartsWithMarker("---heap", "heap"));
  EXPECT_TRUE(StartsWithMarker("---   heap", "heap"));
  EXPECT_FALSE(StartsWithMarker("-- heap", "heap"));
  EXPECT_FALSE(StartsWithMarker("---", "heap"));
  EXPECT_FALSE(StartsWithMarker("--- symbol", "heap"));
}

}  // namespace
}  // namespace heapprof
