// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/quoted_word.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(QuotedWordTest, QuotesOnlyWhatAShellInterprets) {
  EXPECT_EQ(QuotedWord("/srv/app-1.2"), "/srv/app-1.2");
  EXPECT_EQ(QuotedWord(""), "''");
  EXPECT_EQ(QuotedWord("a b"), "'a b'");
  EXPECT_EQ(QuotedWord("it's $x"), "'it'\\''s $x'");
}

}  // namespace
}  // namespace heapprof
