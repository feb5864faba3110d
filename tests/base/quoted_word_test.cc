// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/quoted_word.h"

#include <gmock/gmock.h>
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

TEST(QuotedWordsTest, EndAtSpacesThatAreNotQuoted) {
  const std::string words[] = {
      "heapprof", "--top=3", "it's a 'word'", "it's\ta \\", "$'x", "", "last"};
  std::string command;
  std::vector<std::string> quoted;
  for (const std::string& word : words) {
    quoted.push_back(QuotedWord(word));
    command += (command.empty() ? "" : " ") + quoted.back();
  }
  EXPECT_THAT(QuotedWords(command), testing::ElementsAreArray(quoted));
  EXPECT_THAT(QuotedWords(""), testing::IsEmpty());
}

}  // namespace
}  // namespace heapprof
