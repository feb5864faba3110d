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

TEST(QuotedWordTest, ControlCharactersAreEscaped) {
  EXPECT_EQ(QuotedWord("a\nb"), "$'a\\nb'");
  EXPECT_EQ(QuotedWord("it's\\\t\x1b[1mü\x7f"),
            "$'it\\'s\\\\\\011\\033[1mü\\177'");
}

}  // namespace
}  // namespace heapprof
